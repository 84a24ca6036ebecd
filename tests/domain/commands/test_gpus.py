"""GPU names as people type them."""

import pytest

from bot.domain.gpus import MODELS, GpuFault, GpuProblem, GpuRequest, parse_gpu


@pytest.mark.parametrize(
    ("text", "keys", "count"),
    [
        ("a100", ["a100-40", "a100-80"], 1),
        ("A100", ["a100-40", "a100-80"], 1),
        ("a100-80", ["a100-80"], 1),
        ("a100-80gb", ["a100-80"], 1),
        ("A100 80GB", ["a100-80"], 1),
        ("a100_40GiB", ["a100-40"], 1),
        ("NVIDIA A100 80G", ["a100-80"], 1),
        ("h100x8", ["h100"], 8),
        ("8xh100", ["h100"], 8),
        ("8×H100", ["h100"], 8),
        ("h100:8", ["h100"], 8),
        ("2 x h100", ["h100"], 2),
        ("h100 x 2", ["h100"], 2),
        ("2 a100", ["a100-40", "a100-80"], 2),
        ("2xa100-80gb", ["a100-80"], 2),
        ("16xt4", ["t4"], 16),
        ("h100-80gb", ["h100"], 1),
        ("h200-141", ["h200"], 1),
        ("b200-192gb", ["b200"], 1),
        ("gh200", ["gh200"], 1),
        ("rtx4090", ["rtx4090"], 1),
        ("RTX 4090", ["rtx4090"], 1),
        ("GeForce RTX 4090", ["rtx4090"], 1),
        ("4090", ["rtx4090"], 1),
        ("rtx4090x2", ["rtx4090"], 2),
        ("2x4090", ["rtx4090"], 2),
        ("rtx a6000", ["a6000"], 1),
        ("a10", ["a10"], 1),
        ("a10g", ["a10g"], 1),
        ("a10-24g", ["a10"], 1),
        ("cpu", ["cpu"], 1),
    ],
)
def test_understood(text: str, keys: list[str], count: int) -> None:
    assert parse_gpu(text) == GpuRequest(tuple(MODELS[key] for key in keys), count)


@pytest.mark.parametrize("key", MODELS)
def test_every_key_means_itself(key: str) -> None:
    assert parse_gpu(key) == GpuRequest((MODELS[key],), 1)


@pytest.mark.parametrize("text", ["a100", "a100-80", "h100x8", "a100x2", "rtx4090x4", "cpu"])
def test_spelling_is_read_back(text: str) -> None:
    request = parse_gpu(text)
    assert isinstance(request, GpuRequest)
    assert request.spelling == text
    assert parse_gpu(request.spelling) == request


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("h10", "h100"), ("a1000", "a100"), ("a100-60", "a100-80"), ("8xh10", "h100"), ("4080", "rtx4090")],
)
def test_unknown_gets_the_nearest(text: str, nearest: str) -> None:
    problem = parse_gpu(text)
    assert isinstance(problem, GpuProblem)
    assert problem.fault is GpuFault.UNKNOWN
    assert problem.word == text
    assert nearest in problem.nearest


@pytest.mark.parametrize("text", ["", " ", "x", "x8", "8x", "٨xh100", "²xh100", "a" * 10_000, "1" * 10_000])
def test_nonsense_is_unknown(text: str) -> None:
    problem = parse_gpu(text)
    assert isinstance(problem, GpuProblem)
    assert problem.fault is GpuFault.UNKNOWN


@pytest.mark.parametrize(
    ("text", "word", "most"), [("0xh100", "0", 16), ("h100x17", "17", 16), ("a100:999", "999", 16), ("2xcpu", "2", 1)]
)
def test_counts_out_of_range(text: str, word: str, most: int) -> None:
    problem = parse_gpu(text)
    assert isinstance(problem, GpuProblem)
    assert (problem.fault, problem.word, problem.max_count) == (GpuFault.COUNT, word, most)
