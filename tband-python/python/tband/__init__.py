"""Recordings of the tband tracer as tables for pyarrow, pandas and Polars.

>>> import tband
>>> recording = tband.open("recording.bin")
>>> recording.states.to_pandas()          # or to_polars(), to_pyarrow()
>>> tband.check("recording.bin").verdict  # 'whole', 'losses' or 'damage'
>>> tband.query("SELECT event, count(*) AS times FROM events GROUP BY event", "recording.bin").to_pandas()
"""

from ._tband import (
    SCHEMA_VERSION,
    TABLES,
    Answer,
    Check,
    Error,
    Finding,
    Recording,
    Table,
    __version__,
    check,
    open,
    query,
)

__all__ = [
    "SCHEMA_VERSION",
    "TABLES",
    "Answer",
    "Check",
    "Error",
    "Finding",
    "Recording",
    "Table",
    "__version__",
    "check",
    "open",
    "query",
]
