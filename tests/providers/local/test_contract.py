"""The local provider keeps the promises of all providers."""

from pathlib import Path

import pytest

from bot.providers.local.provider import LocalProvider
from tests.providers.contract import ProviderContract, Vendor
from tests.providers.local.behind import Behind
from tests.providers.world import Key


class TestLocal(ProviderContract):
    @pytest.fixture
    def vendor(self, local: LocalProvider, root: Path, key: Key) -> Vendor:
        return Vendor(local, Behind(root), key)
