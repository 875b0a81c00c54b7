"""Settings of the agent service. Times are in seconds."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, TypeAdapter, model_validator

from lovsvar_agent.adapters.providers import Provider
from lovsvar_agent.core.run import Limits
from lovsvar_chassis.setting_types import CommaSeparated, NoneIfEmpty
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.message import Token
from lovsvar_contracts.questions import Mode

TOKENS = TypeAdapter(tuple[Token, ...])


class Settings(ServiceSettings):
    """Read once at start."""

    agent_workers: int = Field(default=8, ge=1, le=200, description="Questions that one process answers at once.")
    agent_ack_wait: float = Field(
        default=10.0, ge=0.5, description="How long after its agent's last heartbeat a run is given to another."
    )
    agent_tool_calls: int = Field(default=12, ge=1, description="Tool calls of one run.")
    agent_seconds: float = Field(default=120.0, gt=0, description="Wall time of one run.")
    agent_patience: float = Field(
        default=20.0, ge=0, description="How long a tool or a model's server that is not ready yet is tried again."
    )
    agent_ask_timeout: float = Field(
        default=150.0, gt=0, description="How long a request on `lovsvar.agent.ask` waits for its run to end."
    )
    agent_oversight: float = Field(
        default=30.0,
        ge=0.2,
        description="How long a run without a question in the queue stays open, until it is queued again or closed.",
    )

    agent_rounds: int = Field(default=5, ge=1, le=50, description="Replies of the model that may call tools.")
    agent_case_rounds: int = Field(default=16, ge=1, le=100, description="The same for a message in a case.")
    agent_case_tool_calls: int = Field(default=30, ge=1, description="Tool calls of a run in a case.")
    agent_case_seconds: float = Field(default=300.0, gt=0, description="Wall time of a run in a case.")
    agent_tokens: int = Field(default=120_000, ge=1, description="Tokens, read and written, of one run.")
    agent_cost: float = Field(default=1.0, gt=0, description="US dollars of one run, by the prices that are set.")
    agent_output_tokens: int = Field(default=3_000, ge=100, description="Tokens of one reply.")
    agent_result_tokens: int = Field(default=2_500, ge=200, description="Tokens of one tool's result.")
    agent_context_tokens: int = Field(default=24_000, ge=1_000, description="Tokens of the conversation that is sent.")
    agent_stall: float = Field(default=60.0, gt=0, description="How long the model's server may be silent.")
    agent_input_price: float = Field(default=0.0, ge=0, description="US dollars for a million tokens read.")
    agent_output_price: float = Field(default=0.0, ge=0, description="US dollars for a million tokens written.")
    agent_tool_services: Annotated[CommaSeparated, AfterValidator(TOKENS.validate_python)] = Field(
        default=(), description="Services that offer tools over NATS, with commas between."
    )
    openai_api_key: NoneIfEmpty[SecretStr] = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: NoneIfEmpty[str] = Field(default=None, validation_alias="OPENAI_BASE_URL")
    model: str = Field(default="gpt-5-mini", min_length=1, description="The model, as its server knows it.")
    provider: NoneIfEmpty[Provider] = Field(
        default=None, description="Whose way the model's server has; guessed from its address by default."
    )
    model_temperature: NoneIfEmpty[float] = Field(
        default=None, ge=0, le=2, description="How freely the model chooses its words; by default as its server likes."
    )
    model_seed: NoneIfEmpty[int] = Field(
        default=None, ge=0, description="By which the model's choices are drawn, where its server can."
    )
    reasoner_base_url: NoneIfEmpty[str] = Field(
        default=None,
        description="Server of the model that is consulted in cases; by default the model's own.",
    )
    reasoner_api_key: NoneIfEmpty[SecretStr] = Field(
        default=None, description="Its key; by default the model's, on the model's own server alone."
    )
    reasoner_model: NoneIfEmpty[str] = Field(default=None, description="Its name; by default the model's.")
    reasoner_provider: NoneIfEmpty[Provider] = Field(default=None, description="Whose way its server has.")
    reasoner_temperature: NoneIfEmpty[float] = Field(
        default=None, ge=0, le=2, description="How freely it chooses its words."
    )
    reasoner_seconds: float = Field(default=60.0, gt=0, description="How long one consult may take.")
    reasoner_input_price: float = Field(default=0.0, ge=0, description="US dollars for a million tokens it reads.")
    reasoner_output_price: float = Field(default=0.0, ge=0, description="US dollars for a million tokens it writes.")
    mode: NoneIfEmpty[Mode | Literal["auto"]] = Field(
        default=None,
        description="How questions are answered that do not say; by default with the model if there is a key. "
        "`auto` tries the model out.",
    )

    @model_validator(mode="after")
    def a_mode_has_its_model(self) -> "Settings":
        """Refuse a mode that needs a model when there is neither a key nor a server."""
        if self.mode in (Mode.AGENT, Mode.DIRECT) and not self.has_model:
            raise ValueError(
                f"LOVSVAR_MODE={self.mode} needs OPENAI_API_KEY, or OPENAI_BASE_URL of a server without keys"
            )
        return self

    @property
    def has_model(self) -> bool:
        """Whether there is a model to ask: a key, or the address of a server that may need none."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def has_reasoner(self) -> bool:
        """Whether the model that is consulted in cases is another than the model itself."""
        return self.has_model and bool(self.reasoner_base_url or self.reasoner_model or self.reasoner_provider)

    @property
    def default_mode(self) -> Mode:
        """How a question is answered that does not say, before the model was tried out."""
        if self.mode == "auto":
            return Mode.DIRECT if self.has_model else Mode.EXTRACTIVE
        return self.mode or (Mode.AGENT if self.openai_api_key else Mode.EXTRACTIVE)

    @property
    def limits(self) -> Limits:
        """How far a run may go."""
        return Limits(
            tool_calls=self.agent_tool_calls,
            seconds=self.agent_seconds,
            patience=self.agent_patience,
            rounds=self.agent_rounds,
            tokens=self.agent_tokens,
            cost_usd=self.agent_cost,
            output_tokens=self.agent_output_tokens,
            result_tokens=self.agent_result_tokens,
            context_tokens=self.agent_context_tokens,
        )

    @property
    def case_limits(self) -> Limits:
        """How far a run in a case may go, where more is done than an answer is looked for."""
        return replace(
            self.limits,
            rounds=self.agent_case_rounds,
            tool_calls=self.agent_case_tool_calls,
            seconds=self.agent_case_seconds,
        )
