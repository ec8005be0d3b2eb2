"""The package where there is no other one: what it has, its findings, answers and errors."""

import ast
import importlib.metadata
import inspect
import json
import os
import subprocess
import types
import typing
import unittest
from pathlib import Path

import tband


def cli(*args):
    """What the command line prints; it may find damage."""
    ran = subprocess.run([os.environ["TBAND_CLI"], *args], capture_output=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


class Stubs(unittest.TestCase):
    """The type stubs name what there is, and nothing else."""

    def setUp(self):
        stubs = Path(tband.__file__).with_suffix(".pyi")
        self.body = ast.parse(stubs.read_text()).body
        self.assertTrue(stubs.with_name("py.typed").exists())

    def test_names(self):
        names = {it.name for it in self.body if isinstance(it, (ast.ClassDef, ast.FunctionDef)) and it.name[:1] != "_"}
        names |= {it.target.id for it in self.body if isinstance(it, ast.AnnAssign) and it.target.id[:1].isupper()}
        names |= {"__version__"}
        self.assertEqual(names, set(tband.__all__))

    def test_functions(self):
        functions = [it for it in self.body if isinstance(it, ast.FunctionDef)]
        self.assertEqual(len(functions), 3)
        for stub in functions:
            there = inspect.signature(getattr(tband, stub.name)).parameters.values()
            of_kind = lambda *kinds: [it.name for it in there if it.kind in kinds]
            self.assertEqual([it.arg for it in stub.args.args], of_kind(inspect.Parameter.POSITIONAL_OR_KEYWORD))
            self.assertEqual(stub.args.vararg.arg, "paths")
            self.assertEqual([it.arg for it in stub.args.kwonlyargs], of_kind(inspect.Parameter.KEYWORD_ONLY))
            defaults = [ast.literal_eval(it) for it in stub.args.kw_defaults]
            self.assertEqual(defaults, [it.default for it in there if it.kind is inspect.Parameter.KEYWORD_ONLY])

    def test_members(self):
        classes = [it for it in self.body if isinstance(it, ast.ClassDef) and it.name != "Error"]
        classes = [it for it in classes if not it.name.startswith("_")]
        self.assertEqual(len(classes), 5)
        usual = set(dir(object)) | {"__module__"}
        for stub in classes:
            there = set(vars(getattr(tband, stub.name))) - usual
            self.assertEqual({it.name for it in stub.body if isinstance(it, ast.FunctionDef)}, there, stub.name)

    def test_no_type_is_left_open(self):
        names = {it.id for statement in self.body for it in ast.walk(statement) if isinstance(it, ast.Name)}
        self.assertIn("_Details", names)
        self.assertNotIn("Any", names)

    def test_details(self):
        """What `check` prints has the types that the stubs name."""
        names = vars(typing).copy()
        for it in self.body:
            is_alias = isinstance(it, ast.AnnAssign) and it.value is not None and it.target.id != "_Path" and it.target.id != "_Input"
            is_dict = isinstance(it, ast.Assign) and it.targets[0].id == "_Shed" or isinstance(it, ast.ClassDef) and it.bases and it.bases[0].id == "TypedDict"
            if is_alias or is_dict:
                # A member may be called as a type is.
                exec("from __future__ import annotations\n" + ast.unparse(it), names)
        known = {key: value for key, value in names.items() if typing.is_typeddict(value)}
        for kind in known.values():
            kind.__annotations__ = {
                key: eval(getattr(it, "__forward_arg__", "it"), dict(names), {"it": it}) for key, it in kind.__annotations__.items()
            }
        seen = set()

        def check(value, kind, where):
            if typing.is_typeddict(kind):
                self.assertEqual(set(value), set(kind.__annotations__), where)
                for key, member in kind.__annotations__.items():
                    check(value[key], member, f"{where}.{key}")
                seen.add(kind.__name__)
            elif typing.get_origin(kind) is list:
                self.assertIsInstance(value, list, where)
                for it in value:
                    check(it, typing.get_args(kind)[0], where)
            elif typing.get_origin(kind) is dict:
                for key, it in value.items():
                    check(it, typing.get_args(kind)[1], f"{where}.{key}")
            elif typing.get_origin(kind) is typing.Literal:
                self.assertIn(value, typing.get_args(kind), where)
            elif typing.get_origin(kind) is types.UnionType:
                if value is not None:
                    check(value, typing.get_args(kind)[0], where)
            else:
                self.assertIs(type(value), kind, where)

        for name in ["recording.bin", "late.bin", "base.bin", "large.bin", "records.bin", "names.bin"]:
            check(tband.check(name).details, known["_Details"], name)
        check(tband.check(("one.bin", 0), ("two.bin", 1), align="received").details, known["_Details"], "clocks")
        check(tband.check("records.bin", elf="firmware.elf").details, known["_Details"], "program")
        self.assertGreaterEqual(seen, {"_Details", "_Firmware", "_Finding", "_Crash", "_Clock"})

    def test_tables(self):
        recording = tband.open("recording.bin")
        for name in tband.TABLES:
            table = getattr(recording, name)
            self.assertEqual((table.name, table.columns), (name, recording[name].columns))
            self.assertEqual(table.columns[0], "recording")
        with self.assertRaisesRegex(KeyError, "event.*tables: events, states"):
            recording["event"]


class Distribution(unittest.TestCase):
    def test_it_has_the_notices_of_what_is_compiled_into_it(self):
        files = importlib.metadata.files("tband")
        notices = [it.read_text() for it in files if it.name == "NOTICES.txt"]
        self.assertEqual(len(notices), 1)
        self.assertIn("arrow-array", notices[0])
        self.assertEqual(importlib.metadata.version("tband"), tband.__version__)
        self.assertEqual(importlib.metadata.requires("tband"), None)


class Answers(unittest.TestCase):
    def test_check_is_that_of_the_command_line(self):
        for name in ["recording.bin", "base.bin", "large.bin"]:
            check = tband.check(name)
            expected = json.loads(cli("check", "--json", name))
            self.assertEqual(check.details, expected)
            self.assertEqual((check.verdict, check.events), (expected["verdict"], expected["events"]))
            self.assertEqual(check.is_clean, expected["verdict"] == "whole")
            keys = ["finding", "severity", "count", "amount", "file", "offset", "text", "means", "advice"]
            found = [{key: getattr(it, key) for key in keys} for it in check.findings]
            self.assertEqual(found, expected["findings"])
        self.assertGreater(len(check.findings), 0)
        self.assertIn("gap of lost events", repr(check.findings))

    def test_query_is_that_of_the_command_line(self):
        sql = "SELECT event, count(*) AS times, max(ns) AS last, avg(ns) AS mean, NULL AS n FROM events GROUP BY 1 ORDER BY 1"
        rows = tband.query(sql, "recording.bin", begin="1ms", end=200_000_000)
        printed = cli("query", "--json", "--from", "1ms", "--to", "200ms", sql, "recording.bin")
        self.assertEqual(rows.to_dicts(), [json.loads(line) for line in printed.splitlines()])
        self.assertEqual(rows.columns, ("event", "times", "last", "mean", "n"))
        self.assertGreater(len(rows), 5)
        self.assertEqual(repr(rows), f"<tband.Answer: {len(rows)} rows, 5 columns>")
        none = tband.query("SELECT * FROM heap", "recording.bin")
        self.assertEqual((none.to_dicts(), len(none)), ([], 0))
        each = tband.query("SELECT file, events FROM recordings", "recording.bin", "late.bin", each=True).to_dicts()
        self.assertEqual(each, [{"file": "recording.bin", "events": 7057}, {"file": "late.bin", "events": 2420}])

    def test_cores(self):
        ways = [("core0.bin", "core1.bin"), (["core0.bin", "core1.bin"],), (("core0.bin", 0), (Path("core1.bin"), 1))]
        asked = [tband.query("SELECT core, count(*) AS n FROM events GROUP BY core", *way).to_dicts() for way in ways]
        self.assertEqual([it["core"] for it in asked[2]], [0, 1])
        self.assertEqual(asked[0], asked[1])

    def test_options(self):
        ns = lambda **how: tband.query("SELECT max(ns) AS ns FROM events", "recording.bin", **how).to_dicts()[0]["ns"]
        self.assertEqual(ns(), 633_164_760)
        self.assertEqual(ns(tick_rate=50_000_000), 633_164_760 // 2)
        self.assertEqual(ns(tick_rate="50M"), ns(tick_rate=50_000_000))
        self.assertLessEqual(ns(end="5ms"), 5_000_000)
        self.assertGreater(tband.check("recording.bin", mode="bare-metal").details["findings"][0]["count"], 100)
        Path("text").write_text(Path("recording.bin").read_bytes().hex())
        self.assertEqual(tband.check("text").events, tband.check("text", format="hex").events)


class Programs(unittest.TestCase):
    """`elf`: what records mean and where crashes are is in the program."""

    ASKED = "SELECT text AS said FROM markers UNION ALL SELECT object || '=' || value FROM levels"

    def test_records(self):
        rows = tband.query(self.ASKED, "records.bin", elf="firmware.elf").to_dicts()
        self.assertEqual([it["said"] for it in rows], ["pos x=-7 of 100", "x=-7"])
        printed = cli("query", "--json", "--elf", "firmware.elf", self.ASKED, "records.bin")
        self.assertEqual(rows, [json.loads(line) for line in printed.splitlines()])
        for elf in (Path("firmware.elf"), b"firmware.elf", os.path.abspath("firmware.elf")):
            self.assertEqual(tband.query(self.ASKED, "records.bin", elf=elf).to_dicts(), rows)
        each = tband.query(self.ASKED, "records.bin", "late.bin", elf="firmware.elf", each=True).to_dicts()
        self.assertIn({"said": "pos x=-7 of 100"}, each)
        without = tband.query(self.ASKED, "records.bin").to_dicts()
        self.assertEqual(len(without), 1)
        self.assertIn("record with a format that is not known, at 0x1", without[0]["said"])

    def test_crashes(self):
        check = tband.check("records.bin", elf="firmware.elf")
        self.assertEqual(check.details, json.loads(cli("check", "--json", "--elf", "firmware.elf", "records.bin")))
        self.assertEqual(check.details["crashes"][0]["places"], ["crashing"])
        self.assertEqual(tband.check("records.bin").details["crashes"][0]["places"], [])


class Clocks(unittest.TestCase):
    """`align`: files of boards, each with a clock of its own."""

    ASKED = "SELECT input, ns, fields ->> 'val' AS val FROM events WHERE event = 'valmarker' ORDER BY ns, input"
    TWO = (("one.bin", 0), ("two.bin", 1))

    def ask(self, align, **how):
        return tband.query(self.ASKED, *self.TWO, align=align, **how).to_dicts()

    def test_it_is_that_of_the_command_line(self):
        for align in ("clock-sync", "received"):
            rows = self.ask(align)
            self.assertEqual(len(rows), 200)
            printed = cli("query", "--json", "--align", align, self.ASKED, "one.bin@0", "two.bin@1")
            self.assertEqual(rows, [json.loads(line) for line in printed.splitlines()])
            # A number is heard after it was sent: by the boards' own clocks it is a second off.
            off = [it["ns"] for it in rows if it["val"] == 6]
            self.assertLess(off[1] - off[0], 100_000)
            off = [it["ns"] for it in self.ask(None) if it["val"] == 6]
            self.assertGreater(off[1] - off[0], 900_000_000)

    def test_paths_are_one_list_too(self):
        way = tband.query(self.ASKED, list(self.TWO), align="clock-sync").to_dicts()
        self.assertEqual(way, self.ask("clock-sync"))
        # Without their cores they are one recording, as for the command line.
        with self.assertRaisesRegex(tband.Error, r'as \("one.bin", 0\), \("other.bin", 1\)'):
            tband.query(self.ASKED, ["one.bin", "two.bin"], align="clock-sync")

    def test_check_reports_the_quality(self):
        for align in ("clock-sync", "received"):
            check = tband.check(*self.TWO, align=align)
            printed = json.loads(cli("check", "--json", "--align", align, "one.bin@0", "two.bin@1"))
            self.assertEqual(check.details, printed)
            within = check.details["clocks"][-1]["right_within_ns"]
            self.assertGreater(within, 0)
        self.assertGreater(tband.check(*self.TWO, align="received", align_within="1ms").details["clocks"][-1]["right_within_ns"], within)


class Errors(unittest.TestCase):
    def fails(self, texts, call, *args, **how):
        with self.assertRaises(tband.Error) as raised:
            call(*args, **how)
        for text in texts:
            self.assertIn(text, str(raised.exception))
        return raised.exception

    def test_files(self):
        for call in (tband.open, tband.check, lambda *it, **how: tband.query("SELECT * FROM events", *it, **how)):
            self.fails(["name its file"], call)
            error = self.fails(["cannot read", "missing.bin"], call, "missing.bin")
            self.assertEqual((error.file, error.offset), ("missing.bin", None))
            self.assertIn("No such file", error.found)
            self.assertEqual(self.fails(["it is a folder", "name the files"], call, ".").file, ".")
            self.fails(["given twice"], call, "recording.bin", "./recording.bin")
            self.fails(["read once only"], call, "/dev/null")

    def test_contents(self):
        Path("empty").touch()
        Path("no_recording").write_bytes(bytes(range(1, 255)) * 40)
        Path("text").write_text(Path("recording.bin").read_bytes().hex())
        Path("copy").write_bytes(Path("recording.bin").read_bytes())
        for call in (
            lambda *it, **how: tband.open(*it, **how).events.__arrow_c_stream__(),
            tband.check,
            lambda *it, **how: tband.query("SELECT * FROM events", *it, **how),
        ):
            error = self.fails(["holds no event", "0 bytes", "tband_start_streaming"], call, "empty")
            self.assertEqual((error.file, error.offset), ("empty", 0))
            error = self.fails(["not a tband recording", "the first that does not is at byte 0"], call, "no_recording")
            self.assertEqual((error.file, error.offset), ("no_recording", 0))
            self.assertIsNotNone(error.found)
            self.fails(["it looks like hex text: use format=\"hex\""], call, "text", format="bin")
            self.fails(["have the same content"], call, "recording.bin", "copy")

    def test_options(self):
        for how, text in [
            ({"format": "txt"}, "format=txt: txt is none of bin, hex"),
            ({"mode": "linux"}, "mode=linux"),
            ({"core_count": 0}, "core_count=0: a number from 1 to"),
            ({"core_count": -1}, "core_count=-1"),
            ({"core_count": 1 << 70}, "core_count="),
            ({"tick_rate": 0}, "tick_rate=0"),
            ({"tick_rate": "fast"}, "tick_rate=fast"),
            ({"align": "stars"}, "align=stars: clock-sync"),
            ({"begin": "soon"}, "begin=soon: a time such as 1.5ms"),
            ({"begin": -1}, "begin=-1: a number of ns"),
            ({"begin": 1.5}, "begin: a number of ns is needed"),
            ({"end": 1 << 64}, "end="),
        ]:
            self.fails([text], tband.open, "recording.bin", **how)
        self.fails(["core=64"], tband.open, ("recording.bin", 64))
        for wrong in [3, None, (), ("recording.bin",), ("recording.bin", 0, 1)]:
            with self.assertRaises(TypeError):
                tband.open(wrong)
        for wrong in [3, [], ("firmware.elf", 0)]:
            with self.assertRaises(TypeError):
                tband.open("recording.bin", elf=wrong)
        with self.assertRaises(TypeError):
            tband.open("recording.bin", map="firmware.map")
        self.fails(["window ends"], tband.open("recording.bin", begin=2, end=1).events.__arrow_c_stream__)

    def test_programs(self):
        for call in (tband.open, tband.check, lambda *it, **how: tband.query("SELECT * FROM events", *it, **how)):
            error = self.fails(["cannot read none.elf"], call, "records.bin", elf="none.elf")
            self.assertEqual((error.file, error.offset), ("none.elf", None))
            self.assertIn("No such file", error.found)
            text = "records.bin is not an ELF file; give the one that the firmware was made of"
            self.assertEqual(self.fails([text], call, "records.bin", elf="records.bin").file, "records.bin")
            self.fails([". is not an ELF file"], call, "records.bin", elf=".")

    def test_clocks(self):
        for call in (
            lambda *it, **how: tband.open(*it, **how).events.__arrow_c_stream__(),
            tband.check,
            lambda *it, **how: tband.query("SELECT * FROM events", *it, **how),
        ):
            two = (("one.bin", 0), ("two.bin", 1))
            self.fails(["two.bin has 0 moments in common with", "one.bin"], call, *two, align="marker:pulse")
            self.fails(["there is one clock"], call, "recording.bin", align="clock-sync")
            error = self.fails(["not known when it was received"], call, ("recording.bin", 0), ("late.bin", 1), align="received")
            self.assertIsNone(error.offset)
            Path("core0.bin.times").write_text("5 7\nsoon\n")
            Path("core1.bin.times").write_text("5 7\n")
            error = self.fails(["line 2 is 'soon', not a number of bytes"], call, "core0.bin", "core1.bin", align="received")
            self.assertEqual(error.file, "core0.bin.times")
            Path("core0.bin.times").unlink()
            Path("core0.bin.times").mkdir()
            error = self.fails(["cannot read core0.bin.times"], call, "core0.bin", "core1.bin", align="received")
            Path("core0.bin.times").rmdir()

    def test_questions(self):
        sql = "SELECT\n  nz FROM events"
        error = self.fails(["no such column: nz; did you mean ns?", "\n  nz FROM events\n  ^"], tband.query, sql, "recording.bin")
        self.assertIsNone(error.file)
        self.fails(["a query reads the tables"], tband.query, "DROP TABLE events", "recording.bin")
        # The mistake is found before any file is read.
        Path("empty").touch()
        self.fails(["no such table"], tband.query, "SELECT 1 FROM tasks", "empty")


class Help(unittest.TestCase):
    def test_help_is_the_documentation_of_the_stubs(self):
        stubs = ast.parse(Path(tband.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
        functions = [it for it in stubs.body if isinstance(it, ast.FunctionDef)]
        self.assertEqual({it.name for it in functions}, {"open", "check", "query"})
        for function in functions:
            documentation = ast.get_docstring(function)
            self.assertEqual(inspect.getdoc(getattr(tband, function.name)), documentation, function.name)


if __name__ == "__main__":
    unittest.main()
