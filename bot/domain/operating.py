"""Whether somebody may do something with a lease's machine now: the checks that every such wish begins with."""

from bot.domain.lease import Lease, Want
from bot.domain.people import Actor
from bot.domain.policy import Action, Policy, denied
from bot.errors import Refused


def of_a_live_one(lease: Lease | None) -> Lease:
    """The lease, if it is there and not at its end.

    Raises:
        Refused: ``no-lease`` or ``lease-over``.
    """
    if lease is None:
        raise Refused("no-lease")
    if not lease.is_live:
        raise Refused("lease-over", name=lease.name, state=lease.state)
    return lease


def permitted(policy: Policy, actor: Actor, lease: Lease | None) -> Lease:
    """The lease, if it is live and ``actor`` may operate its machine.

    Raises:
        Refused: ``no-lease``, ``lease-over``, or a denial of the policy.
    """
    lease = of_a_live_one(lease)
    if (denial := denied(policy, actor, Action.OPERATE, lease.owner)) is not None:
        raise Refused(denial, owner=lease.owner, name=lease.name)
    return lease


def may_operate(policy: Policy, actor: Actor, lease: Lease | None) -> Lease:
    """The same, if nobody has wished the machine away either: before stop, start, extend and run.

    Raises:
        Refused: as of `permitted`, or ``leaving``.
    """
    lease = permitted(policy, actor, lease)
    if lease.want is Want.RELEASED:
        raise Refused("leaving", name=lease.name)
    return lease
