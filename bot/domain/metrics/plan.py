"""What the lines of one shape say: counters by the trainers' table, then every key that stands before a number."""

import re
from functools import lru_cache
from typing import Final

from bot.domain.metrics.counters import (
    EPOCH_HEAD,
    EPOCH_WORDS,
    EVALUATION,
    NUMBER_MARK,
    STEP_HEAD,
    STEP_WORDS,
    TOTAL_EPOCHS,
    TOTAL_STEPS,
)
from bot.domain.metrics.names import Role, Split, meaning
from bot.domain.metrics.shape import NOTHING, MetricAt, Plan
from bot.domain.metrics.trainers import ROWS

_PAIR: Final = re.compile(
    r"(?<!\w)(?P<key>[^\W\d_][^\s=:|,;{}\[\]\"'\0<>]{0,80})(?P<close>[\"'\])]*)(?: \(group \0\))?"
    r"(?:(?P<sep>\s*[:=]\s*|\s*=>\s*)|[ \t]+)"
    r"[\"'(\[]?(?:(?:tensor|array|Array|[a-z.]*float[0-9]+)\(\[?)?\[?\s{0,20}(?P<sign>[-+]?)\0"
)
_WORDS_BEFORE: Final = re.compile(r"(?:[^\W\d_][\w'/@-]* ){1,4}$")
_NO_PART_OF_A_NAME: Final = re.compile(
    r".*\b(?:info|debug|warn|warning|error|critical|the|a|an|of|with|is|are|was|has|at|to|and|in|for|on|after|before|current"
    r"|finished|done|completed|end|ended|now|got|so|far|this|epoch|step|iter|iteration)\s|.*\b(?:轮|步|个epoch)\s",
    re.IGNORECASE,
)
# After a value: an end, a delimiter, a bracket or a word; not a unit, a product or a time of day.
_ENDS: Final = re.compile(
    r"\s*$|\.?[,;|)\]}%\"']|\.(?:\s|$)|\s*[(\[|]|\s+-\s|\s*/\s*\0|:\s+\0%\||\s+:\s|\s+[^\W\d_]|\s+\0|\s*[-=]?[>→]|\s*[-–—#✓✔*]\s*$|\s*,"
)
_OTHER_UNIT: Final = re.compile(r"\s+(?:bytes?|[kmgt]i?b|packets?|frames?|times)\b", re.IGNORECASE)
_OF_A_WHOLE: Final = re.compile(r"\s*(?:/|\bof\b|\bout of\b)\s*\0")
_PARENT: Final = re.compile(
    r"[\"'](?P<word>train(?:ing)?|val(?:id(?:ation)?)?|eval(?:uation)?|test|dev)[\"']\s*:\s*\{[^{}]*$"
)
_STARTS_A_PHRASE: Final = re.compile(r"(?:^|[,;:|\]\-\0]|\t)\s*$")
_NO_OUTPUT: Final = re.compile(
    r"\bNamespace\(|(?:^|\s)--[a-z][\w-]*[ =]|^\s*[│❱]|^\s*>>> "
    r"|^\s*(?:def|return|if|elif|for|while|raise|import|from|assert) "
    r"|\bRegion \0 Avg\b"  # Darknet's layers: each of a part of a batch
)
_NAMED_RANK: Final = re.compile(r"\s*\[?(?:rank|default)[ _:]?(?P<rank>[0-9]{1,5})\]?[\s:\]]", re.IGNORECASE)
_TABLE_ROW_RANK: Final = 9
_MOST_BACK_CHARS: Final = 400
_MOST_NAME_CHARS: Final = 60
_MOST_GAP_CHARS: Final = 8


@lru_cache(maxsize=8192)
def plan_of(shape: str) -> Plan:
    """What lines of ``shape`` (see `split_numbers`) say. It follows from the shape alone, so it is remembered."""
    if _NO_OUTPUT.search(shape):
        return NOTHING
    found = _Found(shape)
    found.read_row()
    for pair in _PAIR.finditer(shape):
        found.read_pair(pair)
    return found.plan()


class _Found:
    """Gathers what one shape says."""

    def __init__(self, shape: str) -> None:
        self._shape = shape
        self._at: dict[str, int] = {}
        self._step_start = -1
        self._step_rank = 0
        self._has_totals = False
        self._sure: list[MetricAt] = []
        self._unsure: list[tuple[MetricAt, bool]] = []
        self._split = ""
        self._names: dict[str, str] = {}
        self._is_head = False

    def read_row(self) -> None:
        """The first trainer of the table that prints its counter so."""
        for row in ROWS:
            match = row.pattern.match(self._shape)
            if match:
                for group, name in row.values:
                    start = match.start(group)
                    is_negative = self._shape[start - 1 : start] == "-"
                    self._sure.append(MetricAt(name, self._index(start), is_negative=is_negative))
                counters = match.groupdict().keys() - dict(row.values).keys()
                groups = [group for group in counters if match[group] is not None]
                self._at.update((group, self._index(match.start(group))) for group in groups)
                self._step_start = min((match.start(group) for group in groups), default=-1)
                self._split, self._names, self._is_head = row.split, dict(row.names), row.is_head
                # A row that knows the epoch alone leaves the step to its words.
                self._step_rank = _TABLE_ROW_RANK if {"step", "inner"} & set(groups) else 0
                return

    def read_pair(self, pair: re.Match[str]) -> None:
        """A key before a number: a counter, a total or a metric."""
        start, end = pair.end() - 1, pair.end()
        word, phrase = pair["key"].lower(), self._phrase(pair)
        if pair["sign"] == "-" and (word in EPOCH_WORDS or word in STEP_WORDS):
            return  # nothing counts down
        if TOTAL_EPOCHS.fullmatch(phrase):
            self._has_totals |= self._put("epochs", start)
        elif TOTAL_STEPS.fullmatch(phrase):
            self._has_totals |= self._put("steps", start)
        elif word in EPOCH_WORDS:
            if self._put("epoch", start):
                self._put_whole("epochs", end)
        elif word in STEP_WORDS:
            if STEP_WORDS[word] > self._step_rank and self._shape[end : end + 1] != "%":
                self._step_rank, self._step_start = STEP_WORDS[word], start
                self._at["step"] = self._index(start)
                self._put_whole("steps", end)
        elif word == "rank":
            self._put("rank", start)
        else:
            self._read_metric(pair, phrase)

    def plan(self) -> Plan:
        """All that was found."""
        at = self._at
        # Without a separator the words may be prose: a counter on the line vouches for them, or they stand alone.
        has_x = "step" in at or "epoch" in at or "inner" in at
        unsure = [metric._replace(needs_fraction=not has_x) for metric, alone in self._unsure if has_x or alone]
        kept = tuple(sorted(self._sure + unsure, key=lambda metric: metric.at))
        is_head = self._is_head or EPOCH_HEAD.match(self._shape) or STEP_HEAD.match(self._shape)
        if not kept and not self._has_totals and not is_head:
            return NOTHING
        evaluation = EVALUATION.search(self._shape, 0, max(self._step_start, 0)) if "steps" in at else None
        if evaluation:
            kept = tuple(_of_evaluation(metric, evaluation["word"]) for metric in kept)
        if self._split:
            kept = tuple(_of_evaluation(metric, self._split) for metric in kept)
        rank = _NAMED_RANK.match(self._shape)
        return Plan(
            metrics=kept,
            epoch=at.get("epoch", -1),
            epochs=at.get("epochs", -1),
            step=at.get("inner", at.get("step", -1)),
            steps=at.get("steps", -1),
            rank=at.get("rank", -1),
            named_rank=int(rank["rank"]) if rank else None,
            is_evaluation=evaluation is not None,
            is_inner="inner" in at,
            needs_position=not has_x and all(map(_is_setting_too, kept)),
            is_dict=self._shape.lstrip().startswith("{"),
            is_head=bool(is_head) and not kept,
        )

    def _read_metric(self, pair: re.Match[str], phrase: str) -> None:
        start, end = pair.end() - 1, pair.end()
        is_named = phrase in self._names
        phrase = self._names.get(phrase, phrase)
        meant = meaning(phrase)
        if meant is None:
            return
        if not is_named and (not _ENDS.match(self._shape, end) or _OTHER_UNIT.match(self._shape, end)):
            return
        whole = _OF_A_WHOLE.match(self._shape, end)
        if whole and meant.role not in (Role.SCORE, Role.ERROR):
            return
        index = self._index(start)
        metric = MetricAt(phrase, index, index + 1 if whole else -1, pair["sign"] == "-")
        if pair["sep"] is not None or is_named:
            self._sure.append(metric)
            return
        if meaning(pair["key"]) is None:
            return  # "val_loss improved from 0.5"
        phrase_start = pair.start("key") - (len(phrase) - len(pair["key"]))
        self._unsure.append(
            (metric, _STARTS_A_PHRASE.search(self._shape, max(0, phrase_start - 8), max(0, phrase_start)) is not None)
        )

    def _phrase(self, pair: re.Match[str]) -> str:
        """The key with the words that stand before it: ``val loss``."""
        key, start = pair["key"], pair.start("key")
        if key.endswith(")") and "(" not in key:
            key = key.rstrip(")")
        before = self._shape[max(0, start - _MOST_NAME_CHARS) : start]
        if before.endswith(('"', "'")):
            parent = _PARENT.search(self._shape, max(0, start - _MOST_BACK_CHARS), start)
            return f"{parent['word']} {key}" if parent else key
        words = _WORDS_BEFORE.search(before)
        if words and before[: words.start()].endswith("/"):  # "512.0/s LR": a unit
            return key
        return (_NO_PART_OF_A_NAME.sub("", words[0]) if words else "") + key

    def _put(self, group: str, start: int) -> bool:
        is_new = group not in self._at
        self._at.setdefault(group, self._index(start))
        return is_new

    def _put_whole(self, group: str, end: int) -> None:
        if _OF_A_WHOLE.match(self._shape, end):
            self._at[group] = self._shape.count(NUMBER_MARK, 0, end)

    def _index(self, start: int) -> int:
        return self._shape.count(NUMBER_MARK, 0, start)


def _is_setting_too(metric: MetricAt) -> bool:
    """Configurations print such names as well, before a run has begun."""
    meant = meaning(metric.name)
    return meant is not None and meant.role in (Role.LEARNING_RATE, Role.GRADIENT_NORM)


def _of_evaluation(metric: MetricAt, word: str) -> MetricAt:
    """The same, named as measured on other data where its own name does not say so."""
    meant = meaning(metric.name)
    if meant is None or meant.split is not Split.TRAIN:
        return metric
    return metric._replace(name=f"{word} {metric.name}")
