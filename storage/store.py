"""The store: transactions on SQLite or PostgreSQL, each with a store per aggregate."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine
from sqlmodel import Session

from storage.audit import SqlAudit
from storage.claims import SqlClaims
from storage.data import SqlLooks, SqlSafe, SqlSyncs
from storage.disks import SqlDisks
from storage.drops import SqlDrops
from storage.engines import WAIT_S, errors_translated, open_engine, parse_url
from storage.errands import SqlCurveWishes, SqlLists, SqlLogs
from storage.fetches import SqlFetches, SqlWatched
from storage.homes import SqlGreetings, SqlHomes
from storage.inbox import SqlInbox
from storage.jobs import SqlJobs
from storage.keys import SqlKeys
from storage.leases import SqlLeases
from storage.ledger import SqlLedger
from storage.living import SqlLiving
from storage.offers import SqlOffers
from storage.outbox import SqlOutbox
from storage.pictures import SqlPictures
from storage.points import SqlPoints
from storage.questions import SqlQuestions
from storage.quotes import SqlQuotes
from storage.secrets import SqlSecrets
from storage.use import SqlChecks, SqlPeople, SqlUse


class SqlTx:
    """One transaction's stores, all in one session."""

    def __init__(self, session: Session) -> None:
        self.ledger = SqlLedger(session)
        self.living = SqlLiving(session)
        self.leases = SqlLeases(session, self.living, self.ledger)
        self.claims = SqlClaims(session)
        self.outbox = SqlOutbox(session)
        self.questions = SqlQuestions(session, self.living)
        self.quotes = SqlQuotes(session, self.living)
        self.keys = SqlKeys(session)
        self.secrets = SqlSecrets(session)
        self.offers = SqlOffers(session)
        self.audit = SqlAudit(session)
        self.inbox = SqlInbox(session)
        self.use = SqlUse(session)
        self.checks = SqlChecks(session)
        self.people = SqlPeople(session)
        self.safe = SqlSafe(session)
        self.looks = SqlLooks(session)
        self.syncs = SqlSyncs(session, self.living)
        self.disks = SqlDisks(session, self.living)
        self.watched = SqlWatched(session)
        self.fetches = SqlFetches(session)
        self.drops = SqlDrops(session)
        self.jobs = SqlJobs(session, self.living)
        self.points = SqlPoints(session)
        self.logs = SqlLogs(session)
        self.lists = SqlLists(session)
        self.curve_wishes = SqlCurveWishes(session)
        self.pictures = SqlPictures(session)
        self.homes = SqlHomes(session)
        self.greetings = SqlGreetings(session)


class SqlStore:
    """`bot.ports.store.Store` on a migrated database; for any number of threads."""

    def __init__(self, database_url: str, *, wait_s: float = WAIT_S) -> None:
        """Nothing is connected before the first transaction. ``wait_s``: after that long it counts as locked.

        Raises:
            SettingsError: the address is wrong, or its driver is missing.
            StoreUnavailable: the file of a SQLite database cannot be made.
        """
        url = parse_url(database_url)
        self._writer = open_engine(url, wait_s=wait_s)
        if url.get_backend_name() == "sqlite":
            self._reader = open_engine(url, writes=False, wait_s=wait_s)
        else:
            # the same connections; one snapshot for the whole transaction, as on SQLite
            self._reader = self._writer.execution_options(postgresql_readonly=True, isolation_level="REPEATABLE READ")

    @contextmanager
    def read(self) -> Iterator[SqlTx]:
        """One consistent view, for reading only; never blocks a writer."""
        with _transaction_of(self._reader) as tx:
            yield tx

    @contextmanager
    def transaction(self) -> Iterator[SqlTx]:
        """For writing: committed at the end, rolled back on any exception. Not to be opened inside another."""
        with _transaction_of(self._writer) as tx:
            yield tx

    def close(self) -> None:
        """Close all connections."""
        self._reader.dispose()
        self._writer.dispose()


@contextmanager
def _transaction_of(engine: Engine) -> Iterator[SqlTx]:
    with errors_translated(), Session(engine, autoflush=False) as session, session.begin():
        yield SqlTx(session)
