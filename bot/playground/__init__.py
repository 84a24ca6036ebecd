"""A small Slack workspace on this machine, for trial and tests.

It speaks the Web API and Socket Mode faithfully enough that Slack's own libraries work with it unchanged, and
has a control API through which people act in it and read what they see.
"""
