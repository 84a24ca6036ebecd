"""Files that people drop into a machine's thread, on their way to its ``~/work``."""
