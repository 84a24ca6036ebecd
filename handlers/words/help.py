"""What every verb does, how it is written, and examples of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.domain.commands import Verb


@dataclass(frozen=True, slots=True)
class VerbHelp:
    """``form`` is how it is written in general; ``examples`` are (command, what it says), the simplest first."""

    does: str
    form: str
    examples: tuple[tuple[str, str], ...]
    note: str = ""


_NAME_LEFT_OUT = (
    "The name may be left out in a lease's thread, and wherever you have exactly one lease that is not over."
)
_DURATION = "Durations: `90m`, `4h`, `1d12h`, `1.5h`, `until 18:00` on your own clock."

HELP: Mapping[Verb, VerbHelp] = {
    Verb.RENT: VerbHelp(
        "rent a machine",
        "rent GPU[xN] DURATION [name=… disk=GiB provider=… region=…]",
        (
            ("rent a100 4h", "one A100 of any memory size, for four hours"),
            ("rent 2xh100 1d12h name=ablation disk=200", "two H100s, a name of your own, 200 GiB of disk"),
            ("rent l4 until 18:00 provider=lambda", "until six in the evening on your clock, from one provider"),
            ("rent", "a form: what there is, and what it costs in whole before you send it"),
        ),
        f"The whole cost is quoted before anything is rented. GPUs: `a100`, `a100-80`, `h100x8`. {_DURATION}",
    ),
    Verb.OFFERS: VerbHelp(
        "what can be rented now and for how much",
        "offers [GPU[xN]]",
        (("offers", "everything, cheapest first"), ("offers h100x8", "machines with eight H100s")),
    ),
    Verb.STATUS: VerbHelp(
        "leases: state, owner, end, cost so far",
        "status [NAME|@who|all]",
        (
            ("status", "your leases"),
            ("status amber-fox", "one lease"),
            ("status all", "everybody's"),
        ),
    ),
    Verb.RUN: VerbHelp(
        "start a job on a machine",
        "run [NAME] [name=… dir=… env=K=V git=URL[@REF] max=…] -- COMMAND",
        (
            ("run amber-fox -- python train.py --lr 3e-4", "what follows the lone `--` runs on the machine"),
            ("run amber-fox env=SEED=1 max=6h -- bash sweep.sh", "options stand before the `--`"),
        ),
        "A command in a code block is taken exactly as it stands there, also over several lines. " + _NAME_LEFT_OUT,
    ),
    Verb.TRY: VerbHelp(
        "run the built-in small training to prove that the machine works",
        "try [NAME]",
        (("try amber-fox", "takes about a minute"),),
        _NAME_LEFT_OUT,
    ),
    Verb.JOBS: VerbHelp("list the jobs of a lease", "jobs [NAME]", (("jobs amber-fox", "all its jobs"),)),
    Verb.LOGS: VerbHelp(
        "the last lines of a job's output",
        "logs [JOB] [LINES] [grep=TEXT]",
        (
            ("logs amber-fox/3", "the last lines of job 3"),
            ("logs amber-fox/3 200 grep=nan", "the last 200 lines that contain a word"),
        ),
    ),
    Verb.KILL: VerbHelp("end a job", "kill [JOB]", (("kill amber-fox/3", "end job 3"),)),
    Verb.LOSS: VerbHelp(
        "what a job's loss curve says",
        "loss [JOB]",
        (("loss amber-fox/3", "in words; its picture is brought up to date"),),
    ),
    Verb.CHECK: VerbHelp(
        "the health checklist of a machine", "check [NAME]", (("check amber-fox", "check it now"),), _NAME_LEFT_OUT
    ),
    Verb.SYNC: VerbHelp(
        "copy to the archive, and verify the copy",
        "sync [NAME] [PATH …]",
        (("sync amber-fox", "everything that is watched"), ('sync amber-fox "/data/my runs"', "one folder")),
        _NAME_LEFT_OUT,
    ),
    Verb.FETCH: VerbHelp(
        "list or get what the archive holds of a lease",
        "fetch [LEASE] [PATH]",
        (("fetch amber-fox", "list it"), ("fetch amber-fox out/model.pt", "get one file")),
    ),
    Verb.EXTEND: VerbHelp(
        "make a lease longer",
        "extend [NAME] DURATION",
        (
            ("extend amber-fox 2h", "two hours past its end"),
            ("extend amber-fox until 18:00", "its new end is six in the evening on your clock"),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.KEEP: VerbHelp(
        "no idle reminders for a while",
        "keep [NAME] DURATION",
        (("keep amber-fox 3h", "quiet for three hours; the meter and the lease's end stay as they are"),),
        _NAME_LEFT_OUT,
    ),
    Verb.STOP: VerbHelp(
        "halt a machine and keep its disk, where the provider can",
        "stop [NAME]",
        (("stop amber-fox", "the disk is kept and may go on costing; `release` is what ends the bill"),),
        _NAME_LEFT_OUT,
    ),
    Verb.START: VerbHelp(
        "start a stopped machine", "start [NAME]", (("start amber-fox", "run it again"),), _NAME_LEFT_OUT
    ),
    Verb.RELEASE: VerbHelp(
        "end a machine and its bill for good",
        "release [NAME]",
        (("release amber-fox", "asks first if data would be lost; cancels a lease that is not ready yet"),),
        _NAME_LEFT_OUT,
    ),
    Verb.SSH: VerbHelp(
        "how to log in, shown to you alone", "ssh [NAME]", (("ssh amber-fox", "the line to paste"),), _NAME_LEFT_OUT
    ),
    Verb.KEY: VerbHelp(
        "your public SSH keys, put on your machines",
        "key add PUBLIC-KEY | key list | key remove NUMBER|FINGERPRINT",
        (
            ("key list", "your keys, numbered"),
            (
                "key add ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWL7Nvdh4wuL7TC61LMPNYtjwxQeF3fgvEUeItB8v2M ada@laptop",
                "the line in `~/.ssh/id_ed25519.pub`",
            ),
            ("key remove 2", "the second in the list"),
        ),
    ),
    Verb.COST: VerbHelp(
        "what was spent",
        "cost [day|week|month] [@who|NAME|all]",
        (("cost week", "the last seven days"), ("cost month all", "everybody's"), ("cost amber-fox", "one lease")),
    ),
    Verb.POLICY: VerbHelp("the team's limits", "policy", (("policy", "limits, approvers, waking hours"),)),
    Verb.AUDIT: VerbHelp(
        "who did what and when", "audit [NAME]", (("audit", "the latest"), ("audit amber-fox", "of one lease"))
    ),
    Verb.DISKS: VerbHelp("disks that are kept, and what they cost", "disks [NAME]", (("disks", "all of them"),)),
    Verb.WATCH: VerbHelp("follow somebody else's lease", "watch [NAME]", (("watch amber-fox", "hear of its events"),)),
    Verb.SECRET: VerbHelp(
        "tokens that your jobs need",
        "secret list | secret set NAME | secret remove NAME",
        (("secret set HF_TOKEN", "asks for the value where nobody else sees it"), ("secret list", "names only")),
    ),
    Verb.HELP: VerbHelp("this", "help [VERB]", (("help", "every verb"), ("help rent", "one of them"))),
}

_HOW_TO_SAY_IT = (
    "In a channel start with `/gpu`. In a lease's thread mention me instead and leave the name out. "
    "In a direct message the command is enough. `help VERB` says more."
)
_LACKING = "not available yet"


def help_text(verb: Verb | None, *, lacking: Collection[Verb] = frozenset()) -> str:
    """Slack text, under 3000 characters: examples first, then the form; all verbs if ``verb`` is None.

    ``lacking`` are verbs that this version cannot do; they are marked, and left out of the list.
    """
    if verb is None:
        lines = [f"`{about.examples[0][0]}`  {about.does}" for v, about in HELP.items() if v not in lacking]
        return "\n".join([*lines, "", _HOW_TO_SAY_IT])
    about = HELP[verb]
    lines = [f"`{command}`  {says}" for command, says in about.examples]
    title = f"*{verb}*: {about.does}" + (f" ({_LACKING})" if verb in lacking else "")
    return "\n".join([title, *lines, f"In general: `{about.form}`", about.note]).rstrip()


def verb_list(*, lacking: Collection[Verb] = frozenset()) -> str:
    """The verbs in a row, as code."""
    return ", ".join(f"`{verb}`" for verb in HELP if verb not in lacking)
