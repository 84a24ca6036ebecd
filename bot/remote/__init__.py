"""SSH to rented machines, and the scripts that run there. Loads paramiko only with `bot.remote.ssh`."""
