"""Settings and policy: all faults at once, each naming its setting, none showing a secret."""

from pathlib import Path

import pytest

from bot.bootstrap import policy_from, providers_from
from bot.config import read_policy, read_settings
from bot.errors import SettingsError

GOOD = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "PROVIDERS", "LOOK_S", "DATA_DIR"):
        monkeypatch.delenv(name, raising=False)


def _set(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in (GOOD | values).items():
        monkeypatch.setenv(name, value)


def test_all_faults_are_told_together() -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert [fault.split(":")[0] for fault in caught.value.faults] == ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]


def test_faults_name_the_setting_and_never_show_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, SLACK_BOT_TOKEN="sesame-1234", SLACK_APP_TOKEN="xoxb-sesame", LOOK_S="-3")
    with pytest.raises(SettingsError) as caught:
        read_settings()
    told = str(caught.value)
    assert "LOOK_S" in told
    assert "sesame" not in told


def test_tokens_in_each_others_place(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, SLACK_BOT_TOKEN="xapp-1", SLACK_APP_TOKEN="xoxb-1")
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize("data_dir", ["a-file", "a-file/below"])
def test_a_place_for_data_that_cannot_be_one_and_times_without_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data_dir: str
) -> None:
    (tmp_path / "a-file").touch()
    _set(monkeypatch, DATA_DIR=data_dir, LOOK_S="inf", IDLE_AFTER_S="nan")
    with pytest.raises(SettingsError) as caught:
        read_settings()
    assert {fault.split(":")[0] for fault in caught.value.faults} == {"DATA_DIR", "LOOK_S", "IDLE_AFTER_S"}


def test_secrets_do_not_show_in_the_settings_object(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, SLACK_BOT_TOKEN="xoxb-sesame", SECRET_KEY="sesame")
    assert "sesame" not in repr(read_settings())


def test_unknown_providers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, PROVIDERS="local, cloudy")
    with pytest.raises(SettingsError, match="cloudy"):
        providers_from(read_settings())


def test_without_a_policy_file_destroying_is_for_owners_only(tmp_path: Path) -> None:
    policy = policy_from(read_policy(tmp_path / "policy.toml"))
    assert policy.approvers == policy.admins == frozenset()
    assert policy.rent_limit_microusd == 25_000_000


def test_faults_of_the_policy_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('member = ["U1"]\n[rent]\nlimit_usd = -1\n')
    with pytest.raises(SettingsError) as caught:
        read_policy(path)
    assert len(caught.value.faults) == 2


def test_the_example_is_a_valid_policy() -> None:
    read_policy(Path(__file__).parents[1] / "policy.example.toml")


def test_a_policy_that_is_no_toml_says_where(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text("members = [\n= 3")
    with pytest.raises(SettingsError, match="line 2"):
        read_policy(path)
