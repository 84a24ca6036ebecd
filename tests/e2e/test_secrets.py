"""Secrets through the front door: asked for in a form, handed to jobs, and seen nowhere."""

import re

import pytest

from bot.playground.client_types import View
from tests.e2e.deployment import GPUS, Deployment

TOKEN = "hf_Zq8mVt3LwYpRxK"


@pytest.fixture(scope="module")
def vault(town: Deployment) -> Deployment:
    """A deployment with a ready machine, and Ana's token."""
    town.handed_over("safe")
    town.ana("/gpu secret set HF_TOKEN")
    assert town.person("ana").submit(town.wait(town.person("ana").modal), secret_value=f"\n{TOKEN}\n").acked
    told(town, "`HF_TOKEN` is kept")
    return town


def told(town: Deployment, words: str) -> str:
    ana = town.person("ana")
    found = town.wait(lambda: next((m for m in reversed(ana.sees(GPUS)) if m.ephemeral and words in m.words), None))
    return str(found.words)


def run(town: Deployment, options: str, command: str) -> tuple[str, str]:
    """Start a job; its name, and the answer."""
    answer = town.ana(f"/gpu run safe {options} -- `{command}`").words
    found = re.search(r"\*safe/(\d+)\*", answer)
    assert found, answer
    return f"*safe/{found[1]}*", answer


def nowhere(town: Deployment, value: str) -> None:
    """Neither in the database nor in the log nor in anything that anybody was shown."""
    assert value not in town.log.read_text()
    for path in (*town.root.glob("gpubot.db*"), *town.root.glob("data/secret*")):
        assert value.encode() not in path.read_bytes(), path
    for call in town.workspace.calls():
        assert value not in str(call), call.method


def test_a_job_that_asks_gets_it_and_nobody_sees_it(vault: Deployment) -> None:
    script = f"test ${{#HF_TOKEN}} = {len(TOKEN)} && echo before $HF_TOKEN after; echo {TOKEN[:9]}"
    name, answer = run(vault, "env=HF_TOKEN env=SEED=1", script)
    assert "with `SEED` and `HF_TOKEN` set" in answer
    done = vault.job(name, "done, exit 0", "before •••HF_TOKEN••• after")
    assert TOKEN not in done.words
    assert "•••HF_TOKEN•••" in vault.ana(f"/gpu logs {name.strip('*')}").words
    nowhere(vault, TOKEN)


def test_a_value_that_comes_in_two_pieces(vault: Deployment) -> None:
    gate = vault.home("safe") / "work" / "rest"
    half = "printf before-; printf %s ${HF_TOKEN%%????}; while [ ! -e rest ]; do sleep 0.1; done"
    name, _ = run(vault, "env=HF_TOKEN", f"{half}; printf '%s\\n' ${{HF_TOKEN#?????????????}}")
    shown = vault.job(name, "before-")
    assert TOKEN[:9] not in shown.words
    gate.parent.mkdir(exist_ok=True)
    gate.touch()
    vault.job(name, "done, exit 0", "before-•••HF_TOKEN•••")
    nowhere(vault, TOKEN)


def test_a_value_typed_into_a_command_is_run_and_not_kept(vault: Deployment) -> None:
    said = vault.ana(f"/gpu run safe -- `test {TOKEN} = {TOKEN[:5]}{TOKEN[5:]} && echo the same`").words
    name = re.search(r"\*safe/\d+\*", said)
    assert name is not None
    assert "`test •••HF_TOKEN••• = •••HF_TOKEN••• &amp;&amp; echo the same`" in said
    vault.job(name[0], "done, exit 0", "the same", "•••HF_TOKEN•••")
    for path in vault.root.glob("gpubot.db*"):
        assert TOKEN.encode() not in path.read_bytes()


def test_what_is_not_kept_is_not_guessed(vault: Deployment) -> None:
    said = vault.ana("/gpu run safe env=HF_TOKN -- true").words
    assert "no secret `HF_TOKN`" in said
    assert "Did you mean `HF_TOKEN`?" in said
    assert "`/gpu secret set HF_TOKN`" in said
    ben = vault.person("ben")
    assert "no secret `HF_TOKEN`" in ben.command(GPUS, "/gpu run safe env=HF_TOKEN -- true").words
    assert "You keep no secrets" in ben.command(GPUS, "/gpu secret list").words


def test_too_short_a_value_is_objected_to_in_its_form(vault: Deployment) -> None:
    ana = vault.person("ana")
    vault.ana("/gpu secret set SHORT")
    view: View = vault.wait(ana.modal)
    assert "`env=SHORT`" in view.words
    wrong = ana.submit(view, secret_value="abc")
    assert list(wrong.errors) == ["secret_value"]
    assert "6 characters" in wrong.errors["secret_value"]
    ana.close(view)
    assert "abc" not in vault.ana("/gpu secret list").words


def test_where_no_form_can_be_opened_a_button_opens_it(vault: Deployment) -> None:
    ana = vault.person("ana")
    ana.dm("secret set WANDB_API_KEY")
    message = vault.wait(lambda: next((m for m in ana.sees_dm() if "secret_form" in m.action_ids), None))
    assert "Do not write it here" in message.words
    ana.click(message, "secret_form")
    assert ana.submit(vault.wait(ana.modal), secret_value="0123456789abcdef").acked
    vault.wait(lambda: [m for m in ana.sees_dm() if "`WANDB_API_KEY` is kept" in m.words])
    listed = vault.ana("/gpu secret list").words
    assert listed.index("`HF_TOKEN` set") < listed.index("`WANDB_API_KEY` set")
    assert "`WANDB_API_KEY` is forgotten" in vault.ana("/gpu secret remove WANDB_API_KEY").words
    assert "no secret `WANDB_API_KEY`" in vault.ana("/gpu secret remove WANDB_API_KEY").words
    nowhere(vault, "0123456789abcdef")


def test_a_form_that_slack_does_not_open_any_more_leaves_a_button(vault: Deployment) -> None:
    vault.workspace.misbehave.refuse("views.open", "expired_trigger_id", calls=1)
    vault.ana("/gpu secret set LATE_ONE")
    assert "Do not write the value here" in told(vault, "3 s only")
