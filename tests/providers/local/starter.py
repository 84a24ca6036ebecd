"""Runs one call on a local cloud in a process of its own, which may be told where to die.

``python -m tests.providers.local.starter ROOT CALL TOKEN KEY_LINE [EVENT FRAGMENT COUNT]``: at the COUNT-th audit
event of that name which mentions FRAGMENT, the process is killed as by SIGKILL. Prints the instance's id.
"""

import os
import signal
import sys
from pathlib import Path

from bot.domain.instance import InstanceRef, LaunchSpec
from bot.providers.local.provider import LocalProvider
from tests.providers.world import clearance


def die_at(event: str, fragment: str, count: int) -> None:
    """From now on."""
    left = count

    def hook(name: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if name == event and fragment in " ".join(map(str, arguments)):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def main(root: str, call: str, token: str, key_line: str, *death: str) -> None:
    local = LocalProvider(Path(root), boot_s=0.0, host_gpus=())
    cpu = next(offer for offer in local.offers() if offer.gpu == "cpu")
    if death:
        die_at(death[0], death[1], int(death[2]))
    if call == "launch":
        ref = local.launch(LaunchSpec(token, "amber-fox", cpu, 10, key_line))
    else:
        (ref,) = (seen.ref for seen in local.list_owned().instances if seen.token == token)
        _act(local, call, ref, token)
    sys.stdout.write(ref.id)


def _act(local: LocalProvider, call: str, ref: InstanceRef, token: str) -> None:
    if call == "stop":
        local.stop(ref)
    elif call == "start":
        local.start(ref)
    else:
        local.release(ref, clearance(local.offers()[0], token))


if __name__ == "__main__":
    main(*sys.argv[1:])
