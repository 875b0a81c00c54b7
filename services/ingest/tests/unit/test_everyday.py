"""Reading everyday questions, and the ones that the package brings."""

from hashlib import sha256

import pytest

from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_ingest.core.errors import EverydayDataBroken
from lovsvar_ingest.core.everyday import LANGUAGES, MOST_SHOWN, EverydayQuestion, checksum, parse_everyday

LINE = "nb\tlov/1999-03-26-17/§9-6\tHvor lenge må jeg betale leie?"


def parse(*lines: str) -> list[EverydayQuestion]:
    return parse_everyday({"home.tsv": "\n".join(lines)})


def test_a_line_is_a_question_and_what_answers_it_the_best_first() -> None:
    [question] = parse("nb\tlov/1999-03-26-17/§9-6 lov/2018-06-15-38/GDPR/a17\tHvor lenge må jeg betale leie?")
    assert question == EverydayQuestion(
        "nb",
        "Hvor lenge må jeg betale leie?",
        (("lov/1999-03-26-17", "§9-6"), ("lov/2018-06-15-38", "gdpr/a17")),
    )
    assert question.content_hash == sha256("Hvor lenge må jeg betale leie?".encode()).hexdigest()


def test_comments_and_empty_lines_are_skipped_and_lines_may_end_in_two_ways() -> None:
    assert parse("# husleieloven", "", "   ", LINE + "\r", "# slutt") == parse(LINE)


def test_no_lines_are_no_questions() -> None:
    assert parse() == []
    assert parse_everyday({}) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (LINE.replace("\t", " "), r"1 felt; skriv språk, mål og spørsmål"),
        (LINE + "\tmer", r"4 felt"),
        (LINE.replace("nb", "no", 1), r"språket er «no»; skriv nb, nn eller en"),
        ("nb\tlov/1999-03-26-17\tHvor lenge må jeg betale?", r"målet «lov/1999-03-26-17» er ikke dokument/paragraf"),
        ("nb\t\tHvor lenge må jeg betale?", r"målet «» er ikke"),
        ("nb\tlov/1999-03-26-17/§1,lov/1999-03-26-17\t" + "x" * 10 + " ", r"blanke tegn i endene"),
        ("nb\tlov/1999-03-26-17/§1  lov/1999-03-26-17/§2\tHvor lenge må jeg betale?", r"målet «» er ikke"),
        ("nb\tlov/1-1/§1 lov/1-1/§2 lov/1-1/§3 lov/1-1/§4\tHvor lenge må jeg betale?", r"4 mål; behold de 3 beste"),
        ("nb\tlov/1-1/§2A lov/1-1/§2a\tHvor lenge må jeg betale?", r"samme mål står to ganger"),
        ("nb\tlov/1-1/§1\tFor kort", r"8 tegn; skriv 10 til 300"),
        ("nb\tlov/1-1/§1\t" + "x" * 301, r"301 tegn"),
        ("nb\tlov/1-1/§1\tEt\u200bskjult tegn her", r"usynlige tegn"),
    ],
)
def test_a_fault_is_named_with_file_line_and_remedy(line: str, fault: str) -> None:
    with pytest.raises(EverydayDataBroken, match=rf"home\.tsv, linje 2: .*{fault}"):
        parse("# husleieloven", line)


@pytest.mark.parametrize(
    "again", [LINE, LINE.replace("Hvor", "HVOR"), LINE.replace("§9-6", "§1-1").replace(" må", "  må")]
)
def test_a_question_stands_once_in_all_files(again: str) -> None:
    with pytest.raises(EverydayDataBroken, match=r"work\.tsv, linje 1: .* allerede i home\.tsv, linje 2; slett"):
        parse_everyday({"home.tsv": f"# heading\n{LINE}\n", "work.tsv": again})


def test_all_faults_are_told_at_once_up_to_a_limit() -> None:
    with pytest.raises(EverydayDataBroken) as told:
        parse(*["feil"] * (MOST_SHOWN + 3))
    lines = str(told.value).splitlines()
    assert (len(lines), lines[-1]) == (MOST_SHOWN + 2, "… og 3 feil til")


def test_the_checksum_tells_data_apart_and_not_how_it_is_written() -> None:
    other = LINE.replace("Hvor lenge", "Hvor mye")
    assert checksum(parse(LINE)) == checksum(parse("# heading", LINE, ""))
    different = [
        *(parse(), parse(LINE), parse(other), parse(LINE, other), parse(other, LINE)),
        *(parse(LINE.replace("nb", "nn", 1)), parse(LINE.replace("§9-6", "§9-7"))),
    ]
    assert len({checksum(questions) for questions in different}) == len(different)


def test_the_questions_of_the_package_can_be_read_and_are_of_every_language() -> None:
    questions = read_everyday()
    assert {question.lang for question in questions} == set(LANGUAGES)
    assert len({question.content_hash for question in questions}) == len(questions)
