"""The command line: ``python -m bot run``, ``migrate``, ``manifest``, ``playground``."""

import json
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

import typer

from bot.errors import GpubotError, SettingsError

cli = typer.Typer(add_completion=False, no_args_is_help=True, help="gpubot: rent, watch and release cloud GPUs.")


@cli.command()
def run() -> None:
    """Run the bot: everything in one process, until SIGTERM or Ctrl-C."""
    from bot import bootstrap
    from bot.config import read_settings
    from bot.logs import set_up_logs

    stop = threading.Event()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, lambda *_: stop.set())

    def go() -> None:
        settings = read_settings()
        set_up_logs(settings.log_level)
        bootstrap.run(settings, stop)

    _explained(go)


@cli.command()
def migrate() -> None:
    """Bring the database up to date."""
    from bot.config import read_database_url
    from storage.schema import migrate as migrate_database

    def go() -> None:
        applied = migrate_database(read_database_url())
        print(f"applied: {', '.join(applied)}" if applied else "up to date")

    _explained(go)


@cli.command()
def manifest() -> None:
    """Print the manifest for creating the Slack app."""
    from handlers.manifest import manifest as app_manifest

    print(json.dumps(app_manifest(), indent=2))


def _explained(go: Callable[[], Any]) -> None:
    """The command line's border: a known error is its sentences and exit status 1."""
    try:
        go()
    except SettingsError as error:
        for fault in error.faults:
            print(f"gpubot: {fault}", file=sys.stderr)
        raise SystemExit(1) from None
    except GpubotError as error:
        print(f"gpubot: {error.code}: {getattr(error, 'detail', '')}", file=sys.stderr)
        raise SystemExit(1) from None


if __name__ == "__main__":
    cli()
