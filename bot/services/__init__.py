"""One verb a file: load, close, act, apply. Services meet in the store and never call each other."""
