"""Drive an engine that speaks UHI; docs/client.md shows how."""

from engine_cli.client.analysis import Analysis
from engine_cli.client.async_analysis import AsyncAnalysis
from engine_cli.client.async_engine import AsyncEngine
from engine_cli.client.engine import Engine
from engine_cli.client.errors import (
    AnswerTimeout,
    EngineClosedPipe,
    EngineCrashed,
    EngineError,
    EngineRefused,
    EngineStartError,
    EngineStateError,
    EngineTimeout,
    EngineWarning,
    HandshakeTimeout,
    MalformedAnswer,
    OutputFlood,
    QuitTimeout,
    ReadyTimeout,
    StartTimeout,
    WriteTimeout,
    WrongAnswer,
)
from engine_cli.client.info import Info
from engine_cli.client.limits import Bounds, Limit, Timeouts
from engine_cli.client.option import Option
from engine_cli.client.search import PlayResult

__all__ = [
    "Analysis",
    "AnswerTimeout",
    "AsyncAnalysis",
    "AsyncEngine",
    "Bounds",
    "Engine",
    "EngineClosedPipe",
    "EngineCrashed",
    "EngineError",
    "EngineRefused",
    "EngineStartError",
    "EngineStateError",
    "EngineTimeout",
    "EngineWarning",
    "HandshakeTimeout",
    "Info",
    "Limit",
    "MalformedAnswer",
    "Option",
    "OutputFlood",
    "PlayResult",
    "QuitTimeout",
    "ReadyTimeout",
    "StartTimeout",
    "Timeouts",
    "WriteTimeout",
    "WrongAnswer",
]
