"""Every table; importing this package declares them all."""

from storage.tables.base import Row
from storage.tables.curves import CurveWishRow, FilePointRow, RunFileRow
from storage.tables.data import BaselineRow, ListingRow, ListWishRow, LookRow, ManifestRow, SyncRow
from storage.tables.disks import DiskLookRow, DiskRow
from storage.tables.drops import DropRow
from storage.tables.fetches import FetchRow, WatchedRow
from storage.tables.homes import GreetingRow, HomeRow
from storage.tables.jobs import JobOutputRow, JobRow, LogWishRow, PictureRow, PointRow
from storage.tables.leases import IntervalRow, LeaseRow, QuestionRow, QuoteRow
from storage.tables.messages import DeliveryRow, LivingRow, NoticeRow
from storage.tables.use import ActivityRow, CheckRow, PersonRow, UseSampleRow
from storage.tables.work import AuditRow, ClaimRow, KeyRow, OfferSheetRow, SecretRow

__all__ = [
    "ActivityRow",
    "AuditRow",
    "BaselineRow",
    "CheckRow",
    "ClaimRow",
    "CurveWishRow",
    "DeliveryRow",
    "DiskLookRow",
    "DiskRow",
    "DropRow",
    "FetchRow",
    "FilePointRow",
    "GreetingRow",
    "HomeRow",
    "IntervalRow",
    "JobOutputRow",
    "JobRow",
    "KeyRow",
    "LeaseRow",
    "ListWishRow",
    "ListingRow",
    "LivingRow",
    "LogWishRow",
    "LookRow",
    "ManifestRow",
    "NoticeRow",
    "OfferSheetRow",
    "PersonRow",
    "PictureRow",
    "PointRow",
    "QuestionRow",
    "QuoteRow",
    "Row",
    "RunFileRow",
    "SecretRow",
    "SyncRow",
    "UseSampleRow",
    "WatchedRow",
]
