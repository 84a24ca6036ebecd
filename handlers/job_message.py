"""A job's message as Block Kit: words, curve, last lines, and the button that ends it."""

from slack_sdk.models.blocks import Block, ConfirmObject

from bot.domain.jobs.view import JobView
from handlers.action_ids import ActionId
from handlers.blocks import Message, actions, button, context, picture, section
from handlers.extending import extend_for_job
from handlers.words.curve import alt_text
from handlers.words.jobs import job_lines, job_name, job_text, last_words, small_print


def job_message(view: JobView) -> Message:
    """What a job's message looks like."""
    blocks: list[Block] = [section("\n".join(job_lines(view)))]
    if view.picture_file:
        blocks.append(picture(view.picture_file, alt_text(job_name(view.job, view.lease), view.curve)))
    if view.lines:
        blocks.append(section(last_words(view)))
    if view.job.is_live and view.job.kill_wanted_by is None:
        more = view.forecast.missing_s if view.forecast is not None else 0
        longer = (extend_for_job(view.job.id, view.lease, more),) if more else ()
        blocks += actions(*longer, button(ActionId.JOB_KILL, "Kill", view.job.id, confirm=_sure(view)))
    blocks.append(context(small_print(view)))
    return Message(job_text(view), blocks)


def _sure(view: JobView) -> ConfirmObject:
    return ConfirmObject(
        title="End this job?",
        text=f"{job_name(view.job, view.lease)} is told to end and gets a few seconds to save its work.",
        confirm="Kill it",
        deny="Let it run",
    )
