"""Machines that are process trees on this one: for the trial, for tests, for development.

Nothing is imported here: the machines' own servers load this package too, and have to be up quickly.
"""
