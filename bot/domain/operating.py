"""Whether somebody may operate a lease's machine now: the one check before stop, start, extend and run."""

from bot.domain.lease import Lease, Want
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.errors import Refused


def may_operate(policy: Policy, actor: Actor, lease: Lease | None) -> Lease:
    """The lease, if there is a machine that ``actor`` may operate and that nobody has wished away.

    Raises:
        Refused: ``no-lease``, ``lease-over``, a denial of the policy, or ``leaving``.
    """
    if lease is None:
        raise Refused("no-lease")
    if not lease.is_live:
        raise Refused("lease-over", name=lease.name, state=lease.state)
    if (denial := denied(policy, actor, Action.OPERATE, lease.owner)) is not None:
        raise Refused(denial, owner=lease.owner, name=lease.name)
    if lease.want is Want.RELEASED:
        raise Refused("leaving", name=lease.name)
    return lease
