"""Settings of the agent service. Times are in seconds."""

from pydantic import Field

from lovsvar_agent.core.run import Limits
from lovsvar_chassis.settings import ServiceSettings


class Settings(ServiceSettings):
    """Read once at start."""

    agent_workers: int = Field(default=8, ge=1, le=200, description="Questions that one process answers at once.")
    agent_ack_wait: float = Field(
        default=10.0, ge=0.5, description="How long after its agent's last sign of life a run is given to another."
    )
    agent_tool_calls: int = Field(default=12, ge=1, description="Tool calls of one run.")
    agent_seconds: float = Field(default=120.0, gt=0, description="Wall time of one run.")
    agent_patience: float = Field(
        default=20.0, ge=0, description="How long a tool that is not ready yet is tried again."
    )
    agent_ask_timeout: float = Field(
        default=150.0, gt=0, description="How long a request on `lovsvar.agent.ask` waits for its run to end."
    )

    @property
    def limits(self) -> Limits:
        """How far a run may go."""
        return Limits(tool_calls=self.agent_tool_calls, seconds=self.agent_seconds, patience=self.agent_patience)
