from pathlib import Path
from lovsvar_agent.core.guidance.library import Guidance
from lovsvar_legaltext.explanations import parse_explanations


def read_guidance() -> Guidance:
    return Guidance(parse_explanations(Path("/work/wt/answers/services/agent/drafts/explanations.jsonl").read_text()))
