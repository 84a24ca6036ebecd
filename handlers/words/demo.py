"""What the trial workspace says to a newcomer, in Slack's mrkdwn."""

from typing import Final

WELCOME: Final = """*This is a trial workspace with gpubot in it, on your computer.* You are Ana; *Acting as* at the top makes you somebody else. \
Machines here are real SSH servers with real files and processes; their GPUs are simulated, and say so. Times are short: a machine boots in \
3 seconds, and after 2 minutes of doing nothing its owner is reminded. Nobody is reminded in their sleep, so at night people's clocks here show noon.

Try this in #gpus, line by line:
1. `/gpu rent a100 1h name=my-first` rents a machine. Its card updates itself until it is *ready*. `/gpu rent` alone opens a form.
2. `/gpu try my-first` trains a small net on it. Open the card's thread and watch the job and its loss curve.
3. `/gpu run my-first -- echo hello > ~/work/result.txt` runs whatever you like. A file that you drop in the card's thread \
lands in its `~/work`.
4. `/gpu status` says what runs and what it costs; `/gpu cost` what was spent.
5. `/gpu release my-first` asks before anything is lost: the question in the thread shows what is on the machine and nowhere else. Answer \
with 💾 (copy, verify, then release), ✅ (release and lose it) or ❌ (keep).

Then: `/gpu rent 2xh100 4d` needs an approver (act as Ben). `/gpu help` shows the rest. gpubot's *Home* tab shows what is yours."""
