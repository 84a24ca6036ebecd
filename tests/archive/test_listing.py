"""Hashes by name from what rclone prints."""

from bot.archive.listing import listed, read_back

A, B = b"a" * 32, b"b" * 32


def test_listed_hashes_of_names_that_hold_anything() -> None:
    output = A + b"//home/x\n" + b"//home/no hash\n" + b"UNSUPPORTED//home/y\n" + B + b"//home/new\n" + A + b"  line\n"
    assert listed(output) == {
        b"home/x": "a" * 32,
        b"home/no hash": "",
        b"home/y": "",
        b"home/new\n" + A + b"  line": "b" * 32,
    }
    assert listed(b"") == {}


def test_a_name_that_plays_a_line_of_hashes_verifies_nothing() -> None:
    output = A + b"  home/x\n" + B + b"  home/evil\n" + B + b"  home/x\n"
    assert read_back(output) == {b"home/x": "", b"home/evil": "b" * 32}
    assert read_back(A + b"  two\nlines\n") == {b"two\nlines": "a" * 32}
