"""Values and decisions of the field: no clock, network, disk, database or Slack."""
