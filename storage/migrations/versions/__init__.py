"""One revision a file, each following the one before it."""
