"""The `lovsvar` command: options in, exit code out. What each command does is in `lovsvar_local.commands`.

What is imported here is all that the help needs; a command loads the rest when it is run.
"""

import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from lovsvar_local import exits, signals
from lovsvar_local.cli import corpus, keys, law, stores, system

HELP = f"""Svar på spørsmål om norsk rett, med kontrollerte henvisninger til lover og forskrifter.

Kommandoene starter det som ikke kjører, og stopper det de selv startet. «lovsvar up» holder systemet i gang.

{exits.IN_WORDS}
"""

COMMANDS: dict[str, Callable[..., None]] = {
    "ask": law.ask,
    "up": system.up,
    "ingest": corpus.ingest,
    "search": law.search,
    "show": law.show,
    "mcp": system.mcp,
    "eval": corpus.evaluate,
    "status": system.status,
    "doctor": system.doctor,
    "backup": stores.backup,
    "restore": stores.restore,
    "setup": stores.setup,
}
"""In the order of the help."""

KEY_COMMANDS: dict[str, Callable[..., None]] = {
    "add": keys.add_key,
    "list": keys.list_keys,
    "revoke": keys.revoke_key,
}

app = typer.Typer(name="lovsvar", help=HELP, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
key_app = typer.Typer(help="Lag, vis og trekk tilbake nøkler til Lovsvar.", no_args_is_help=True)
app.add_typer(key_app, name="keys")
for group, commands in ((app, COMMANDS), (key_app, KEY_COMMANDS)):
    for name, command in commands.items():
        group.command(name, epilog=exits.IN_WORDS)(command)


@app.callback(invoke_without_command=True)
def lovsvar(
    version: Annotated[bool, typer.Option("--version", help="Vis versjonen.", is_eager=True)] = False,
) -> None:
    """Say the version when asked; see `HELP`."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"lovsvar {installed('lovsvar-local')}")
        raise typer.Exit


def main() -> None:
    """Run the command that was typed."""
    signals.end_quietly()
    # Looking for pydantic's plugins reads every installed package's metadata; none is used here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    sys.exit(app())
