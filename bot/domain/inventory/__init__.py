"""What is on a machine and nowhere else: taken, compared, copied and verified. Values and rules, no I/O.

Names are bytes as the machine has them, spelled from a root: ``~/work/model.pt`` or ``/workspace/model.pt``.
"""
