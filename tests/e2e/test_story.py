"""The one real story: rent, ready, status, release."""

from tests.e2e.deployment import GPUS, Deployment


def test_rent_ready_status_release(deployment: Deployment) -> None:
    ana = deployment.person("ana")
    answer = deployment.ana("/gpu rent cpu 1h")
    assert "Renting" in answer.words
    assert "$0.04 in whole" in answer.words
    card = deployment.card("*ready*")
    assert len(deployment.cards()) == 1
    status = deployment.ana("/gpu status").words
    assert "*ready*" in status
    deployment.write(deployment.only_name(), "model.pt", b"x" * 1200)
    assert "the question comes in its thread" in deployment.ana("/gpu release").words
    question = deployment.question("Would be lost: 1 file, 1.2 kB")
    assert "`~/work/model.pt` 1.2 kB" in question.words
    assert ana.click(question, "question_yes").acked
    released = deployment.card("*released*")
    assert released.ts == card.ts
    assert deployment.provider.list_owned().instances == ()
    said = "is released: the provider no longer has it"
    deployment.wait(lambda: any(said in m.words for m in ana.thread(GPUS, card.ts)))
