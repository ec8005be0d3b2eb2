"""What a type checker makes of programs that use the package. Nothing runs it."""

from typing import Literal, assert_type

import pandas
import polars
import pyarrow

import tband


def tables(recording: tband.Recording) -> None:
    for table in (recording.events, recording["states"]):
        assert_type(table, tband.Table)
        assert_type(table.to_pyarrow(), pyarrow.Table)
        assert_type(table.to_pandas(), pandas.DataFrame)
        assert_type(table.to_polars(), polars.DataFrame)


def answers() -> None:
    answer = tband.query("SELECT 1 AS n", "recording.bin", each=True)
    assert_type(answer, tband.Answer)
    assert_type(answer.to_pandas(), pandas.DataFrame)
    assert_type(answer.to_dicts(), list[dict[str, bool | int | float | str | bytes | None]])
    assert_type(len(answer), int)


def checks() -> None:
    check = tband.check(("core0.bin", 0), ("core1.bin", 1))
    assert_type(check.verdict, Literal["whole", "losses", "damage"])
    assert_type(check.details["crashes"][0]["places"], list[str])
    assert_type(check.details["firmware"]["build"], str | None)
    assert_type(check.details["clocks"][-1]["drift_ppm"], float)
    check.details["crashs"]  # type: ignore[typeddict-item]
