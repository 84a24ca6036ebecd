"""The life of a lease: which step comes next, what was found, and what that makes of the lease."""
