"""Every sentence that people read in Slack, in one place."""
