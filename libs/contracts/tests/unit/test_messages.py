"""What holds for every message model, whatever it carries."""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

import lovsvar_contracts
from lovsvar_contracts.identifiers import Refid
from lovsvar_contracts.message import Frozen, Message


def models() -> Iterator[type[Frozen]]:
    """Every model with fields that the package defines."""
    for module in pkgutil.iter_modules(lovsvar_contracts.__path__):
        loaded = importlib.import_module(f"lovsvar_contracts.{module.name}")
        for value in vars(loaded).values():
            defined = isinstance(value, type) and issubclass(value, Frozen) and value.__module__ == loaded.__name__
            # What passes unknown fields on is looked at where its events are.
            if defined and value.model_fields and value.model_config.get("extra") != "allow":
                yield value


ALL = sorted(models(), key=lambda model: model.__name__)
MESSAGES = [model for model in ALL if issubclass(model, Message) and {"kind", "type"} & set(model.model_fields)]
EVERY = pytest.mark.parametrize("model", ALL, ids=lambda model: model.__name__)
EVERY_MESSAGE = pytest.mark.parametrize("model", MESSAGES, ids=lambda model: model.__name__)


@cache
def instances(model: type[Frozen]) -> st.SearchStrategy[Any]:
    """Instances of `model`, made from JSON that its own schema allows."""
    schema = model.model_json_schema()
    return st.builds(model.model_validate, values(schema, schema, 0))


def values(schema: dict[str, Any], root: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    """Values that `schema` allows; lists are empty further in, so that trees end."""
    if "$ref" in schema:
        return values(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, depth + 1)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema or "oneOf" in schema:
        return st.one_of(*(values(option, root, depth) for option in schema.get("anyOf") or schema["oneOf"]))
    return KINDS.get(schema.get("type", "object"), _anything)(schema, root, depth)


def _anything(schema: dict[str, Any], root: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    return st.just("anything")


def _string(schema: dict[str, Any], root: dict[str, Any], depth: int) -> st.SearchStrategy[str]:
    if schema.get("format") == "date-time":
        return st.just("2026-11-21T08:00:00.123456Z")
    if schema.get("format") == "date":
        return st.dates().map(str)
    if pattern := schema.get("pattern"):
        return st.from_regex(pattern, fullmatch=True)
    letters = st.text(alphabet="aæØ§ –\n\"\\'<&", min_size=1, max_size=12)
    return letters.map(lambda text: f"x{text}x")


def _integer(schema: dict[str, Any], root: dict[str, Any], depth: int) -> st.SearchStrategy[int]:
    low = schema.get("minimum", 0)
    return st.integers(low, min(schema.get("maximum", low + 5), low + 5))


def _object(schema: dict[str, Any], root: dict[str, Any], depth: int) -> st.SearchStrategy[dict[str, Any]]:
    if "properties" not in schema:
        # Keys with a pattern are written as the properties of that pattern.
        patterned = (
            ({"type": "string", "pattern": name}, of) for name, of in schema.get("patternProperties", {}).items()
        )
        keys, more = next(patterned, (schema.get("propertyNames"), schema.get("additionalProperties", True)))
        return st.dictionaries(
            values(keys, root, depth) if keys else st.just("key"),
            st.just("anything") if more is True else values(more, root, depth),
            max_size=2,
        )
    required = set(schema.get("required", ()))
    fields = {name: values(field, root, depth) for name, field in schema["properties"].items()}
    return st.fixed_dictionaries(
        {name: field for name, field in fields.items() if name in required},
        optional={name: field for name, field in fields.items() if name not in required},
    )


def _array(schema: dict[str, Any], root: dict[str, Any], depth: int) -> st.SearchStrategy[list[Any]]:
    if "prefixItems" in schema:
        return st.tuples(*(values(item, root, depth + 1) for item in schema["prefixItems"])).map(list)
    least = schema.get("minItems", 0)
    most = least if depth > 2 else least + 1
    return st.lists(values(schema["items"], root, depth + 1), min_size=least, max_size=most) if most else st.just([])


KINDS = {
    "string": _string,
    "integer": _integer,
    "number": lambda schema, root, depth: st.integers(0, 999).map(lambda n: n / 8),
    "boolean": lambda schema, root, depth: st.booleans(),
    "null": lambda schema, root, depth: st.none(),
    "object": _object,
    "array": _array,
}


def test_all_models_are_looked_at() -> None:
    names = {model.__name__ for model in ALL}
    assert {"QuestionAsked", "Answer", "ProvisionHits", "SyncCompleted", "RunStarted", "Problem", "Block"} <= names


MADE = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@EVERY
@MADE
@given(data=st.data())
def test_what_is_written_is_read_back_the_same_though_a_newer_writer_adds_to_it_and_cannot_be_changed(
    model: type[Frozen], data: st.DataObject
) -> None:
    original = data.draw(instances(model))
    written = original.model_dump_json()
    assert model.model_validate_json(written) == original
    newer = {**json.loads(written), "a_field_of_tomorrow": {"x": [1]}}
    assert model.model_validate_json(json.dumps(newer)) == original, "fields of a newer writer are not ignored"
    field = next(iter(model.model_fields))
    with pytest.raises(ValidationError):
        setattr(original, field, getattr(original, field))


@EVERY_MESSAGE
@MADE
@given(data=st.data())
def test_every_message_is_sent_as_pydantic_writes_it_and_says_when_it_happened_and_what_it_belongs_to(
    model: type[Message], data: st.DataObject
) -> None:
    original = data.draw(instances(model))
    written = original.model_dump_json()
    assert original.encode() == written.encode()
    said = json.loads(written)
    assert {"event_id", "occurred_at", "correlation_id"} <= set(said)
    assert said["occurred_at"].endswith("Z")


def test_every_message_has_a_tag_of_its_own() -> None:
    tags = [(model.model_fields.get("type") or model.model_fields["kind"]).default for model in MESSAGES]
    kinds = [tag for tag in tags if isinstance(tag, str)]
    assert len(kinds) == len(set(kinds))


def test_every_message_has_an_id_of_its_own() -> None:
    model = next(model for model in MESSAGES if model.__name__ == "ReadStatus")
    assert len({model().event_id for _ in range(100)}) == 100


@pytest.mark.parametrize("refid", ["", "x", "x" * 201])
def test_what_cannot_be_a_refid_is_refused(refid: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Refid).validate_python(refid)
