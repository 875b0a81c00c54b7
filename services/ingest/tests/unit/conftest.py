"""Documents made in tests."""

from collections.abc import Callable
from datetime import date

import pytest

from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.lovdata_reader import parse_document

TODAY = date(2026, 11, 21)

PAGE = """<!DOCTYPE html><html><body><header><dl class="data-document-key-info">
<dt class="refid">RefID</dt><dd class="refid">{refid}</dd><dd class="title">{title}</dd>{head}</dl></header>
<main class="documentBody"><h1>{title}</h1>{body}</main></body></html>"""


def page(body: str = "", head: str = "", refid: str = "lov/2999-01-02-3", title: str = "Lov om prøver") -> bytes:
    """Return a document in Lovdata's format."""
    return PAGE.format(body=body, head=head, refid=refid, title=title).encode()


def article(name: str, content: str, title: str = "") -> str:
    """Return a provision in Lovdata's format."""
    heading = f'<span class="legalArticleTitle">{title}</span>' if title else ""
    value = f'<span class="legalArticleValue">{name.replace("§", "§ ")}</span>. {heading}'
    header = f'<h3 class="legalArticleHeader">{value}</h3>'
    return f'<article class="legalArticle" data-name="{name}">{header}{content}</article>'


def ledd(content: str) -> str:
    """Return a ledd in Lovdata's format."""
    return f'<article class="legalP">{content}</article>'


def section(name: str, heading: str, content: str) -> str:
    """Return a division in Lovdata's format."""
    return f'<section class="section" data-name="{name}"><h2>{heading}</h2>{content}</section>'


def item(label: str, *paragraphs: str) -> str:
    """Return a list of one item in Lovdata's format."""
    content = "".join(ledd(paragraph) for paragraph in paragraphs)
    return f'<ol><li data-name="{label}"><article class="listArticle">{content}</article></li></ol>'


@pytest.fixture
def make_section() -> Callable[[str, str, str], str]:
    return section


@pytest.fixture
def make_item() -> Callable[..., str]:
    return item


@pytest.fixture
def make_page() -> Callable[..., bytes]:
    return page


@pytest.fixture
def make_article() -> Callable[..., str]:
    return article


@pytest.fixture
def make_ledd() -> Callable[[str], str]:
    return ledd


@pytest.fixture
def parse() -> Callable[..., ParsedDocument]:
    """Parse a document with the given body, header fields, refid or title."""

    def parse(body: str = "", file: str = "nl/test.xml", dataset: str = "test", **fields: str) -> ParsedDocument:
        return parse_document(page(body, **fields), file, dataset, TODAY)

    return parse
