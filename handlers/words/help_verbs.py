"""What help says of each verb: how it is written, what it does, examples that can be pasted."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.commands.verbs import Verb


@dataclass(frozen=True, slots=True)
class VerbHelp:
    """``form`` is how it is written in general; ``examples`` are (command, what it says), the simplest first."""

    does: str
    form: str
    examples: tuple[tuple[str, str], ...]
    note: str = ""


_NAME_LEFT_OUT = (
    "The name may be left out in a lease's thread, and wherever you have exactly one lease that is not over."
)
_YOUR_ONLY_ONE = "of your only machine, or in a machine's thread that one"
_DURATION = "Durations: `90m`, `4h`, `1d12h`, `1.5h`, `until 18:00` on your own clock."

HELP: Mapping[Verb, VerbHelp] = {
    Verb.RENT: VerbHelp(
        "rent a machine",
        "rent GPU[xN] DURATION [name=… disk=GiB|NAME provider=… region=…]",
        (
            ("rent a100 4h", "one A100 of any memory size, for four hours"),
            ("rent 2xh100 1d12h name=ablation disk=200", "two H100s, a name of your own, 200 GiB of disk"),
            ("rent l4 until 18:00 provider=lambda", "until six in the evening on your clock, from one provider"),
            ("rent", "a form: what there is, and what it costs in whole before you send it"),
        ),
        f"The whole cost is quoted before anything is rented. GPUs: `a100`, `a100-80`, `h100x8`. {_DURATION}",
    ),
    Verb.OFFERS: VerbHelp(
        "what can be rented now and for how much",
        "offers [GPU[xN]]",
        (
            ("offers", "everything, cheapest first"),
            ("offers a100", "one GPU, whatever its memory"),
            ("offers h100x8", "machines with eight H100s"),
        ),
    ),
    Verb.STATUS: VerbHelp(
        "machines: state, end, cost so far, use",
        "status [NAME|@who|all]",
        (
            ("status", "yours"),
            ("status amber-fox", "one of them"),
            ("status all", "everybody's"),
        ),
    ),
    Verb.RUN: VerbHelp(
        "start a job on a machine",
        "run [NAME] [name=… dir=… env=K=V env=SECRET git=URL[@REF] max=… every=… after=JOB then=sync|stop|release] -- COMMAND",
        (
            ("run amber-fox -- python train.py --lr 3e-4", "what follows the lone `--` runs on the machine"),
            (
                "run amber-fox git=https://github.com/you/code@main -- make train",
                "a repository is checked out first, and the command runs in it",
            ),
            (
                "run amber-fox env=SEED=1 env=HF_TOKEN max=6h every=30m then=release -- bash train.sh",
                "with a variable and your secret of that name; at most six hours; copied to the archive every half an hour; "
                "after a good end its release is asked for",
            ),
            ("run amber-fox after=3 -- python eval.py", "begins when job 3 has ended well, and never if that failed"),
        ),
        "A command in a code block is taken exactly as it stands there, also over several lines. A file dropped in a machine's "
        "thread lands in its `~/work`, where the team switched that on. " + _NAME_LEFT_OUT,
    ),
    Verb.TRY: VerbHelp(
        "run the built-in small training to prove that the machine works",
        "try [NAME]",
        (
            ("try amber-fox", "takes about a minute; its loss curve comes in the thread"),
            ("try", "on your only machine, or in a machine's thread on that one"),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.JOBS: VerbHelp(
        "a machine's jobs",
        "jobs [NAME]",
        (("jobs amber-fox", "the latest, newest first, with state and last loss"), ("jobs", _YOUR_ONLY_ONE)),
    ),
    Verb.LOGS: VerbHelp(
        "the last lines of a job's output",
        "logs [JOB] [LINES] [--grep TEXT] [--file]",
        (
            ("logs amber-fox/3", "the last lines of job 3"),
            ("logs amber-fox/baseline", "of the job that was given that name; `logs amber-fox` is its latest"),
            ("logs amber-fox/3 200 --grep nan", "the last 200 lines that contain a word"),
            ("logs amber-fox/3 --file", "all of it as a file, sent to you directly"),
        ),
    ),
    Verb.KILL: VerbHelp(
        "end a job",
        "kill [JOB]",
        (
            ("kill amber-fox/3", "job 3 is told to end and gets a few seconds to save its work"),
            ("kill amber-fox", "the one job that runs there"),
        ),
    ),
    Verb.LOSS: VerbHelp(
        "what a job's loss curve says",
        "loss [JOB] [METRIC …] [--log] [--last LENGTH] [vs JOB]",
        (
            ("loss amber-fox/3", "in words; the picture in its message is brought up to date"),
            ("loss amber-fox", "of its latest job"),
            (
                "loss amber-fox/3 val_loss lr --last 1h",
                "a picture of these alone, of the last hour, sent to you directly",
            ),
            ("loss amber-fox/3 vs blue-owl/1 --log", "two runs over each other, on a log scale"),
        ),
    ),
    Verb.CHECK: VerbHelp(
        "the health checklist of a machine",
        "check [NAME]",
        (
            ("check amber-fox", "look at it now: GPU, disks, network, versions; the list comes in its thread"),
            ("check", _YOUR_ONLY_ONE),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.SYNC: VerbHelp(
        "copy to the archive, and verify the copy",
        "sync [NAME] [PATH …]",
        (("sync amber-fox", "everything that is watched"), ('sync amber-fox "/data/my runs"', "one folder")),
        "A path that is not watched is not copied: `watch` adds it. Versions that a copy replaces are kept. "
        + _NAME_LEFT_OUT,
    ),
    Verb.FETCH: VerbHelp(
        "list or get what the archive holds of a machine, also long after its release",
        "fetch [NAME] [PATH]",
        (
            ("fetch amber-fox", "list it: what is there, what is missing, which earlier versions were kept"),
            ("fetch amber-fox out/model.pt", "one file: sent to you directly if it is small, else how to get it"),
            ("fetch amber-fox earlier/2026-03-01T101500Z/home/work/model.pt", "an earlier version of it"),
            ("fetch", "which of your machines the archive holds something of"),
        ),
        "The end of a path is enough if only one file ends so. In a code span a name is taken exactly as it stands, "
        r"and `\n`, `\xff` as they are shown. For a machine's owner and approvers.",
    ),
    Verb.EXTEND: VerbHelp(
        "make a lease longer",
        "extend [NAME] DURATION",
        (
            ("extend amber-fox 2h", "two hours past its end"),
            ("extend amber-fox until 18:00", "its new end is six in the evening on your clock"),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.KEEP: VerbHelp(
        "no idle reminders for a while",
        "keep [NAME] DURATION",
        (
            ("keep amber-fox 3h", "quiet for three hours; the meter and the lease's end stay as they are"),
            ("keep amber-fox until tomorrow 9:00", "quiet until then, on your clock"),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.STOP: VerbHelp(
        "halt a machine and keep its disk, where the provider can",
        "stop [NAME]",
        (
            ("stop amber-fox", "the disk is kept and may go on costing; `release` is what ends the bill"),
            ("stop", "your only machine, or in a machine's thread that one"),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.START: VerbHelp(
        "start a stopped machine",
        "start [NAME]",
        (
            ("start amber-fox", "boots it again, with what was on its disk; it costs its full price from then on"),
            ("start", "your only machine, or in a machine's thread that one"),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.RELEASE: VerbHelp(
        "end a machine and its bill for good",
        "release [NAME] [--keep-disk]",
        (
            ("release amber-fox", "asks first if data would be lost; cancels a lease that is not ready yet"),
            ("release amber-fox --keep-disk", "the data disk stays as a thing of its own, see `disks`"),
            ("release", "your only machine, or in a machine's thread that one"),
        ),
        _NAME_LEFT_OUT,
    ),
    Verb.SSH: VerbHelp(
        "how to log in, shown to you alone",
        "ssh [NAME]",
        (("ssh amber-fox", "the line to paste into a terminal"), ("ssh", _YOUR_ONLY_ONE)),
        "It takes a public key of yours that I know: `help key`. " + _NAME_LEFT_OUT,
    ),
    Verb.KEY: VerbHelp(
        "your public SSH keys, put on your machines",
        "key add PUBLIC-KEY | key list | key remove NUMBER|FINGERPRINT",
        (
            ("key list", "your keys, numbered"),
            (
                "key add ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWL7Nvdh4wuL7TC61LMPNYtjwxQeF3fgvEUeItB8v2M ada@laptop",
                "the line in `~/.ssh/id_ed25519.pub`",
            ),
            ("key remove 2", "the second in the list"),
        ),
    ),
    Verb.COST: VerbHelp(
        "what was spent",
        "cost [day|week|month] [@who|NAME|all]",
        (("cost week", "the last seven days"), ("cost month all", "everybody's"), ("cost amber-fox", "one lease")),
    ),
    Verb.POLICY: VerbHelp("the team's limits", "policy", (("policy", "limits, approvers, waking hours"),)),
    Verb.AUDIT: VerbHelp(
        "who did what and when",
        "audit [NAME] [list=QUESTION]",
        (
            ("audit", "the latest"),
            ("audit amber-fox", "of one lease"),
            ("audit amber-fox list=3f09a1c2", "the files that one of its questions was about; a long list as a file"),
        ),
    ),
    Verb.DISKS: VerbHelp(
        "data disks that outlive their machines, and what they cost",
        "disks [NAME|all] | disks delete NAME",
        (
            ("disks", "yours: size, where, since when, cost an hour, a month and so far"),
            ("disks all", "the whole team's, for approvers"),
            ("disks delete amber-fox", "asks first, and shows what the last look saw on it"),
        ),
        "`release amber-fox --keep-disk` keeps the data disk of a machine, `rent a100 4h disk=amber-fox` gives it to another. "
        "A disk that was kept once is never deleted with a machine, only by `disks delete`. It has the name of the machine "
        "that left it.",
    ),
    Verb.WATCH: VerbHelp(
        "which paths on a machine are looked at before a release, and copied",
        "watch [NAME] [PATH … | --skip PATH … | --remove PATH …]",
        (
            ("watch amber-fox", "what is watched on it"),
            ("watch amber-fox /scratch/out", "look there as well, also on another disk"),
            ("watch amber-fox --skip ~/work/imagenet", "it can be had again: named with its size, not asked about"),
            ("watch amber-fox --remove /scratch/out", "neither any longer"),
        ),
        "Login home and data path are always watched. Checkpoints (`*.pt`, `*.safetensors`, `*.ckpt` …) are never "
        "skipped, wherever they are. " + _NAME_LEFT_OUT,
    ),
    Verb.SECRET: VerbHelp(
        "tokens that your jobs need",
        "secret list | secret set NAME | secret remove NAME",
        (("secret set HF_TOKEN", "asks for the value where nobody else sees it"), ("secret list", "names only")),
    ),
    Verb.HELP: VerbHelp(
        "all of this", "help [VERB]", (("help", "every verb"), ("help rent", "one verb, with examples"))
    ),
}
