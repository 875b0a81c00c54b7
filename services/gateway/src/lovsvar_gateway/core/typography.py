"""Words that no line may break, such as `§ 15-7` and `lov/2005-06-17-62`."""

import re

from markupsafe import Markup, escape

_LETTER = r"(?:\s?[a-zæøå](?![\w.]))?"
_WHOLE = re.compile(rf"<[^>]*>|(§§?\s?\d+{_LETTER}(?:-\d+{_LETTER})?|\b(?:lov|forskrift|lti)/\d[\w/-]*(?:§[\w-]+)?)")


def keep_whole(text: str | Markup) -> Markup:
    """Return `text`, escaped unless it is HTML already, with numbers of provisions and documents kept in one line."""

    def kept(match: re.Match[str]) -> str:
        return f'<span class="whole">{match[1]}</span>' if match[1] else match[0]

    return Markup(_WHOLE.sub(kept, str(escape(text))))  # noqa: S704


def beginning(text: str, limit: int) -> str:
    """Return `text` in one line, ended after a word with an ellipsis where it is longer than `limit`."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit].rpartition(' ')[0] or line[:limit]} …"
