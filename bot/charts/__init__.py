"""Pictures of curves, by matplotlib: the plotter port's adapter, and the one place that loads it."""

import threading

from bot.ports.plotter import CurvePicture


class Charts:
    """The plotter port. matplotlib and numpy are loaded with the first picture: half a second and 70 MiB."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # matplotlib's font caches are shared

    def draw(self, picture: CurvePicture) -> bytes:
        """See `bot.ports.plotter.Plotter.draw`."""
        from bot.charts.drawing import draw  # noqa: PLC0415 - loaded where it is used

        with self._lock:
            return draw(picture)
