"""Recordings of the tband tracer as tables for pyarrow, pandas and Polars."""

from os import PathLike
from typing import Final, Literal, TypeAlias, TypedDict, final

import pandas
import polars
import pyarrow

_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
# A file, or a file with the core that its events belong to until the recording names another.
_Input: TypeAlias = _Path | tuple[_Path, int]
_Format: TypeAlias = Literal["auto", "bin", "hex", "base64", "gzip"]
_InputFormat: TypeAlias = Literal[
    "auto",
    "tband",
    "systemview",
    "systemview-esp",
    "systemview-v10",
    "systemview-v11",
    "ftrace",
    "tracerecorder",
    "qs",
    "rkh",
    "ctf",
    "flux",
]
_Mode: TypeAlias = Literal["free-rtos", "bare-metal", "auto"]
# A number of nanoseconds, or a text: "1.5ms", "300us", "2s"; without a unit ticks of the target's timer.
_Time: TypeAlias = int | str
# A value of an answer.
_Value: TypeAlias = bool | int | float | str | bytes | None
_Severity: TypeAlias = Literal["note", "loss", "damage"]
_Verdict: TypeAlias = Literal["whole", "losses", "damage"]

# What `tband-cli check --json` prints. None is what is not known.
class _Buffers(TypedDict):
    backend: str
    bytes: int | None
    packets: int | None
    packet_bytes: int | None

class _Firmware(TypedDict):
    build: str | None
    program: str | None
    kernel_version: str | None
    tick_rate_hz: int | None
    buffers: _Buffers | None

class _NotRecorded(TypedDict):
    what: str
    by: str
    from_ns: int
    to_ns: int | None
    figures_lack: str

# "class" is a word of Python, so the other way to write such a type.
_Shed = TypedDict("_Shed", {"class": str, "events": int, "times": int, "time_ns": int, "figures_lack": str})

class _Link(TypedDict):
    packets: int
    unchecked_packets: int
    lost_packets: int
    discarded_events: int
    damaged_bytes: int
    metadata_bytes: int
    bytes: int
    events: int
    bytes_per_event: float | None

class _Change(TypedDict):
    id: str
    text: str
    advice: str
    packets_restored: int
    runs_not_restored: int
    runs_beside_packets: int
    bytes_beside_packets: int

class _Clock(TypedDict):
    clock: str
    cores: list[int]
    moments: int
    drift_ppm: float
    right_within_ns: int

class _Finding(TypedDict):
    finding: str
    severity: _Severity
    count: int
    amount: int
    file: str | None
    offset: int | None
    text: str
    means: str
    advice: str

class _Trigger(TypedDict):
    n: int
    at_ns: int
    core: int
    what: str
    trigger: int | None
    condition: str | None
    event: str | None
    object: str | None
    frozen: bool

class _Crash(TypedDict):
    kind: str
    text: str
    at_ns: int
    core: int
    task: str | None
    causes: list[str]
    places: list[str]
    unknown: str | None
    stack_left_bytes: int | None
    stack_size_bytes: int | None
    values: dict[str, int]

class _Highlight(TypedDict):
    id: str
    highlight: str
    certainty: str
    at_ns: int | None
    length_ns: int
    means: str
    evidence: list[str]
    advice: str
    see: str

class _Source(TypedDict):
    file: str | None
    format: str
    recorder: str
    inferred: list[str]
    not_recorded: list[str]

class _Details(TypedDict):
    inputs: list[str]
    sources: list[_Source]
    verdict: _Verdict
    events: int
    time_unit: Literal["ns", "ticks"]
    length_ns: int | None
    cores: int | None
    cores_with_events: int
    tasks: int
    interrupts: int
    firmware: _Firmware
    classes_on: list[str] | None
    classes_off: list[str] | None
    not_recorded: list[_NotRecorded]
    shed: list[_Shed]
    link: _Link | None
    changes: list[_Change]
    clocks: list[_Clock]
    findings: list[_Finding]
    triggers: list[_Trigger]
    crashes: list[_Crash]
    highlights: list[_Highlight]

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

__version__: Final[str]
SCHEMA_VERSION: Final[int]
"""Version of the tables: it rises when a column goes or changes its meaning."""
TABLES: Final[tuple[str, ...]]
"""The names of all tables."""

class Error(Exception):
    """A recording cannot be read, or an argument is wrong. The text has what was found and what to do.

    Damage inside of a recording is not an error: it is in the table `losses`, and `check` reports it.
    """

    file: str | None
    """Name of the file that it is about."""
    offset: int | None
    """Where in the file, in bytes."""
    found: str | None
    """What is there."""

@final
class Table:
    """A table of a recording, which is read each time that its rows are requested.

    Every library that knows Arrow's PyCapsule interface takes it: `pyarrow.table(table)`, `polars.DataFrame(table)`,
    `pandas.DataFrame.from_arrow(table)`, DuckDB. `pyarrow.RecordBatchReader.from_stream(table)` reads it batch by batch,
    in memory that does not grow with the recording.

    Columns that are named `ns`, or end in `_ns`, are nanoseconds of the target's clock, as INT64. Names are encoded by a
    dictionary. A recording that cannot be read raises `tband.Error`.
    """

    @property
    def name(self) -> str:
        """Its name."""
    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, in their order."""
    def to_pyarrow(self) -> pyarrow.Table:
        """All rows as a `pyarrow.Table`, with one dictionary for each column of names. Needs pyarrow."""
    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a `pandas.DataFrame`, in which names are categories and integers `Int64`. Needs pandas and pyarrow."""
    def to_polars(self) -> polars.DataFrame:
        """All rows as a `polars.DataFrame`, in which names are categories. Needs polars."""
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Answer:
    """The answer of a question in SQL: a table in memory.

    Every library that knows Arrow's PyCapsule interface takes it without a copy: `pyarrow.table(answer)`,
    `polars.DataFrame(answer)`, `pandas.DataFrame.from_arrow(answer)`, DuckDB. `len(answer)` is the number of its rows.

    Integers are INT64, other numbers FLOAT64, texts UTF8, flags of tables BOOL and blobs BINARY. A column without any value has
    the type of the table's column, or NULL if it is an expression.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, in their order."""
    def to_pyarrow(self) -> pyarrow.Table:
        """All rows as a `pyarrow.Table`. Needs pyarrow."""
    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a `pandas.DataFrame`, in which integers are `Int64`. Needs pandas and pyarrow."""
    def to_polars(self) -> polars.DataFrame:
        """All rows as a `polars.DataFrame`. Needs polars."""
    def to_dicts(self) -> list[dict[str, _Value]]:
        """All rows, a dict for each. Needs no other package, and takes much more memory than the answer itself."""
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __len__(self) -> int: ...

@final
class Recording:
    """The recordings of one target. No file stays open: each table is read when its rows are asked for.

    Each table has the column `recording`, the names of its files. What each column is, is in the guide's page of tables.
    """

    @property
    def files(self) -> list[str]:
        """The names of its files."""
    @property
    def events(self) -> Table:
        """Every event as it was recorded, metadata included.

        ns, core, event, ticks (of the target's timer), fields (an object in JSON), input (which file), offset (bytes).
        """
    @property
    def states(self) -> Table:
        """From when to when a task was in a state.

        begin_ns, end_ns, task_id, task, is_idle, state (running, ready, blocked, suspended, created), core, wait,
        priority, begin_seen, end_seen.
        """
    @property
    def waits(self) -> Table:
        """What tasks waited for, for how long, and how that ended.

        begin_ns, end_ns, task_id, task, wait, object_kind, object_id, object, limit_ticks (of the kernel), outcome
        (satisfied, timeout, aborted, deleted), woken_by, begin_seen, end_seen.
        """
    @property
    def interrupts(self) -> Table:
        """Each interrupt that ran.

        begin_ns, end_ns, core, isr_id, isr, depth (interrupts that it interrupts), begin_seen, end_seen.
        """
    @property
    def levels(self) -> Table:
        """Numbers that objects have, a row for each new one: queues, event groups, priorities, stacks, value markers.

        ns, core, object_kind, object_id, object, value, cause, by.
        """
    @property
    def markers(self) -> Table:
        """Texts of event markers, and their spans.

        begin_ns, end_ns (none for a single text), core, marker_id, marker, text, by, is_span.
        """
    @property
    def heap(self) -> Table:
        """Allocated and freed blocks of the heap.

        ns, core, what (malloc, free, malloc failed), bytes, free (bytes after it), by.
        """
    @property
    def activations(self) -> Table:
        """Activations of tasks, interrupts and software timers.

        task_id, task, kind (task, interrupt, timer), number, core, release, object, woken_by, released_ns, ready_ns,
        started_ns, ended_ns, backlog_ns, own_ns, interrupt_ns, preempted_ns, shared_ns, pushed_ns, held_off_ns, locked_ns,
        room_ns, suspended_ns, unknown_ns, inverted_ns, resumes, merged, priority, begin_seen, end_seen.
        """
    @property
    def parts(self) -> Table:
        """The parts of activations: what took the time.

        task_id, task, subject, number, begin_ns, end_ns, path, kind, by, lock, holder, depth (locks in the chain),
        is_inverted.
        """
    @property
    def holds(self) -> Table:
        """From when to when tasks held locks.

        lock_id, lock, kind, holder_id, holder, begin_ns, end_ns, waiters, begin_seen, end_seen.
        """
    @property
    def periods(self) -> Table:
        """Periods of tasks, interrupts and software timers.

        task_id, task, kind, how (nominal, declared, found or sporadic), period_ns, first_ns, releases, period_jitter_ns,
        release_jitter_ns, least_ns, missed, agree (percent).
        """
    @property
    def load(self) -> Table:
        """Time of each core by its owner, in windows of 100 ms: begin_ns, end_ns, core, kind, id, name, time_ns."""
    @property
    def findings(self) -> Table:
        """Mistakes of the program: finding, certainty, ns, length_ns, task, core, means, evidence, advice."""
    @property
    def losses(self) -> Table:
        """Losses and damage.

        ns, core, problem, severity (note, loss, damage), amount, text, input (which file), offset (bytes).
        """
    @property
    def recordings(self) -> Table:
        """One row about the recording.

        file, bytes, begin_ns, end_ns, events, cores, findings, lost_events, is_clean, format_version, kernel_version,
        tick_rate_hz (of the kernel), build_id, frequency (of the target's timer), tband_version, schema_version.
        """
    def __getitem__(self, name: str, /) -> Table:
        """A table by its name."""

@final
class Finding:
    """A loss or an error in a recording; one finding may count several of the same kind."""

    @property
    def finding(self) -> str:
        """Its kind, as `gap of lost events`."""
    @property
    def severity(self) -> _Severity:
        """How much it matters."""
    @property
    def count(self) -> int:
        """How often it was found."""
    @property
    def amount(self) -> int:
        """Events, packets or names that are lost in all, else `count`."""
    @property
    def file(self) -> str:
        """The file of the first one."""
    @property
    def offset(self) -> int:
        """Where that is in the file, in bytes."""
    @property
    def text(self) -> str:
        """What exactly was found there."""
    @property
    def means(self) -> str:
        """What it means for the rest."""
    @property
    def advice(self) -> str:
        """What to do."""

@final
class Check:
    """The verdict on a recording."""

    @property
    def verdict(self) -> _Verdict:
        """Whether it is whole."""
    @property
    def is_clean(self) -> bool:
        """Nothing is lost or damaged."""
    @property
    def events(self) -> int:
        """Events in it."""
    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, one of each kind."""
    @property
    def details(self) -> _Details:
        """All that `tband-cli check --json` prints."""

def open(
    *paths: _Input | list[_Input],
    format: _Format = "auto",
    input_format: _InputFormat = "auto",
    ctf_map: _Path | None = None,
    mode: _Mode = "free-rtos",
    core_count: int | None = None,
    tick_rate: int | str | None = None,
    align: str | None = None,
    align_within: _Time | None = None,
    elf: _Path | None = None,
    begin: _Time | None = None,
    end: _Time | None = None,
) -> Recording:
    """Opens the recordings of one target: a file, or one for each core, each perhaps with its core as a pair, or the folder of
    a CTF trace.

    Raises `tband.Error` if a file cannot be read. Its content is read with each table.

    format: encoding of the files; found out from the content unless it is named.
    input_format: recorder that made the files; found out from the content unless it is named.
    ctf_map: mapping file of a CTF trace; without it, tband-map.toml beside the metadata.
    mode: events that the recording may have.
    core_count: number of cores of the target; without it, the number in the recording.
    tick_rate: frequency of the timestamp timer in Hz, as 64_000_000, "64M" or "3579545/3", which overrides the one in the recording.
    align: gives all files one clock, by "clock-sync", "marker:NAME", "pulse:NAME", or "received": when they came, which is in
        FILE.times beside each. It is the clock of the first one; with "received" that of the computer.
    align_within: most time between the records of a shared moment, for `align`.
    elf: the program that ran, with symbols: it has the formats of records and the names of functions.
    begin, end: the tables have only the time between these, both included.
    """

def check(
    *paths: _Input | list[_Input],
    format: _Format = "auto",
    input_format: _InputFormat = "auto",
    ctf_map: _Path | None = None,
    mode: _Mode = "free-rtos",
    core_count: int | None = None,
    tick_rate: int | str | None = None,
    align: str | None = None,
    align_within: _Time | None = None,
    elf: _Path | None = None,
) -> Check:
    """Reads the recordings of one target, and reports whether they are complete. The arguments are those of `open`.

    With `elf`, `details["crashes"]` has in which function, file and line each crash is; with `align`, `details["clocks"]` has how
    well clocks are known.

    Raises `tband.Error` if a file cannot be read or is not a recording.
    """

def query(
    sql: str,
    *paths: _Input | list[_Input],
    each: bool = False,
    format: _Format = "auto",
    input_format: _InputFormat = "auto",
    ctf_map: _Path | None = None,
    mode: _Mode = "free-rtos",
    core_count: int | None = None,
    tick_rate: int | str | None = None,
    align: str | None = None,
    align_within: _Time | None = None,
    elf: _Path | None = None,
    begin: _Time | None = None,
    end: _Time | None = None,
) -> Answer:
    """Answers a question in SQL about the tables of recordings with a table of Arrow.

    The engine is SQLite, as in `tband-cli query`. It reads only the columns that the question names. The answer is in
    memory as a whole. All values of a column have one type: where SQL mixes texts and numbers, CAST one of them.

    each: each file is a separate recording, and not a core of one target.
    The other arguments are those of `open`. Raises `tband.Error` if the question is wrong or a file cannot be read.
    """
