"""What a model reads before the question."""

import json

import pytest

from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.conversation import estimated_tokens
from lovsvar_testkit.tokens import published_tokenizer

AGENT_TOKENS = 1_400
DIRECT_TOKENS = 300


@pytest.mark.parametrize("language", ["nb", "nn", "en"])
@pytest.mark.parametrize(
    "count", [estimated_tokens, lambda text: len(published_tokenizer().encode(text))], ids=["ours", "o200k"]
)
def test_instructions_and_tools_are_brief(make_registry, language, count) -> None:
    tools = json.dumps(make_registry().definitions, ensure_ascii=False)
    assert count(prompts.system(language) + tools) <= AGENT_TOKENS
    assert count(prompts.system(language, direct=True)) <= DIRECT_TOKENS


def test_direct_mode_is_told_of_no_tool(make_registry) -> None:
    direct = prompts.system("nb", direct=True)
    assert not any(name in direct for name in make_registry().names)
    assert "to til fire setninger" in direct


def test_quotes_come_before_the_answer_in_every_form() -> None:
    from lovsvar_agent.core.tools.answer_form import ANSWER_SCHEMA

    assert list(ANSWER_SCHEMA["properties"])[:2] == ["citations", "answer"]
    direct = prompts.system("nb", direct=True)
    assert direct.index('"citations"') < direct.index('"answer"')
