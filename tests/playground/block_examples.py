"""Blocks as apps send them, for the page to draw, and what a reader has to find there."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
PICTURE = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def mrkdwn(text: str, **more: Any) -> Json:
    return {"type": "mrkdwn", "text": text, **more}


def plain(text: str, **more: Any) -> Json:
    return {"type": "plain_text", "text": text, **more}


def option(value: str, text: str | None = None, **more: Any) -> Json:
    return {"text": plain(text or value), "value": value, **more}


def section(text: str, **more: Any) -> Json:
    return {"type": "section", "text": mrkdwn(text), **more}


def picture(alt: str, **more: Any) -> Json:
    return {"type": "image", "image_url": PICTURE, "alt_text": alt, **more}


def actions(*elements: Json, block_id: str = "row") -> Json:
    return {"type": "actions", "block_id": block_id, "elements": list(elements)}


def button(text: str = "Go", **more: Any) -> Json:
    return {"type": "button", "text": plain(text), "action_id": "go", **more}


def menu(action_id: str, *options: Json, **more: Any) -> Json:
    return {"type": "static_select", "action_id": action_id, "options": list(options), **more}


def field(block_id: str, element: Json, **more: Any) -> Json:
    """An input block whose element's action id is its own."""
    return {
        "type": "input",
        "block_id": block_id,
        "label": plain(f"The {block_id}"),
        "element": {"action_id": block_id, **element},
        **more,
    }


def rich(*elements: Json) -> Json:
    return {"type": "rich_text", "elements": list(elements)}


# What is sent, a selector, and the words that stand there (None: whatever they are).
DRAWN: dict[str, tuple[Json, str, str | None]] = {
    "header": ({"type": "header", "text": plain("Cards :tada:")}, "h3", "Cards 🎉"),
    "divider": ({"type": "divider"}, "hr", ""),
    "section": (section("*bold*"), ".bk-text strong", "bold"),
    "fields": (
        {"type": "section", "fields": [mrkdwn("*GPU*\nA100"), plain("b")]},
        ".bk-field:nth-child(1)",
        "GPU\nA100",
    ),
    "accessory": (section("x", accessory=button("Press")), ".bk-accessory button[data-action-id=go]", "Press"),
    "thumbnail": (
        section("x", accessory=picture("a card")),
        ".bk-accessory img[alt='a card']",
        "",
    ),
    "context": (
        {
            "type": "context",
            "elements": [mrkdwn("since _noon_"), picture("i")],
        },
        ".bk-context em",
        "noon",
    ),
    "image": (
        picture("loss", title=plain("T")),
        "button img[alt=loss]",
        "",
    ),
    "uploaded image": (
        {"type": "image", "slack_file": {"id": "F1"}, "alt_text": "gone"},
        ".bk-no-picture",
        "gone",
    ),
    "image of script": (
        {"type": "image", "image_url": "javascript:alert(1)", "alt_text": "no"},
        ".bk-no-picture",
        "no",
    ),
    "primary button": (actions(button(style="primary")), "button.bk-primary", "Go"),
    "danger button": (actions(button(style="danger")), "button.bk-danger", "Go"),
    "button of an address": (
        actions(button("Docs", url="https://example.org/a")),
        "a[href='https://example.org/a'][target=_blank][rel~=noopener]",
        "Docs",
    ),
    "button of script": (actions(button("Docs", url="javascript:alert(1)")), "button[data-action-id=go]", "Docs"),
    "menu": (
        actions(menu("m", option("a", "A"), placeholder=plain("Which"))),
        "select[data-block-id=row][data-action-id=m][aria-label=Which] option[value=a]",
        "A",
    ),
    "rich text": (
        rich(
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "text", "text": "a<b>", "style": {"bold": True}},
                    {"type": "user", "user_id": "U0BEN0000"},
                    {"type": "emoji", "name": "rocket"},
                    {"type": "link", "url": "https://example.org", "text": "there"},
                ],
            }
        ),
        ".bk-rich-section",
        "a<b>@ben🚀there",
    ),
    "rich list": (
        rich(
            {
                "type": "rich_text_list",
                "style": "ordered",
                "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]}],
            }
        ),
        "ol li",
        "one",
    ),
    "unknown block": ({"type": "video", "title": plain("<img src=x>")}, "details summary", "video (not drawn here)"),
    "unknown element": (actions({"type": "workflow_button", "action_id": "w"}), "details summary", None),
    "no block at all": ("words", "details summary", None),  # type: ignore[dict-item]
    "broken block": ({"type": "section", "text": 7, "accessory": 3, "fields": 9}, ".bk-block", None),
    "block of a prototype": ({"type": "constructor"}, "details summary", "constructor (not drawn here)"),
}

# mrkdwn, and the HTML it becomes without the wrapping span. Nothing of it may be more than this.
TEXTS: dict[str, tuple[str, str]] = {
    "bold": ("*a b* c", "<strong>a b</strong> c"),
    "italic in bold": ("*a _b_*", "<strong>a <em>b</em></strong>"),
    "strike": ("~a~", "<s>a</s>"),
    "no emphasis in words": ("snake_case_name 2*3*4 a ~ b", "snake_case_name 2*3*4 a ~ b"),
    "no emphasis over lines": ("*a\nb*", "*a<br>b*"),
    "code": ("`*a* &lt;b&gt;`", "<code>*a* &lt;b&gt;</code>"),
    "entities once": ("&amp;lt; &amp; &quot;", "&amp;lt; &amp; &amp;quot;"),
    "tags are words": ("<script>alert(1)</script> <img src=x onerror=alert(1)>", None),  # type: ignore[dict-item]
    "link": (
        "<https://example.org/a?b=1&amp;c=2|the *docs*>",
        '<a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer" class="bk-link">'
        "the *docs*</a>",
    ),
    "script is no link": ("<javascript:alert(1)|click>", "click"),
    "bare address": (
        "see https://example.org/x_y_z.",
        'see <a href="https://example.org/x_y_z" target="_blank" rel="noopener noreferrer" class="bk-link">'
        "https://example.org/x_y_z</a>.",
    ),
    "person": ("<@U0BEN0000>", '<button type="button" class="bk-mention">@ben</button>'),
    "oneself": ("<@U0ANA0000|x>", '<button type="button" class="bk-mention bk-mention-me">@ana</button>'),
    "stranger": ("<@U9>", '<span class="bk-mention">@U9</span>'),
    "channel": ("<#C0GPUS000>", '<button type="button" class="bk-mention">#gpus</button>'),
    "here": ("<!here>", '<span class="bk-mention bk-mention-me">@here</span>'),
    "unknown emoji": (":nope: 10:05:30", ":nope: 10:05:30"),
    "lone marks": ("* _ ~ < > & ``` ` <@ <!", "* _ ~ &lt; &gt; &amp; ``` ` &lt;@ &lt;!"),
}


def modal(title: str, **more: Any) -> dict[str, Any]:
    plain = {"type": "plain_text", "text": title}
    options = [{"text": {"type": "plain_text", "text": v}, "value": v} for v in ("l4", "a100")]
    choice = {"type": "static_select", "action_id": "gpu", "options": options, "initial_option": options[0]}
    hours = {"type": "plain_text_input", "action_id": "hours", "initial_value": "4"}
    return {
        "type": "modal",
        "callback_id": title,
        "title": plain,
        "submit": plain,
        "blocks": [
            {"type": "input", "block_id": "g", "label": plain, "element": choice, "dispatch_action": True},
            {"type": "input", "block_id": "h", "label": plain, "element": hours},
        ],
        **more,
    }
