"""Finding practice, on an index that says what it is told to."""

import pytest

from lovsvar_contracts.practice import FindPractice, PracticeHit
from lovsvar_practice.core.errors import NotConfigured
from lovsvar_practice.core.practice_search import MAX_SNIPPET, admit, find_practice

PATHS = ("/trygderetten/",)
GOOD = "https://lovdata.no/trygderetten/{}"


def hit(url: str, title: str = "Kjennelse", snippet: str = "Utdrag") -> PracticeHit:
    return PracticeHit(title=title, url=url, snippet=snippet)


class ScriptedIndex:
    def __init__(self, *hits: PracticeHit) -> None:
        self.hits = hits
        self.asked: list[tuple[str, int]] = []

    async def search(self, query: str, num: int) -> tuple[PracticeHit, ...]:
        self.asked.append((query, num))
        return self.hits


class Memory:
    """A cache that keeps everything."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[PracticeHit, ...]] = {}

    async def recall(self, key: str) -> tuple[PracticeHit, ...] | None:
        return self.kept.get(key)

    async def keep(self, key: str, hits: tuple[PracticeHit, ...]) -> None:
        self.kept[key] = hits


async def test_hits_keep_their_order_and_those_from_elsewhere_are_dropped() -> None:
    index = ScriptedIndex(hit(GOOD.format(2)), hit("https://evil.example/trygderetten/3"), hit(GOOD.format(1)))
    found = await find_practice(FindPractice(query="uføretrygd"), index, Memory(), PATHS)
    assert [h.url for h in found.hits] == [GOOD.format(2), GOOD.format(1)]


async def test_no_more_hits_are_returned_than_were_asked_for() -> None:
    index = ScriptedIndex(*(hit(GOOD.format(n)) for n in range(5)))
    found = await find_practice(FindPractice(query="uføretrygd", num=2), index, Memory(), PATHS)
    assert len(found.hits) == 2


async def test_the_reply_belongs_to_the_request_that_it_answers() -> None:
    request = FindPractice(query="uføretrygd")
    assert (await find_practice(request, ScriptedIndex(), Memory(), PATHS)).correlation_id == request.correlation_id


async def test_without_an_index_the_caller_is_told_that_nothing_is_set_up() -> None:
    with pytest.raises(NotConfigured, match="SERPER_API_KEY"):
        await find_practice(FindPractice(query="uføretrygd"), None, Memory(), PATHS)


async def test_the_same_search_is_made_once_and_told_to_come_from_before() -> None:
    index, memory = ScriptedIndex(hit(GOOD.format(1))), Memory()
    first = await find_practice(FindPractice(query="Uføretrygd  og inntekt"), index, memory, PATHS)
    second = await find_practice(FindPractice(query="uføretrygd og inntekt "), index, memory, PATHS)
    assert (first.cached, second.cached) == (False, True)
    assert first.hits == second.hits
    assert index.asked == [("Uføretrygd og inntekt site:lovdata.no (inurl:/trygderetten/)", 10)]


async def test_a_search_that_found_nothing_is_not_made_again() -> None:
    index, memory = ScriptedIndex(), Memory()
    for _ in range(2):
        assert (await find_practice(FindPractice(query="uføretrygd"), index, memory, PATHS)).hits == ()
    assert len(index.asked) == 1


async def test_with_other_paths_it_is_another_search() -> None:
    index, memory = ScriptedIndex(), Memory()
    for paths in (PATHS, ("/lovtidend/",)):
        await find_practice(FindPractice(query="uføretrygd"), index, memory, paths)
    assert len(index.asked) == 2


def test_titles_and_snippets_are_made_plain_and_bounded() -> None:
    (admitted,) = admit((hit(GOOD.format(1), "<b>Dom</b>", "<i>x</i> " * 1_000),), PATHS)
    assert admitted.title == "Dom"
    assert len(admitted.snippet) <= MAX_SNIPPET
    assert "<" not in admitted.snippet


def test_a_hit_without_a_title_is_called_by_its_address() -> None:
    (admitted,) = admit((hit(GOOD.format(1), "<b></b>"),), PATHS)
    assert admitted.title == GOOD.format(1)
