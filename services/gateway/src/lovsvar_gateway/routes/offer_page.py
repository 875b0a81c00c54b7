"""The page of offers: what help is needed with, and the products and services of the catalogues that fit."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from lovsvar_contracts.problems import ProblemError
from lovsvar_gateway.core.offer_form import read_offers
from lovsvar_gateway.pages import show
from lovsvar_gateway.parts import GatewayParts

router = APIRouter(include_in_schema=False)


@router.get("/tilbud")
async def find_offers(request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show what fits the words of the address, among the catalogues that the reader may see."""
    form = read_offers(request.query_params)
    values: dict[str, Any] = {"form": form, "problem": "", "found": None, "catalogues": (), "chosen": None}
    try:
        catalogues = (await parts.catalogues.list()).catalogues
        chosen = next((one for one in catalogues if one.catalogue == form.catalogue), None)
        values |= {"catalogues": catalogues, "chosen": chosen}
        if form.query and (chosen or not form.catalogue):
            found = await parts.catalogues.find(form.request(among=chosen.catalogue if chosen else None))
            # Another catalogue may have been added meanwhile.
            known = tuple(hit for hit in found.hits if any(hit.catalogue == one.catalogue for one in catalogues))
            values["found"] = found.model_copy(update={"hits": known})
    except ProblemError as exc:
        values["problem"] = exc.problem.detail
    names = {one.catalogue: one for one in values["catalogues"]}
    return show(request, "offers.html", status=503 if values["problem"] else 200, names_of=names, **values)
