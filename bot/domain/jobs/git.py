"""``git=URL[@REF]``: where a job's code comes from."""

import re
from dataclasses import dataclass

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SCP = re.compile(r"[^/@:]+@[^/@:]+:(?=.)|[^/@:]{2,}:(?=[^/])")
_BARE_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}/.", re.IGNORECASE)
_REF = re.compile(r"[^\s~^:?*\[\\\x00-\x20\x7f-][^\s~^:?*\[\\\x00-\x20\x7f]{0,199}")


@dataclass(frozen=True, slots=True)
class GitSource:
    """A repository and what of it: a branch, a tag or a commit; ``ref`` empty is its default branch."""

    url: str
    ref: str = ""

    @property
    def shown(self) -> str:
        """As people may see it: without a password that stands in the address."""
        url = re.sub(r"(?<=://)[^/@]*@", "", self.url)
        return f"{url}@{self.ref}" if self.ref else url


def read_git(text: str) -> GitSource | None:
    """What was typed; None where it is no address. ``github.com/…`` is taken for https.

    The ref is what follows the last ``@`` of the path: one in front of the host belongs to the login.
    """
    text = text.strip()
    if not text or text.startswith("-") or re.search(r"[\s\x00-\x1f\x7f]", text):
        return None
    if _BARE_HOST.match(text) and "@" not in text.partition("/")[0]:
        text = f"https://{text}"
    front, path = _divide(text)
    path, at, ref = path.rpartition("@") if "@" in path else (path, "", "")
    if not path.strip("/") or (at and not _REF.fullmatch(ref)) or ".." in ref:
        return None
    return GitSource(front + path, ref)


def _divide(text: str) -> tuple[str, str]:
    """What names the host, and the path there. A path on the machine has no host."""
    if found := _SCHEME.match(text):
        host, slash, path = text[found.end() :].partition("/")
        return found[0] + host + slash, path
    if found := _SCP.match(text):
        return found[0], text[found.end() :]
    return "", text
