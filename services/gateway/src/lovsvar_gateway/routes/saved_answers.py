"""Answers that are kept when their runs expire: saved on request, read by their address, deleted by who saved them."""

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from lovsvar_contracts.message import Token, utc_now
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.saved_answers import SavedAnswer
from lovsvar_contracts.search import Provisions
from lovsvar_gateway.answer_page import answer_values, run_path
from lovsvar_gateway.core import saved_answers
from lovsvar_gateway.core.errors import NothingToSave, NotSaved, UnknownRun
from lovsvar_gateway.core.question_form import cleaned, is_run_id
from lovsvar_gateway.forms import from_elsewhere, read_fields
from lovsvar_gateway.pages import show
from lovsvar_gateway.parts import GatewayParts, Parts

router = APIRouter(tags=["questions"])


@router.post("/v1/questions/{run_id}/saved", status_code=201)
async def save_answer(run_id: Token, response: Response, parts: GatewayParts) -> SavedAnswer:
    """Keep the run's answer for a year, with the versions of the provisions that it cites.

    Saving again changes nothing and returns what was saved first. Whoever has the address may read it; the question is
    part of it. 422 while the run goes on, and where it has no answer; 503 when no more can be saved.
    """
    response.headers["Location"] = f"/v1/saved/{run_id}"
    return _shown(await _save(run_id, parts))


@router.get("/v1/saved/{run_id}")
async def read_saved_answer(run_id: Token, response: Response, parts: GatewayParts) -> SavedAnswer:
    """Read a saved answer, by the id of its run."""
    response.headers["Cache-Control"] = "no-store"
    return _shown(await parts.saved.read(run_id))


@router.delete("/v1/saved/{run_id}", status_code=204)
async def delete_saved_answer(run_id: Token, parts: GatewayParts) -> None:
    """Delete a saved answer. Only the key that saved it can; to others it is unknown."""
    await parts.saved.delete(run_id)


@router.post("/lagre", include_in_schema=False)
async def save(request: Request, parts: GatewayParts) -> Response:
    """Save the answer of the run that the form names, and redirect to where it is kept."""
    run_id = (await read_fields(request)).get("run", "")
    if not is_run_id(run_id):  # such as a pattern of subjects
        raise UnknownRun(cleaned(run_id, 100))
    if from_elsewhere(request):
        return RedirectResponse(run_path(run_id), status_code=303)
    await _save(run_id, parts)
    return RedirectResponse(f"/lagret/{run_id}", status_code=303)


@router.get("/lagret", include_in_schema=False)
async def list_saved(request: Request) -> HTMLResponse:
    """Show the answers that were saved from this browser, which keeps the list itself."""
    return show(request, "saved_list.html")


@router.get("/lagret/{run_id}", include_in_schema=False)
async def show_saved(run_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show a saved answer, and whether what it cites is still the law's text."""
    kept = await parts.saved.read(run_id)
    versions = saved_answers.compared(kept, await _provisions(kept, parts))
    values = answer_values(request, kept.answer, f"/lagret/{run_id}", saved=kept)
    values["versions"] = saved_answers.by_evidence(kept, versions)
    return show(
        request,
        "saved.html",
        asked=kept.answer,
        changed=any(version.state in ("changed", "gone") for version in versions),
        may_delete=parts.caller.may_see(kept.owner),
        headers={"X-Robots-Tag": "noindex"},
        **values,
    )


@router.post("/lagret/slett", include_in_schema=False)
async def delete(request: Request, parts: GatewayParts) -> Response:
    """Delete the saved answer that the form names, and redirect to the page for questions."""
    run_id = (await read_fields(request)).get("run", "")
    if not is_run_id(run_id):
        raise NotSaved(cleaned(run_id, 100))
    if from_elsewhere(request):
        return RedirectResponse(f"/lagret/{run_id}", status_code=303)
    await parts.saved.delete(run_id)
    return RedirectResponse("/", status_code=303)


async def _save(run_id: str, parts: Parts) -> SavedAnswer:
    answer = await parts.runs.snapshot(run_id)
    if not saved_answers.may_be_saved(answer):
        raise NothingToSave(run_id)
    cited = saved_answers.cited_provisions(answer)
    provisions = await parts.law.read(cited) if cited else None
    return await parts.saved.save(saved_answers.saved(answer, provisions, parts.caller.name, utc_now()))


async def _provisions(kept: SavedAnswer, parts: Parts) -> Provisions | None:
    """Return the cited provisions as they are today; None where search does not answer."""
    try:
        cited = saved_answers.cited_provisions(kept.answer)
        return await parts.law.read(cited) if cited else None
    except ProblemError:
        return None


def _shown(kept: SavedAnswer) -> SavedAnswer:
    """Return a saved answer as others may see it, without the name of the key that saved it."""
    return kept.model_copy(update={"owner": None})
