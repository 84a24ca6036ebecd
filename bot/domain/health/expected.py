"""What a machine should be: as it was rented, and as its provider promises."""

from dataclasses import dataclass

from bot.domain.instance import Capabilities
from bot.domain.offers import Offer


@dataclass(frozen=True, slots=True)
class Expected:
    """What the looks at a machine are compared with."""

    gpu: str
    """Key of a `GpuModel`."""
    gpu_count: int
    gpu_memory_gib: int
    simulated_gpu: bool
    on_this_computer: bool
    """Its network and disks are those of the computer that gpubot runs on."""
    data_path: str
    data_mark: str
    volume_id: str | None

    @property
    def has_real_gpu(self) -> bool:
        """Whether a framework has to find a card on it."""
        return self.gpu_count > 0 and not self.simulated_gpu


def expected_of(offer: Offer, able: Capabilities | None, volume_id: str | None) -> Expected:
    """What a machine of that offer should be; ``able`` is None where its provider is not set up any more."""
    return Expected(
        gpu=offer.gpu,
        gpu_count=0 if offer.gpu == "cpu" else offer.gpu_count,
        gpu_memory_gib=offer.gpu_memory_gib,
        simulated_gpu=offer.simulated,
        on_this_computer=able.simulated if able is not None else offer.simulated,
        data_path=able.data_path if able is not None else "",
        data_mark=able.data_mark if able is not None else "",
        volume_id=volume_id,
    )
