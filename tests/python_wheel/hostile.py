"""What programs do to the package that nobody would do on purpose, and recordings that are made to harm."""

import ctypes
import functools
import gc
import operator
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path

import polars
import pyarrow

import tband

ROWS = 7057


@functools.cache
def in_large():
    """How many events there are in the large recording."""
    return tband.check("large.bin").events


def count(recording, table="events"):
    return pyarrow.table(recording[table]).num_rows


class Streams(unittest.TestCase):
    def test_a_table_is_read_as_often_as_it_is_asked_for(self):
        events = tband.open("recording.bin").events
        first = pyarrow.table(events)
        self.assertTrue(first.equals(pyarrow.table(events)))
        self.assertTrue(first.equals(pyarrow.table(tband.open("recording.bin").events)))

    def test_two_at_once(self):
        events = tband.open("large.bin").events
        one, two = (pyarrow.RecordBatchReader.from_stream(events) for _ in range(2))
        for left, right in zip(one, two, strict=True):
            self.assertTrue(left.equals(right))

    def test_a_stream_outlives_its_table(self):
        recording = tband.open("large.bin")
        reader = pyarrow.RecordBatchReader.from_stream(recording.events)
        del recording
        gc.collect()
        self.assertEqual(sum(batch.num_rows for batch in reader), in_large())

    def test_batches_outlive_their_stream(self):
        reader = pyarrow.RecordBatchReader.from_stream(tband.open("large.bin").events)
        batch = reader.read_next_batch()
        reader.close()
        del reader
        gc.collect()
        batch.validate(full=True)
        self.assertEqual(batch.column_names[0], "recording")

    def test_streams_without_a_reader_end(self):
        """Their threads do: of a dozen that were begun none is left."""
        events = tband.open("large.bin").events
        for _ in range(6):
            events.__arrow_c_stream__()
            pyarrow.RecordBatchReader.from_stream(events).read_next_batch()
        gc.collect()
        # They see it when they read on; the last ones may be about to.
        for _ in range(600):
            if threads() <= before():
                return
            threading.Event().wait(0.1)
        self.fail(f"{threads()} threads, {before()} before")

    def test_the_file_goes(self):
        Path("gone.bin").write_bytes(Path("recording.bin").read_bytes())
        recording = tband.open("gone.bin")
        self.assertEqual(count(recording), ROWS)
        Path("gone.bin").unlink()
        for call in (count, lambda it: it.events.to_polars(), lambda it: it.states.to_pandas()):
            with self.assertRaisesRegex(tband.Error, "cannot read gone.bin"):
                call(recording)

    def test_the_file_gets_shorter_while_it_is_read(self):
        Path("shorter.bin").write_bytes(Path("large.bin").read_bytes())
        reader = pyarrow.RecordBatchReader.from_stream(tband.open("shorter.bin").events)
        reader.read_next_batch()
        os.truncate("shorter.bin", 1000)
        self.assertLess(sum(batch.num_rows for batch in reader), in_large())

    def test_another_schema_is_left_to_the_reader(self):
        states = tband.open("recording.bin").states
        other = pyarrow.schema([pyarrow.field("ns", pyarrow.int32())])
        capsule = states.__arrow_c_stream__(other.__arrow_c_schema__())
        self.assertIn("arrow_array_stream", repr(capsule))
        states.__arrow_c_stream__(requested_schema=None)

    def test_memory_does_not_grow_with_the_recording(self):
        script = """
import sys, pyarrow, tband
def high():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
tables = tband.open(sys.argv[1])
rows = sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(tables["events"]))
print(rows, high())
"""
        Path("half.bin").write_bytes(Path("large.bin").read_bytes()[:270_000])
        run = lambda name: [int(it) for it in subprocess.check_output([sys.executable, "-c", script, name]).split()]
        (few, of_few), (many, of_many) = run("half.bin"), run("large.bin")
        self.assertGreater(many, 2 * few)
        self.assertLess(of_many, of_few + 8 * 1024)


def threads():
    return len(os.listdir("/proc/self/task"))


def before(known=[]):
    """How many threads there were when nothing had been read."""
    if not known:
        known.append(threads())
    return known[0]


class Threads(unittest.TestCase):
    def test_many_read_at_once(self):
        recording = tband.open("recording.bin")
        wrong = []

        def work(number):
            table = tband.TABLES[number % len(tband.TABLES)]
            try:
                if count(recording, table) != expected[table] or tband.check("late.bin").events != 2420:
                    wrong.append(table)
                rows = tband.query("SELECT count(*) AS n FROM waits", "recording.bin").to_dicts()
                if rows != [{"n": expected["waits"]}]:
                    wrong.append(rows)
            except BaseException as error:
                wrong.append(error)

        expected = {table: count(recording, table) for table in tband.TABLES}
        workers = [threading.Thread(target=work, args=(number,)) for number in range(18)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])

    def test_python_runs_meanwhile(self):
        """The lock of Python is free while a recording is read: another thread goes on."""
        steps, done = 0, threading.Event()
        worker = threading.Thread(target=lambda: (tband.check("large.bin"), done.set()))
        worker.start()
        while not done.wait(0.005):
            steps += 1
        worker.join()
        self.assertGreater(steps, 10)

    def test_a_thread_that_did_not_open_it_reads_it(self):
        reader = pyarrow.RecordBatchReader.from_stream(tband.open("large.bin").events)
        rows = []
        worker = threading.Thread(target=lambda: rows.append(reader.read_all().num_rows))
        worker.start()
        worker.join()
        self.assertEqual(rows, [in_large()])

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_another_process_does_not_wait_for_ever(self):
        reader = pyarrow.RecordBatchReader.from_stream(tband.open("large.bin").events)
        reader.read_next_batch()
        child = os.fork()
        if child == 0:
            try:
                while True:
                    reader.read_next_batch()
            except OSError as error:
                os._exit(7 if "another process" in str(error) else 8)
            except BaseException:
                os._exit(9)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)
        self.assertGreater(reader.read_all().num_rows, 0)


class Signals(unittest.TestCase):
    def interrupted(self, work):
        """Ctrl-C while this works is what it is elsewhere in Python."""
        script = f"""
import pandas, polars, pyarrow, tband  # now: importing them takes long, and the test does not interrupt that
recording = tband.open("huge.bin")
print("ready", flush=True)
try:
    {work}
    print("finished")
except BaseException as error:
    print(type(error).__name__, error)
"""
        if not Path("huge.bin").exists():
            with open("huge.bin", "wb") as huge:
                for _ in range(20):
                    huge.write(Path("large.bin").read_bytes())
        program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        self.assertEqual(program.stdout.readline(), "ready\n")
        threading.Event().wait(1)
        program.send_signal(signal.SIGINT)
        printed = program.stdout.read()
        program.stdout.close()
        self.assertEqual((program.wait(), printed.split()), (0, ["KeyboardInterrupt"]))

    def test_it_ends_what_reads(self):
        for work in (
            "tband.check('huge.bin')",
            "pyarrow.table(recording.events)",
            "recording.events.to_pandas()",
            "tband.query('SELECT count(*) FROM events', 'huge.bin')",
        ):
            self.interrupted(work)

    def test_it_ends_a_question(self):
        self.interrupted(
            "tband.query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n', 'late.bin')"
        )

    def test_it_ends_streams(self):
        """Where it comes while a library takes batches."""
        for work in ("recording.events.to_pyarrow()", "recording.events.to_polars()"):
            self.interrupted(f"recording = tband.open('large.bin')\n    while True: {work}")

    def test_it_ends_streams_whose_batches_are_ready(self):
        """A library takes batches without a step of Python between them; the signal comes while it does."""
        reader = pyarrow.RecordBatchReader.from_stream(tband.open("large.bin").events)
        threading.Event().wait(1)
        batches = []
        calls = [ctypes.pythonapi.PyErr_SetInterrupt, *[reader.read_next_batch] * 4]
        with self.assertRaises((KeyboardInterrupt, OSError)):
            batches.extend(map(operator.call, calls))
        # The call itself is the first one; the batch that was there when the stream was opened may be the second.
        self.assertLessEqual(len(batches), 2)

    def test_what_it_raises_is_in_the_error_of_a_library(self):
        def late(number, frame):
            raise TimeoutError("too late")

        reader = pyarrow.RecordBatchReader.from_stream(tband.open("large.bin").events)
        reader.read_next_batch()
        before = signal.signal(signal.SIGALRM, late)
        try:
            with self.assertRaisesRegex(OSError, "interrupted by a signal: TimeoutError: too late"):
                signal.setitimer(signal.ITIMER_REAL, 0.02)
                reader.read_all()
        finally:
            signal.signal(signal.SIGALRM, before)


class Names(unittest.TestCase):
    def test_paths(self):
        ways = ["recording.bin", b"recording.bin", Path("recording.bin"), pathlib.PurePath("recording.bin")]

        class Own:
            def __fspath__(self):
                return "recording.bin"

        for way in [*ways, Own(), [Own()], (b"recording.bin", 0)]:
            self.assertEqual(tband.check(way).events, ROWS)
            self.assertEqual(tband.open(way).files, ["recording.bin"])
        for way in ["recording\0.bin", b"recording\0.bin"]:
            with self.assertRaises(tband.Error):
                tband.open(way)
        with self.assertRaises(tband.Error):
            tband.open("")

    def test_names_that_are_no_text(self):
        name = b"caf\xe9 \xf0\x9f.bin"
        Path(os.fsdecode(name)).write_bytes(Path("recording.bin").read_bytes())
        for way in (name, os.fsdecode(name), Path(os.fsdecode(name))):
            recording = tband.open(way)
            self.assertEqual(count(recording), ROWS)
            self.assertIn("caf\ufffd", repr(recording) + repr(recording.events))
            self.assertEqual(set(recording.events.to_polars()["recording"]), {"caf\ufffd \ufffd.bin"})
            self.assertEqual(tband.query("SELECT file FROM recordings", way).to_dicts(), [{"file": "caf\ufffd \ufffd.bin"}])
        with self.assertRaises(tband.Error) as raised:
            tband.open(b"\xff\xfe")
        self.assertIn("\ufffd", str(raised.exception))

    def test_texts_of_a_recording(self):
        """Names that are no UTF-8, or steer a terminal, are texts of Python all the same: those of the other outputs."""
        states = tband.open("names.bin").states
        tasks = {"caf\ufffd", "π\ufffd\ufffd[1m"}
        self.assertEqual(set(pyarrow.table(states)["task"].to_pylist()), tasks)
        self.assertEqual(set(polars.DataFrame(states)["task"]), tasks)
        self.assertEqual({row["task"] for row in tband.query("SELECT task FROM states", "names.bin").to_dicts()}, tasks)


class Bytes(unittest.TestCase):
    def test_any_bytes(self):
        """Each is read, or an error that names the file."""
        draw = random.Random(1)
        whole = Path("recording.bin").read_bytes()[:4000]
        read = 0
        for case in range(150):
            data = bytearray(whole[: draw.randrange(len(whole))])
            for _ in range(draw.choice([0, 1, 5, 200])):
                if data:
                    data[draw.randrange(len(data))] = draw.randrange(256)
            if case % 5 == 0:
                data = bytearray(draw.randbytes(draw.randrange(300)))
            Path("any.bin").write_bytes(data)
            table = tband.TABLES[case % len(tband.TABLES)]
            try:
                pyarrow.table(tband.open("any.bin", mode="auto")[table]).validate(full=True)
                tband.check("any.bin")
                read += 1
            except tband.Error as error:
                self.assertEqual(error.file, "any.bin")
        self.assertGreater(read, 50)

    def test_what_is_not_made_to_be_made(self):
        for kind in (tband.Recording, tband.Table, tband.Answer, tband.Check, tband.Finding):
            with self.assertRaises(TypeError):
                kind()
        recording = tband.open("recording.bin")
        with self.assertRaises(AttributeError):
            recording.events = None
        with self.assertRaises(TypeError):
            recording[3]


if __name__ == "__main__":
    before()
    unittest.main()
