"""gpubot: rent, watch and release cloud GPUs from Slack, without losing anyone's data."""

__version__ = "0.1.0"
