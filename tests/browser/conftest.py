"""One browser and one deployment for the tests of a file; a window for each person who comes to the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.visitor import Visitor, chromium
from tests.e2e.deployment import Deployment

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def town(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Asked for after the browser, so that nothing is started where there is none."""
    running = Deployment(tmp_path_factory.mktemp("town"), local_boot_limit_s=5)
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture
def visit(browser: Any, town: Deployment) -> Iterator[Visit]:
    """Lets somebody come to the page; nobody's console may tell an error."""
    came: list[Visitor] = []

    def go(who: str = "ana", **window: Any) -> Visitor:
        came.append(Visitor(browser, town.server.base_url, who, **window))
        return came[-1]

    yield go
    faults = [fault for visitor in came for fault in visitor.faults]
    for visitor in came:
        visitor.leave()
    assert faults == []
