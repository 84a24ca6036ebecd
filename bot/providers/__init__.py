"""Who rents machines out: one vendor a file or folder, all behind `bot.ports.provider`."""
