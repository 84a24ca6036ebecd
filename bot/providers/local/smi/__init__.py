"""The nvidia-smi of a simulated GPU: answers as the real tool does, about cards that say that they are simulated."""
