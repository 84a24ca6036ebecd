"""Everything that speaks Slack, in and out; a file per feature."""
