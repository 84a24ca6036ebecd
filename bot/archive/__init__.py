"""The port `bot.ports.archive.Archive` over rclone."""
