"""Text that is data, never instruction.

What searches return is put between marks that the text itself cannot write: every tag-like `<` in it is replaced,
so that it can neither end its fence nor imitate a role of the conversation.
"""

import re

_TAG = re.compile(r"<(?=[/a-zA-Z!|?])|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]")
_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc\U000e0000-\U000e01ef]"
)
"""What no reader sees, and what changes the direction of writing."""


def defused(text: str) -> str:
    """Return `text` without tags that are read as such, and without what no reader sees."""
    return _TAG.sub("‹", _INVISIBLE.sub("", text))


def fenced(text: str, **attributes: str) -> str:
    """Return `text` as one source: `<kilde id="lovdata-1" …>` … `</kilde>`."""
    head = " ".join(f'{name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    return f"<kilde {head}>\n{defused(text)}\n</kilde>"


def _attribute(value: str) -> str:
    return " ".join(defused(value).replace('"', "'").replace(">", "›").split())
