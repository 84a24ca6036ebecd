"""People's own public keys, as they are put on their machines."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class PublicKey:
    """One key of one person. ``line`` is ``type base64``; ``fingerprint`` is OpenSSH's ``SHA256:…``."""

    user: str
    line: str
    fingerprint: str
    comment: str
    added_at: datetime
