"""What runs on rented machines: POSIX sh, or Python 3.6 and later with its standard library alone."""
