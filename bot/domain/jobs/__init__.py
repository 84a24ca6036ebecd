"""Jobs: commands that run on leases, how they are followed, and how they ended."""
