"""Archives of invented law, in Lovdata's format."""

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

LAW = """<!DOCTYPE html><html lang="no"><head><title>{title}</title></head><body>
<header class="documentHeader" id="hode"><dl class="data-document-key-info">
<dt class="legacyID">Datokode</dt><dd class="legacyID">{legacy}</dd>
<dt class="dokid">DokumentID</dt><dd class="dokid">NL/{refid}</dd>
<dt class="ministry">Departement</dt><dd class="ministry"><ul><li>Prøvedepartementet</li></ul></dd>
<dt class="dateInForce">I kraft fra</dt><dd class="dateInForce">2001-01-01</dd>
<dt class="titleShort">Korttittel</dt><dd class="titleShort">{short}</dd>
<dt class="title">Tittel</dt><dd class="title">{title}</dd>
<dt class="refid">RefID</dt><dd class="refid">{refid}</dd></dl></header>
<main class="documentBody" data-lovdata-URL="NL/{refid}" id="dokument"><h1>{title}</h1>
<article class="legalArticle" data-lovdata-URL="NL/{refid}/§1" data-name="§1" id="paragraf-1">
<h2 class="legalArticleHeader"><span class="legalArticleValue">§ 1</span>.
<span class="legalArticleTitle">Formål</span></h2>
<article class="legalP" id="paragraf-1-ledd-1">{text}</article></article></main></body></html>"""


def law(number: int, text: str) -> bytes:
    """Return the act `lov/2998-01-01-<number>`, whose one provision, § 1, says `text`."""
    refid = f"lov/2998-01-01-{number}"
    return LAW.format(
        refid=refid,
        legacy=f"LOV-2998-01-01-{number}",
        title=f"Lov om prøve {number}",
        short=f"Prøveloven {number}",
        text=text,
    ).encode()


def write_archive(folder: Path, files: Mapping[str, bytes], dataset: str = "gjeldende-lover") -> bytes:
    """Write the archive of `dataset` into `folder`, and return its bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:bz2") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    folder.joinpath(f"{dataset}.tar.bz2").write_bytes(buffer.getvalue())
    return buffer.getvalue()
