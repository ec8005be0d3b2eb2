"""Tables in pyarrow, pandas and Polars: what they hold is what the command line prints of the same recording."""

import gzip
import json
import os
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow

import tband

WHOLE = ["recording.bin", "late.bin", "base.bin", "names.bin"]


def cli(*args):
    """What the command line prints; it may find damage."""
    ran = subprocess.run([os.environ["TBAND_CLI"], *args], capture_output=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


def dump(*names):
    return [json.loads(line) for line in cli("dump", "--json", *names).splitlines()]


def query(sql, *names):
    return [json.loads(line) for line in cli("query", "--json", sql, *names).splitlines()]


def plain(rows):
    """Flags as SQL has them."""
    return [{key: int(value) if isinstance(value, bool) else value for key, value in row.items()} for row in rows]


class Tables(unittest.TestCase):
    def test_events_are_those_of_the_dump(self):
        for name in WHOLE:
            rows = pyarrow.table(tband.open(name).events).to_pylist()
            events = [it for it in dump(name) if "event" in it]
            self.assertEqual(len(rows), len(events))
            self.assertGreater(len(rows), 3)
            for row, event in zip(rows, events, strict=True):
                self.assertEqual(row["event"], event["event"])
                self.assertEqual(row["core"], event["core"])
                self.assertEqual(row["ticks"], event.get("ts"), event)

    def test_a_folder_of_a_ctf_trace_is_read(self):
        cli("conv", "--to", "ctf1", "-o", "own-trace", "recording.bin")
        rows = pyarrow.table(tband.open("own-trace").events).to_pylist()
        events = [it for it in dump("own-trace") if "event" in it]
        self.assertGreater(len(rows), 1000)
        self.assertEqual([row["event"] for row in rows], [event["event"] for event in events])
        self.assertEqual(tband.check("own-trace").events, len(rows))
        with self.assertRaisesRegex(tband.Error, "is not a stream of a CTF trace"):
            tband.open("recording.bin", input_format="ctf")

    def test_recordings_in_a_zip_archive_are_read(self):
        cli("conv", "--to", "ctf1", "-o", "packed-trace", "recording.bin")
        with zipfile.ZipFile("one.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write("recording.bin", "r/recording.bin")
        with zipfile.ZipFile("trace.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for file in Path("packed-trace").iterdir():
                archive.write(file, f"t/{file.name}")
        for name in ["one.zip", "trace.zip"]:
            rows = pyarrow.table(tband.open(name).events).to_pylist()
            events = [it for it in dump(name) if "event" in it]
            self.assertGreater(len(rows), 1000)
            self.assertEqual([row["event"] for row in rows], [event["event"] for event in events])
            self.assertEqual(tband.check(name).events, len(rows))
        Path("cut.zip").write_bytes(Path("one.zip").read_bytes()[:-300])
        with self.assertRaisesRegex(tband.Error, "cut.zip: it is compressed with zip, and cut off"):
            pyarrow.table(tband.open("cut.zip").events)

    def test_each_table_is_that_of_sql(self):
        for names in [[name] for name in WHOLE] + [["core0.bin", "core1.bin"]]:
            recording = tband.open(*names)
            for table in tband.TABLES:
                read = recording[table].to_pyarrow()
                rows = query(f"SELECT {', '.join(read.column_names)} FROM {table}", *names)
                if table == "recordings":
                    # The command line does not say it, as it may read pipes.
                    rows[0]["bytes"] = sum(Path(name).stat().st_size for name in names)
                self.assertEqual(plain(read.to_pylist()), plain(rows), f"{names} {table}")

    def test_large_tables_have_all_rows(self):
        tables = ["events", "states", "waits", "interrupts", "levels", "losses"]
        counts = ", ".join(f"(SELECT count(*) FROM {table}) AS {table}" for table in tables)
        recording = tband.open("large.bin")
        read = {table: recording[table].to_pyarrow().num_rows for table in tables}
        self.assertEqual(read, query(f"SELECT {counts}", "large.bin")[0])

    def test_libraries_agree(self):
        for name in [*WHOLE, "large.bin"]:
            recording = tband.open(name)
            for table in tband.TABLES if name != "large.bin" else ["losses"]:
                arrow = pyarrow.table(recording[table])
                arrow.validate(full=True)
                self.assertEqual(tuple(arrow.column_names), recording[table].columns)
                self.assertEqual(arrow.schema, pyarrow.schema(recording[table]))
                self.assertEqual(arrow.schema.metadata, {b"tband_schema_version": b"%d" % tband.SCHEMA_VERSION})
                rows = arrow.to_pylist()
                self.assertEqual(polars.DataFrame(recording[table]).to_dicts(), rows)
                self.assertEqual(recording[table].to_polars().to_dicts(), rows)
                for frame in (recording[table].to_pandas(), pandas.DataFrame.from_arrow(recording[table])):
                    self.assertEqual((list(frame.columns), len(frame)), (arrow.column_names, len(rows)))
                read = recording[table].to_pandas()
                for column in arrow.column_names:
                    values = [None if pandas.isna(value) else value for value in read[column]]
                    self.assertEqual(values, [row[column] for row in rows], column)

    def test_times_keep_their_digits(self):
        # Floating point, which pandas would take for a column in which some are missing, ends at 2**53.
        frame = tband.open("recording.bin", tick_rate=1).events.to_pandas()
        self.assertEqual(str(frame["ticks"].dtype), "Int64")
        self.assertGreater(int(frame["ns"].max()), 1 << 53)
        arrow = tband.open("recording.bin", tick_rate=1).events.to_pyarrow()
        self.assertEqual(list(frame["ns"]), arrow["ns"].to_pylist())

    def test_a_window(self):
        part = tband.open("recording.bin", begin="100ms", end="200ms").events.to_pyarrow()
        whole = tband.open("recording.bin").events.to_pyarrow()
        inside = [it for it in whole.to_pylist() if it["ticks"] is not None and 100_000_000 <= it["ns"] <= 200_000_000]
        self.assertEqual([it for it in part.to_pylist() if it["ticks"] is not None], inside)
        self.assertGreater(len(inside), 100)

    def test_batches_are_those_of_the_whole(self):
        recording = tband.open("large.bin")
        reader = pyarrow.RecordBatchReader.from_stream(recording.events)
        batches = list(reader)
        self.assertGreater(len(batches), 2)
        self.assertEqual(sum(it.num_rows for it in batches), tband.check("large.bin").events)
        # Each has a separate dictionary; libraries merge them.
        whole = recording.events.to_pyarrow()
        self.assertTrue(pyarrow.Table.from_batches(batches).unify_dictionaries().equals(whole))
        expected = tband.query("SELECT event, count(*) AS times FROM events GROUP BY event ORDER BY event", "large.bin").to_dicts()
        counts = whole.group_by("event").aggregate([("event", "count")]).to_pylist()
        self.assertEqual(sorted((it["event"], it["event_count"]) for it in counts), [(it["event"], it["times"]) for it in expected])
        frame = polars.DataFrame(recording.events).group_by("event").agg(times=polars.len())
        self.assertEqual(sorted(frame.rows()), [(it["event"], it["times"]) for it in expected])
        frame = recording.events.to_pandas().groupby("event", observed=True).size()
        self.assertEqual(sorted(frame.items()), [(it["event"], it["times"]) for it in expected])
        apart = pyarrow.Table.from_batches(batches)
        asked = duckdb.sql("SELECT event, count(*) AS times FROM apart GROUP BY event ORDER BY event").fetchall()
        self.assertEqual(asked, [(it["event"], it["times"]) for it in expected])


class Answers(unittest.TestCase):
    def test_libraries_agree(self):
        sql = "SELECT ns, event, ticks, core = 0 AS first, ns / 1e3 AS us, NULL AS none FROM events"
        for name in ["recording.bin", "large.bin"]:
            answer = tband.query(sql, name)
            expected = query(sql, name)
            self.assertEqual(answer.to_dicts(), expected)
            arrow = pyarrow.table(answer)
            arrow.validate(full=True)
            self.assertEqual(arrow.schema, pyarrow.schema(answer))
            self.assertEqual(arrow.to_pylist(), expected)
            self.assertEqual(answer.to_pyarrow().to_pylist(), expected)
            self.assertEqual(answer.to_polars().to_dicts(), expected)
            self.assertEqual(duckdb.sql("SELECT count(*) FROM arrow").fetchone(), (len(answer),))
            types = [pyarrow.int64(), pyarrow.string(), pyarrow.int64(), pyarrow.int64(), pyarrow.float64(), pyarrow.null()]
            self.assertEqual(arrow.schema.types, types)
        self.assertGreater(len(arrow.to_batches()), 2)

    def test_integers_stay_integers_in_pandas(self):
        frame = tband.query("SELECT ticks, end_ns FROM events LEFT JOIN waits ON waits.begin_ns = events.ns", "recording.bin").to_pandas()
        self.assertEqual([str(it) for it in frame.dtypes], ["Int64", "Int64"])
        self.assertTrue(frame["end_ns"].isna().any())
        large = tband.query("SELECT 9007199254740993 AS n UNION ALL SELECT NULL", "recording.bin").to_pandas()
        self.assertEqual(int(large["n"][0]), 9007199254740993)

    def test_a_column_has_one_type(self):
        def kind(sql, name="recording.bin"):
            arrow = tband.query(sql, name).to_pyarrow()
            arrow.validate(full=True)
            return arrow.schema.types, [list(row.values()) for row in arrow.to_pylist()]

        self.assertEqual(kind("SELECT 1 AS n UNION ALL SELECT 0.5"), ([pyarrow.float64()], [[1.0], [0.5]]))
        self.assertEqual(kind("SELECT NULL AS n UNION ALL SELECT 'a'"), ([pyarrow.string()], [[None], ["a"]]))
        self.assertEqual(kind("SELECT x'00ff' AS n"), ([pyarrow.binary()], [[b"\0\xff"]]))
        self.assertEqual(kind("SELECT is_idle FROM states LIMIT 1")[0], [pyarrow.bool_()])
        flags = "SELECT is_idle FROM states WHERE is_idle UNION SELECT"
        self.assertEqual(kind(f"{flags} 7"), ([pyarrow.int64()], [[1], [7]]))
        self.assertEqual(kind(f"{flags} 0.5"), ([pyarrow.float64()], [[0.5], [1.0]]))
        least = kind("SELECT -9223372036854775808 AS n UNION ALL SELECT 0.5")
        self.assertEqual(least, ([pyarrow.float64()], [[-(2.0**63)], [0.5]]))
        # Of a table's column it is known what it would have.
        none, rows = kind("SELECT ns, event, NULL AS n FROM events WHERE ns < 0")
        self.assertEqual((none, rows), ([pyarrow.int64(), pyarrow.string(), pyarrow.null()], []))
        # It changes after batches that are full.
        late = "SELECT number, CASE WHEN number > 40000 THEN number + 0.5 WHEN number > 100 THEN number END AS n FROM (WITH RECURSIVE c(number) AS"
        types, rows = kind(f"{late} (SELECT 1 UNION ALL SELECT number + 1 FROM c LIMIT 70000) SELECT number FROM c)")
        self.assertEqual(types, [pyarrow.int64(), pyarrow.float64()])
        expected = lambda it: None if it <= 100 else float(it) if it <= 40000 else it + 0.5
        self.assertEqual(rows, [[it, expected(it)] for it in range(1, 70001)])

    def test_what_has_no_type(self):
        for sql, text in [
            ("SELECT 1 AS n UNION ALL SELECT 'a'", "column n has integers and texts.*write CAST\\(n AS TEXT\\)"),
            ("SELECT 'a' AS n UNION ALL SELECT x'00'", "column n has texts and blobs"),
            ("SELECT 0.5 AS n UNION ALL SELECT 9007199254740993", "integer 9007199254740993, which has too many digits"),
            ("SELECT 9007199254740993 AS n UNION ALL SELECT 0.5", "integer 9007199254740993, which has too many digits"),
            ("SELECT 1 AS n, 2 AS n", "two columns are called n: give one another name with AS"),
        ]:
            with self.assertRaisesRegex(tband.Error, text):
                tband.query(sql, "recording.bin")

    def test_an_answer_is_small(self):
        """A million rows take a fraction of what dicts take: a few columns of 8 bytes each."""
        script = """
import sys, tband
def high():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
counter = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT %d) SELECT n, n * 3 AS m, 'task' AS task FROM c"
tband.query(counter % 1000, "recording.bin")
before = high()
answer = tband.query(counter % 1_000_000, "recording.bin")
print(len(answer), high() - before)
"""
        rows, kib = map(int, subprocess.check_output([sys.executable, "-c", script]).split())
        self.assertEqual(rows, 1_000_000)
        # 16 bytes of integers, 4 of a text and 4 of its place, and room that builders have left: with dicts 480 MiB.
        self.assertLess(kib, 64 * 1024)


class Damaged(unittest.TestCase):
    def same(self, name):
        read = tband.open(name)
        rows = {table: read[table].to_pyarrow() for table in tband.TABLES}
        self.assertEqual(rows["events"].num_rows, query("SELECT count(*) AS n FROM events", name)[0]["n"])
        found = query("SELECT ns, core, problem, severity, amount, text, input, \"offset\" FROM losses", name)
        self.assertEqual(rows["losses"].drop_columns(["recording"]).to_pylist(), found)
        check = json.loads(cli("check", "--json", name))
        self.assertEqual(rows["recordings"]["findings"].to_pylist(), [sum(it["count"] for it in check["findings"])])
        return check

    def test_damaged_and_cut_off(self):
        whole = Path("recording.bin").read_bytes()
        for at in [1, 2, 3, 100, 1001, 20_000, len(whole) - 1]:
            Path("cut.bin").write_bytes(whole[:at] + b"\x05")
            try:
                tband.check("cut.bin")
            except tband.Error as error:
                self.assertLess(at, 100)
                self.assertEqual(error.file, "cut.bin")
                continue
            self.assertNotEqual(self.same("cut.bin")["verdict"], "whole", at)
        damaged = bytearray(whole)
        for at in range(500, len(damaged), 997):
            damaged[at] ^= 0x5A
        Path("damaged.bin").write_bytes(damaged)
        self.assertEqual(self.same("damaged.bin")["verdict"], "damage")
        self.assertFalse(tband.check("damaged.bin").is_clean)

    def test_losses(self):
        losses = tband.open("large.bin").losses.to_pandas()
        lost = int(losses.loc[losses["problem"] == "gap of lost events", "amount"].sum())
        self.assertGreater(lost, 0)
        self.assertEqual(tband.open("large.bin").recordings.to_pandas()["lost_events"].tolist(), [lost])

    def test_compressed(self):
        packed = gzip.compress(Path("recording.bin").read_bytes())
        Path("recording.gz").write_bytes(packed)
        self.assertEqual(tband.open("recording.gz").events.to_pyarrow().num_rows, 7057)
        Path("cut.gz").write_bytes(packed[: len(packed) // 2])
        with self.assertRaises(tband.Error) as raised:
            tband.open("cut.gz").events.to_pyarrow()
        self.assertIn("cut off or damaged", str(raised.exception))
        self.assertEqual(raised.exception.file, "cut.gz")


if __name__ == "__main__":
    unittest.main()
