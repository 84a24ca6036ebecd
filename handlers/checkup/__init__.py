"""A checkup of what speaks Slack: tokens, scopes, people and channels, and on wish a try in a real channel."""
