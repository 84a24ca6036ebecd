"""The command line: ``python -m bot run``, ``migrate``, ``demo`` and so on: ``python -m bot --help``."""

import contextlib
import gc
import json
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.errors import FileUnreadable, GpubotError, ReaderMissing, SettingsError

cli = typer.Typer(add_completion=False, no_args_is_help=True, help="gpubot: rent, watch and release cloud GPUs.")


@cli.command()
def run() -> None:
    """Run the bot: everything in one process, until SIGTERM or Ctrl-C."""
    # All that is imported stays: to look for garbage among it costs a tenth of the start, and of each later look.
    gc.disable()
    from bot import bootstrap
    from bot.config import read_settings
    from bot.logs import set_up_logs

    gc.freeze()
    gc.enable()

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
    """Print the manifest for creating the Slack app, as the settings need it."""
    from bot.config import read_thread_files
    from handlers.manifest import THREAD_FILES_EVENTS, THREAD_FILES_SCOPES
    from handlers.manifest import manifest as app_manifest

    def go() -> None:
        thread_files = read_thread_files()
        print(json.dumps(app_manifest(thread_files=thread_files), indent=2))
        if thread_files:
            print("THREAD_FILES_MIB is set, so this asks for more than manifest.json:", file=sys.stderr)
            for name, reason in {**THREAD_FILES_SCOPES, **THREAD_FILES_EVENTS}.items():
                print(f"  {name}: {reason}", file=sys.stderr)

    _explained(go)


@cli.command()
def check(
    live: Annotated[str, typer.Option(metavar="CHANNEL", help="Try it all in this channel (id or #name)")] = "",
    user: Annotated[str, typer.Option(metavar="U…", help="With --live: who gets an ephemeral message")] = "",
    as_data: Annotated[bool, typer.Option("--json", help="Print the findings as JSON")] = False,
) -> None:
    """Look at everything that the bot needs, say what is wrong and what to do; exit status 1 if anything fails."""
    from bot.bootstrap.checkup import Live, as_json, checkup
    from bot.domain.checkup import Finding, failed
    from handlers.words.checkup import line, sentences, summary, title

    found: list[Finding] = []
    for finding in checkup(Live(live, user) if live else None):
        if not as_data:
            if not found or found[-1].group is not finding.group:
                print(f"{chr(10) if found else ''}{title(finding.group)}")
            print(line(finding), flush=True)
        found.append(finding)
    if as_data:
        print(json.dumps({"passed": not failed(found), "findings": as_json(found, sentences)}, indent=2))
    else:
        print(f"\n{summary(found)}")
    raise SystemExit(1 if failed(found) else 0)


@cli.command()
def curve(
    files: Annotated[list[Path], typer.Argument(help="Logs or metric files, of any trainer")],
    as_data: Annotated[bool, typer.Option("--json", help="Print one JSON object a file")] = False,
    png: Annotated[Path | None, typer.Option(help="Draw the curve here; of several files OUT-1, OUT-2 …")] = None,
) -> None:
    """Read runs from files on this machine: their curves in words, as JSON, as pictures."""
    from bot.charts.child import ChildPlotter
    from bot.curve_files import as_json, read_file
    from bot.ports.plotter import CurvePicture
    from handlers.words.verdicts import reading_words

    def go() -> None:
        for number, path in enumerate(files, 1):
            reading = read_file(path, datetime.now(UTC))  # noqa: TID251 - an entry point
            if as_data:
                print(json.dumps(as_json(reading), ensure_ascii=False, allow_nan=False), flush=True)
            else:
                print("\n".join([*([f"{path}:"] if len(files) > 1 else []), *reading_words(reading)]), flush=True)
            if png is not None:
                out = png if len(files) == 1 else png.with_name(f"{png.stem}-{number}{png.suffix}")
                out.write_bytes(ChildPlotter().draw(CurvePicture.of(path.name, reading.series)))

    _explained(go)


@cli.command()
def tour(
    json_file: Annotated[Path | None, typer.Option("--json", help="Write what was seen and measured here")] = None,
    out: Annotated[Path, typer.Option(help="Where pictures and the bot's log are kept")] = Path("tour"),
) -> None:
    """Walk three machines through their lives in a playground, print what people see, and check every step."""
    from bot.playground.tour import tour as walk

    with tempfile.TemporaryDirectory(prefix="gpubot-tour-") as folder:
        try:
            seen = walk(Path(folder), out, print, {"LOCAL_PYTHON": sys.executable})
        finally:
            end_local_machines(Path(folder) / "data")
    if json_file is not None:
        json_file.write_text(json.dumps(seen.as_json(), indent=2) + "\n", encoding="utf-8")
    print(f"\nWhat was seen: {json.dumps(seen.as_json())}")
    raise SystemExit(1 if seen.errors else 0)


@cli.command()
def demo(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the page; another one where this one is taken")
    ] = 8765,
) -> None:
    """Serve a trial workspace with a bot in it, until Ctrl-C."""
    from bot.playground.demo import PREFIX
    from bot.playground.demo import demo as serve
    from bot.playground.leftovers import end_leftovers, trial_folder
    from bot.playground.trial import BotEndedError
    from handlers.words.demo import WELCOME

    stop = threading.Event()
    for signal_number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # A terminal that is closed says so by SIGHUP; who began it with nohup wants it to go on.
        if signal_number != signal.SIGHUP or signal.getsignal(signal_number) is not signal.SIG_IGN:
            signal.signal(signal_number, lambda *_: stop.set())
    if end_leftovers(PREFIX, lambda folder: end_local_machines(folder / "data")):
        print("An earlier demo was killed: its bot and machines are ended now.", flush=True)
    with trial_folder(PREFIX) as folder:
        try:
            serve(folder, port, WELCOME, _demo_is_up, _demo_is_ending, stop, {"LOCAL_PYTHON": sys.executable})
        except BotEndedError as error:
            print(f"gpubot: the bot ended. The last it said:\n{error}", file=sys.stderr)
            raise SystemExit(1) from None
        finally:
            end_local_machines(folder / "data")


def _demo_is_up(address: str) -> None:
    print(f"\n  Open {address}\n")
    print("  A workspace with gpubot in it; you are Ana. Type /gpu rent a100 1h name=my-first in #gpus.")
    print("  Ctrl-C ends everything: the machines, their disks and the archive of this trial go too.\n", flush=True)


def _demo_is_ending() -> None:
    with contextlib.suppress(OSError):  # the terminal may be gone
        print("\nEnding the bot and its machines …", flush=True)


def end_local_machines(data_dir: Path) -> None:
    """Stop what a trial's bot left running."""
    from bot.providers.local.provider import LocalProvider

    if (data_dir / "local").is_dir():
        LocalProvider(data_dir / "local", host_gpus=()).end_all()


def _explained(go: Callable[[], Any]) -> None:
    """The command line's border: a known error is its sentences and exit status 1."""
    try:
        go()
    except SettingsError as error:
        for fault in error.faults:
            print(f"gpubot: {fault}", file=sys.stderr)
        raise SystemExit(1) from None
    except ReaderMissing as error:
        print(f"gpubot: such files need an extra: pip install 'gpubot[{error.extra}]'", file=sys.stderr)
        raise SystemExit(1) from None
    except FileUnreadable as error:
        print(f"gpubot: {error.path}: {error.detail}", file=sys.stderr)
        raise SystemExit(1) from None
    except GpubotError as error:
        print(f"gpubot: {error.code}: {getattr(error, 'detail', '')}", file=sys.stderr)
        raise SystemExit(1) from None


if __name__ == "__main__":
    cli()
