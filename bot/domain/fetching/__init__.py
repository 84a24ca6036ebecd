"""What the archive holds of a lease: found by what people type, confirmed by a look, handed over. Values and rules."""
