"""The tree of errors: codes and typed facts, no prose; `handlers.words` makes the sentences."""

from dataclasses import dataclass
from typing import ClassVar


class GpubotError(Exception):
    """Anything that gpubot knows how to explain. ``code`` names it in logs and in the catalogue of sentences."""

    code: ClassVar[str] = "error"

    @property
    def wait_s(self) -> float | None:
        """How long the other side asks to wait before another try; None where it does not say."""
        return None


class ProviderError(GpubotError):
    """A vendor did not do what was asked; the subclass says what may be tried next."""

    code = "provider"


@dataclass(eq=False)
class NoCapacity(ProviderError):
    """The vendor has none of these right now; the next offer may be tried."""

    code = "no-capacity"
    offer_ref: str


@dataclass(eq=False)
class QuotaExceeded(ProviderError):
    """The account's quota or money does not allow it; a person has to act at the vendor's."""

    code = "quota"
    detail: str


@dataclass(eq=False)
class CredentialsRefused(ProviderError):
    """The vendor does not accept the team's key."""

    code = "credentials"
    provider: str


@dataclass(eq=False)
class NotAllowed(ProviderError):
    """The vendor knows us and refuses this action."""

    code = "not-allowed"
    detail: str


@dataclass(eq=False)
class RateLimited(ProviderError):
    """Too many calls; may be repeated after ``retry_after_s`` seconds."""

    code = "rate-limited"
    retry_after_s: float

    @property
    def wait_s(self) -> float:
        """As it asks."""
        return self.retry_after_s


@dataclass(eq=False)
class VendorTrouble(ProviderError):
    """The vendor failed or did not answer. Ambiguous: what was asked may have happened. Look, then retry."""

    code = "vendor-trouble"
    detail: str


@dataclass(eq=False)
class BadRequest(ProviderError):
    """The vendor calls our request malformed: a bug of ours. Never retried."""

    code = "bad-request"
    detail: str


class RemoteError(GpubotError):
    """A step on a rented machine could not be done."""

    code = "remote"


@dataclass(eq=False)
class Unreachable(RemoteError):
    """No SSH session came about. ``stage`` is where it ended: tcp, banner, handshake or session."""

    code = "unreachable"
    stage: str
    detail: str


@dataclass(eq=False)
class HostKeyChanged(RemoteError):
    """The machine shows another host key than the one on record: somebody else may be answering."""

    code = "host-key-changed"
    expected: str
    shown: str


@dataclass(eq=False)
class LoginRefused(RemoteError):
    """The machine answers and does not accept the lease's key."""

    code = "login-refused"
    user: str


@dataclass(eq=False)
class StepTimedOut(RemoteError):
    """The step did not end within its one wall-clock deadline; the connection was closed."""

    code = "step-timed-out"
    deadline_s: float


@dataclass(eq=False)
class StepGarbled(RemoteError):
    """The machine answered, but not with what the step prints (a forced command, /etc/nologin, a full disk)."""

    code = "step-garbled"
    exit_status: int
    detail: str


@dataclass(eq=False)
class NoFileTransfer(RemoteError):
    """The machine takes logins, but no files over SFTP."""

    code = "no-file-transfer"
    detail: str


@dataclass(eq=False)
class FolderRefused(RemoteError):
    """The machine does not let the login user do that in the folder. ``detail``: the machine's own words."""

    code = "folder-refused"
    detail: str


@dataclass(eq=False)
class FolderFull(RemoteError):
    """There is no room for that. ``free_bytes``: None where the machine does not tell."""

    code = "folder-full"
    free_bytes: int | None


class StoreError(GpubotError):
    """The database did not do what was asked; nothing was half done."""

    code = "store"


@dataclass(eq=False)
class StoreUnavailable(StoreError):
    """The database is locked or away; the transaction was rolled back and may be tried again."""

    code = "store-unavailable"
    detail: str


@dataclass(eq=False)
class ClaimLost(StoreError):
    """Another worker holds the duty now; what this one found out is dropped."""

    code = "claim-lost"
    thing: str
    duty: str


class NotifierError(GpubotError):
    """A message could not be delivered."""

    code = "notifier"


@dataclass(eq=False)
class SlackBusy(NotifierError):
    """Slack asks to wait ``retry_after_s`` seconds, or cannot be reached for now."""

    code = "slack-busy"
    retry_after_s: float

    @property
    def wait_s(self) -> float:
        """As it asks."""
        return self.retry_after_s


@dataclass(eq=False)
class SlackUnsure(SlackBusy):
    """The connection broke before the answer came: what was to be said may be out."""


@dataclass(eq=False)
class MessageLost(NotifierError):
    """The message can no longer be edited (deleted, too old, channel archived): it has to be posted anew."""

    code = "message-lost"
    reason: str


@dataclass(eq=False)
class NowhereToPost(NotifierError):
    """The bot may not post there (not a member, archived, gone): another channel has to be used."""

    code = "nowhere-to-post"
    reason: str


@dataclass(eq=False)
class PictureRefused(NotifierError):
    """The message was not edited, because it may not show that picture (yet): without it, it may."""

    code = "picture-refused"
    reason: str


@dataclass(eq=False)
class SharedFileRefused(NotifierError):
    """A file that somebody shared cannot be had. ``why``: a word of `bot.domain.drops.drop.WhyNot`."""

    code = "shared-file-refused"
    why: str


@dataclass(eq=False)
class PlotterError(GpubotError):
    """A picture could not be drawn."""

    code = "plotter"
    detail: str


@dataclass(eq=False)
class SettingsError(GpubotError):
    """Settings or policy are wrong; ``faults`` holds all of them, each naming its setting."""

    code = "settings"
    faults: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.faults)


class Refused(GpubotError):
    """A person's wish that is not fulfilled. ``reason`` picks the sentence, ``facts`` fill it."""

    code = "refused"

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class VaultLocked(GpubotError):
    """A secret at rest cannot be opened: it was sealed with another key, or is damaged."""

    code = "vault-locked"


@dataclass(eq=False)
class FileUnreadable(GpubotError):
    """A file of metrics on a person's own machine cannot be read. ``detail``: the system's own words."""

    code = "file-unreadable"
    path: str
    detail: str


@dataclass(eq=False)
class ReaderMissing(GpubotError):
    """What reads such files is an extra that is not installed."""

    code = "reader-missing"
    extra: str
