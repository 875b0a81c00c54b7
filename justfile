# Run `just` for the list. Needs uv, and for itself only just (`uv tool install rust-just`).

default:
    @just --list

# What CI runs, word for word: style, format, types, imports, every test
check:
    .ci/run

# Every test but the slowest
test *arguments:
    uv run pytest {{ arguments }}

# Tests that need no server
unit *arguments:
    uv run pytest libs/*/tests/unit services/*/tests/unit deploy/local/tests/unit tests/deploy {{ arguments }}

# Tests of one part against a real nats-server or PostgreSQL
integration *arguments:
    uv run pytest libs/*/tests/integration services/*/tests/integration deploy/local/tests/integration {{ arguments }}

# Tests of the whole system from the gateway's door
e2e *arguments:
    uv run pytest tests/e2e {{ arguments }}

# The slowest tests alone: faults that take long, and every word of the archives that LOVSVAR_ARCHIVES names
slow *arguments:
    uv run pytest -m slow {{ arguments }}

# All faults, also the slow ones: kills, hung links, floods, full disks, forged law; with the system under each
faults *arguments:
    uv run pytest tests/faults -m 'slow or not slow' {{ arguments }}

# All tests of the pages in a real browser; screenshots are kept in artefacts/browser
browser *arguments:
    uv run pytest tests/browser -m 'slow or not slow' {{ arguments }}

# Style and format
lint:
    uv run ruff check .
    uv run ruff format --check .

# Types, strictly
types:
    uv run mypy

# Put the code into the project's format
fmt:
    uv run ruff check --fix .
    uv run ruff format .

# Write docs/asyncapi.json from what the services take and send; a test says when it is out of date
asyncapi:
    uv run python -m lovsvar_local.asyncapi > docs/asyncapi.json

# Write all files that are generated from the services and their manifests
generated: asyncapi
    uv run python -m lovsvar_local.nats_permissions > deploy/nats/nats.conf
    uv run python -m lovsvar_local.services_file > deploy/services.json

# One benchmark: `just bench search --source FOLDER`
bench name *arguments:
    uv run python benchmarks/{{ name }}.py {{ arguments }}
