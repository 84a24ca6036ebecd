"""The outside world as protocols, a file each; adapters implement them, services use them."""
