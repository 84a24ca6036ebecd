"""SSH to rented machines, and the scripts that run on them."""
