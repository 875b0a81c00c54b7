"""Catalogues of products and services, and search for what they have."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field, StringConstraints

from lovsvar_contracts import search
from lovsvar_contracts.catalogues import MAX_PRODUCTS, CatalogueId, Catalogues, FindProducts, Product, ProductHits
from lovsvar_contracts.search import SearchMode
from lovsvar_gateway.core.phrases import Plain
from lovsvar_gateway.parts import GatewayParts

router = APIRouter(prefix="/v1", tags=["products"])

Category = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), Plain]
Price = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
Attribute = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[^:]{1,100}:.{1,200}$"), Plain]
ProductPath = Annotated[str, Path(min_length=1, max_length=200), Plain]


class ProductParameters(BaseModel):
    """What to find. A product must meet all filters; nothing that fits gives no hits."""

    q: Annotated[search.Query, Plain] = Field(description="What help is needed with, in words or as a question.")
    catalogue: CatalogueId | None = Field(default=None, description="One of `GET /v1/catalogues`; else all of them.")
    limit: int = Field(default=5, ge=1, le=MAX_PRODUCTS)
    category: Category | None = None
    min_price: Price | None = Field(default=None, description="Products without a price are left out then.")
    max_price: Price | None = None
    attribute: list[Attribute] = Field(
        default=[], max_length=10, description="`name:value`, as the items have it.", examples=[["Sted:Oslo"]]
    )
    mode: SearchMode = Field(default=SearchMode.HYBRID, description="Rank by words, meaning or both.")
    explain: bool = Field(default=False, description="Show what the score of each hit is made of.")


@router.get("/catalogues")
async def list_catalogues(parts: GatewayParts) -> Catalogues:
    """List the catalogues that the caller may see."""
    return await parts.catalogues.list()


@router.get("/products")
async def find_products(parameters: Annotated[ProductParameters, Query()], parts: GatewayParts) -> ProductHits:
    """Find products and services by words and by meaning, best first."""
    given = parameters.model_dump(exclude={"q", "catalogue", "attribute"})
    attributes = {name: value for name, _, value in (one.partition(":") for one in parameters.attribute)}
    among = (parameters.catalogue,) if parameters.catalogue else ()
    return await parts.catalogues.find(
        FindProducts(query=parameters.q, catalogues=among, attributes=attributes, **given)
    )


@router.get("/catalogues/{catalogue}/products/{product_id:path}")
async def read_product(catalogue: CatalogueId, product_id: ProductPath, parts: GatewayParts) -> Product:
    """Read a product whole."""
    return await parts.catalogues.read(catalogue, product_id)
