"""The data disk, as far as a directory can be one: there, missing, or not the one that was promised."""

from bot.providers.local.places import DATA_MARK, DATA_PATH, Place

_WRITABLE, _READ_ONLY = 0o700, 0o500


def place_data_disk(place: Place, trouble: str) -> None:
    """Put the data disk where the login user finds it; ``trouble`` is the switch of that name.

    A directory (or another link) that the user put in its place is left alone.
    """
    path = place.home / DATA_PATH
    if path.is_symlink() and str(path.readlink()) in {str(place.data), str(place.no_disk)}:
        path.unlink()
    place.data.chmod(_WRITABLE)
    mark, hidden = place.data / DATA_MARK, place.data / f"{DATA_MARK}.hidden"
    if hidden.exists():
        hidden.replace(mark)
    if trouble in {"unmarked", "other"}:
        mark.replace(hidden)
    if trouble == "other":
        mark.write_text("vol-of-another-machine\n", encoding="ascii")
    if trouble == "read-only":
        place.data.chmod(_READ_ONLY)
    if not path.exists() and not path.is_symlink():
        path.symlink_to(place.no_disk if trouble == "missing" else place.data)
