"""The store of cached price lists."""

from datetime import datetime

from sqlmodel import col, select

from bot.domain.offers import Offer
from bot.ports.store import OfferSheet
from storage.mapping import columns_of, value_of
from storage.shelf import Shelf
from storage.tables import OfferSheetRow


class SqlOffers(Shelf):
    """One price list per provider in the database."""

    def replace(self, provider: str, offers: tuple[Offer, ...], read_at: datetime) -> None:
        """The list as just read; an older fault is over."""
        self._upsert(OfferSheet(provider, offers, read_at), "offers", "read_at", "fault")

    def failed(self, provider: str, fault: str) -> None:
        """The last read failed; the older list stays."""
        self._upsert(OfferSheet(provider, (), None, fault), "fault")

    def sheets(self) -> tuple[OfferSheet, ...]:
        """All of them, by provider."""
        rows = self._all(select(OfferSheetRow).order_by(col(OfferSheetRow.provider)))
        return tuple(value_of(OfferSheet, row) for row in rows)

    def _upsert(self, sheet: OfferSheet, *changed: str) -> None:
        insert = self._insert(OfferSheetRow, columns_of(sheet))
        self._run(
            insert.on_conflict_do_update(
                index_elements=[col(OfferSheetRow.provider)],
                set_={name: insert.excluded[name] for name in changed},
            )
        )
