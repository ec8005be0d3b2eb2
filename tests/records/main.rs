//! Records of the application's own (`TBAND_RECORD`) against C's own `printf`, compiled as C and as C++; and mistakes that do not
//! compile.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;
use tband_conv::Input;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_format::registry::{DECLARED, RARE};
use tband_programs::output;
use tband_tests::c::{STRICT, Standard, compile_text, compiler, config_text, include, includes};
use tband_tests::lacking::shown;
use tband_tests::{archive, root, run, temp_dir, write};

const STREAMING: (&str, &str) = ("tband_configUSE_BACKEND_STREAMING", "1");
const LONG: (&str, &str) = ("tband_configMAX_STR_LEN", "300");
/// Ids of records with formats, and of those of elements.
const RECORD: u8 = 232;
const TYPED: u8 = 234;
const PROGRAM: u8 = 237;
const ROOM: (&str, &str) = ("tband_configMETADATA_BUF_SIZE", "65000");
const PACKETS: &[(&str, &str)] = &[
    ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
    ("tband_configPACKET_SIZE", "1024"),
    ("tband_configPACKET_COUNT", "4096"),
];

/// Builds a program of this folder with the fake port, as C or C++, and runs it: what it recorded, and what it wrote down.
fn recorded(
    source: &str,
    by: Command,
    suffix: &str,
    config: &[(&str, &str)],
) -> (Vec<u8>, Vec<u8>) {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(config));
    let port = root().join("tests/c/fake_port");
    let here = root().join("tests/records");
    let add = |command: &mut Command| {
        include(command, [folder.path(), &port, &here]);
        include(command, includes());
        include(command, [root().join("tests/c"), root().join("port")]);
    };
    let main = folder.path().join(format!("main.{suffix}"));
    write(&main, format!("#include \"{source}\"\n"));
    let object = folder.path().join("main.o");
    let mut compile = by;
    add(compile.args([
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wshadow",
        "-Wundef",
        "-Werror",
        "-O1",
    ]));
    // What gcc reports of printf itself.
    compile.args([
        "-Wno-format",
        "-Wno-float-conversion",
        "-Wno-double-promotion",
        "-Wno-conversion",
    ]);
    run(compile.arg("-c").arg(&main).arg("-o").arg(&object));
    let mut link = compiler(Standard::C11);
    add(link.args(STRICT).args(["-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"]));
    link.arg(root().join("port/tband_shim.c")).arg(port.join("fake_port.c"));
    let firmware = folder.path().join("firmware");
    link.arg(object).arg("-Wl,--gc-sections").arg(archive()).args(["-lpthread", "-ldl", "-lm"]);
    run(link.arg("-o").arg(&firmware));
    let expected = folder.path().join("expected");
    let stream = run(Command::new(&firmware).arg(&expected));
    (stream, fs::read(&expected).unwrap_or_default())
}

/// A text that is exactly as long as there is room for is whole; one of a character more is cut, and shown so.
#[test]
fn texts_are_cut_only_if_they_do_not_fit() {
    for config in [&[STREAMING][..], &[&[STREAMING][..], PACKETS].concat()] {
        let (stream, _) = recorded("edges.h", compiler(Standard::C11), "c", config);
        let shown: Vec<_> = json(&stream)
            .iter()
            .filter(|it| it["event"] == "record" || it["event"] == "typed")
            .map(|it| it["text"].as_str().expect("a text").to_owned())
            .collect();
        let expected = [
            "12345678901234567890",
            "1234567890123456789",
            "1234567890123456789…",
            "12345678901234567890",
            "1234567890123456789…",
            "123456789012345678\u{1}",
            "1234567890123456789…",
            "12345678901234567\u{1}…",
            "123456789012345678…",
            "12345678901234567890 …",
            "12345678901234567890…",
            "1234567890123456789 …",
            "record 1 12345678901234567",
            "record 1 12345678901234567 …",
            "record 1 12345678901234567 …",
        ];
        assert_eq!(shown, expected);
    }
}

/// Names that a program gives addresses are those of this program, whichever records there are.
#[test]
fn records_of_elements_say_which_program_it_is() {
    let elements = "TBAND_BEGIN(1, NULL) TBAND_U8(number) TBAND_END()";
    // In a critical section of other code.
    let masked = "fake_nests = true; { const int before = fake_enter(); \
                  TBAND_BEGIN(1, NULL) TBAND_U8(number) TBAND_END_NOCRIT() fake_exit(before); }";
    let format = r#"TBAND_RECORD("%d", number)"#;
    for (record, id) in [(elements, TYPED), (masked, TYPED), (format, RECORD)] {
        let config =
            [STREAMING, ("tband_configRECORD_DICTIONARY", "0"), ("RECORD(number)", record)];
        let (stream, _) = recorded("program.h", compiler(Standard::C11), "c", &config);
        let lines = json(&stream);
        let programs: Vec<_> = lines.iter().filter(|it| it["event"] == "program").collect();
        assert_eq!(programs.len(), 1, "{record}");
        // Readers that do not know records step over them.
        let described: Vec<_> = lines.iter().filter(|it| it["event"] == "event_schema").collect();
        let is_declared = |id: &Value| DECLARED.iter().any(|it| *id == it.id);
        let described: Vec<_> = described
            .iter()
            .map(|it| (&it["event_id"], &it["timed"]))
            .filter(|(id, _)| !is_declared(id))
            .collect();
        assert_eq!(described, [(&id.into(), &1.into()), (&PROGRAM.into(), &2.into())], "{record}");
        assert_eq!(
            (&programs[0]["first"], &programs[0]["second"]),
            (&0x0102_0304.into(), &0x0506_0708.into())
        );
    }
}

/// Records, formats, names and the program are shown by a reader that knows none of these events, with the shortest strings that are
/// usual and with shorter ones.
#[test]
fn a_recording_describes_the_events_of_records() {
    let record = "TBAND_RECORD(\"pos %d\", number); tband_name_symbol(&tband_build_note, \"a note\"); \
                  tband_name_constant(number, \"a number\"); \
                  TBAND_BEGIN(1, NULL) TBAND_U8(number) TBAND_END()";
    for format in [&[][..], PACKETS] {
        for (dictionary, of_program) in [("1", "format"), ("0", "program")] {
            let options =
                [("tband_configRECORD_DICTIONARY", dictionary), ("RECORD(number)", record)];
            let config = [&[STREAMING][..], format, &options].concat();
            let (stream, _) = recorded("program.h", compiler(Standard::C11), "c", &config);
            let expected = ["constant", of_program, "record", "symbol", "typed"];
            assert_eq!(shown(&stream), BTreeSet::from(expected), "{format:?}");
        }
    }
    // There is room for what metadata looks like, whatever strings have.
    let short = [
        STREAMING,
        ("tband_configMAX_STR_LEN", "6"),
        ("RECORD(number)", "tband_name_constant(number, \"a\")"),
    ];
    let (stream, _) = recorded("program.h", compiler(Standard::C11), "c", &short);
    assert_eq!(shown(&stream), BTreeSet::from(["constant"]));
}

/// Each event that firmware records and that some readers do not know is in a recording of a test like the one above. The
/// others are written by the reader of the program's debug info.
#[test]
fn each_event_of_firmware_is_shown_to_who_does_not_know_it() {
    let tests = [
        "qemu/crash.rs",
        "c_abi/filters/shedding.rs",
        "c_abi/triggers.rs",
        "c_abi/commands/mod.rs",
        "freertos_classes/main.rs",
        "records/main.rs",
    ];
    let tests = tests.map(|test| tband_tests::read(root().join("tests").join(test)));
    for def in RARE.iter().filter(|def| !["crash_places", "formats_of"].contains(&def.name)) {
        let name = format!("\"{}\"", def.name);
        assert!(
            tests.iter().any(|test| test.contains("shown(&") && test.contains(&name)),
            "{name}"
        );
    }
}

/// The lines of a recording as JSON.
fn json(recording: &[u8]) -> Vec<Value> {
    let mut out = Vec::new();
    let input = Input::from_bytes("records", recording);
    let summary = dump(&[input], DumpOptions::of(DumpFormat::Json), &mut out).expect("a recording");
    assert_eq!(summary.first_defect, None);
    let text = String::from_utf8(out).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn texts(recording: &[u8]) -> Vec<String> {
    let records = json(recording).into_iter().filter(|it| it["event"] == "record");
    records.map(|it| it["text"].as_str().expect("a text").to_owned()).collect()
}

fn compare(by: Command, suffix: &str, config: &[(&str, &str)]) {
    let config = [&[STREAMING, LONG, ROOM], config].concat();
    let (stream, expected) = recorded("all.h", by, suffix, &config);
    let expected = String::from_utf8_lossy(&expected).into_owned();
    let expected: Vec<&str> = expected.split_terminator('\0').collect();
    let found = texts(&stream);
    assert!(expected.len() > 5000, "{}", expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn records_in_frames_are_what_printf_gives() {
    compare(compiler(Standard::C11), "c", &[]);
}

#[test]
fn records_in_packets_are_what_printf_gives() {
    compare(compiler(Standard::C11), "c", PACKETS);
}

#[test]
fn so_they_are_from_cxx() {
    for standard in [Standard::Cxx11, Standard::Cxx20] {
        compare(compiler(standard), "cpp", PACKETS);
    }
}

/// Where it is installed.
#[test]
fn so_they_are_from_clang() {
    for (compiler, standard, suffix) in
        [("clang", Standard::C11, "c"), ("clang++", Standard::Cxx17, "cpp")]
    {
        if output(Command::new(compiler).arg("--version")).is_ok_and(|it| it.status.success()) {
            let mut command = Command::new(compiler);
            command.arg(standard.option());
            compare(command, suffix, PACKETS);
        }
    }
}

/// Compiles a call, and returns the compiler's message.
fn refused(standard: Standard, call: &str) -> Option<String> {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(&[STREAMING]));
    let text = format!(
        "#include \"tband.h\"\nstruct thing {{ int x; }};\nvoid f(struct thing thing, int number);\n\
         void f(struct thing thing, int number) {{\n  (void)thing;\n  (void)number;\n  {call};\n}}\n"
    );
    let object = folder.path().join("call.o");
    compile_text(standard, STRICT, &[folder.path()], &text, &object).err()
}

#[test]
fn mistakes_do_not_compile() {
    for standard in [Standard::C11, Standard::Cxx17] {
        for good in [
            "TBAND_RECORD(\"a\")",
            "TBAND_RECORD(\"\")",
            "TBAND_RECORD(\"%d\", number)",
            "TBAND_RECORD_END(\"%.4s\", TBAND_CHARS(\"abcd\", 4U))",
            "TBAND_RECORD_BEGIN(\"%p\", TBAND_MEM(&number, 4U))",
            "TBAND_RECORD_END(\"%p %p\", (void *)&number, TBAND_FUN(f))",
            "TBAND_RECORD(\"%d %d %d %d %d %d %d %d\", 1, 2, 3, 4, 5, 6, 7, 8)",
            "if (number > 1) TBAND_RECORD(\"a\"); else TBAND_RECORD(\"b\")",
            "TBAND_BEGIN(1, &number) TBAND_U8(2) TBAND_STR(\"a\") TBAND_F64(2.0) TBAND_END()",
            "TBAND_BEGIN(1, NULL) TBAND_BOOL(number > 1) TBAND_BYTES(&number, 4U) TBAND_END_NOCRIT()",
            "TBAND_OBJ_DICTIONARY(&number); TBAND_FUN_DICTIONARY(f); TBAND_ENUM_DICTIONARY(0, 5)",
        ] {
            assert_eq!(refused(standard, good), None, "{good}");
        }
        for (bad, printed) in [
            // Too few, too many, of other types.
            ("TBAND_RECORD(\"%d %d\", number)", "expects a matching"),
            ("TBAND_RECORD(\"%d\", number, number)", "too many arguments"),
            ("TBAND_RECORD(\"%s\", number)", "expects argument of type"),
            ("TBAND_RECORD(\"%d\", \"text\")", "expects argument of type"),
            ("TBAND_RECORD(\"%d\", 1.0)", "expects argument of type"),
            ("TBAND_RECORD(\"%lld\", number)", "expects argument of type"),
            ("TBAND_RECORD(\"%d\", TBAND_MEM(&number, 4U))", "expects argument of type"),
            ("TBAND_RECORD(\"%p\", TBAND_CHARS(\"abcd\", 4U), 1)", "too many arguments"),
            ("TBAND_RECORD(\"%d\", TBAND_CHARS(\"abcd\", 4U))", "expects argument of type"),
            ("TBAND_RECORD(\"%k\", number)", "unknown conversion"),
            // Invalid arguments, and formats that are not literals.
            ("TBAND_RECORD(\"%d\", thing)", ""),
            ("const char *const format = \"a\"; TBAND_RECORD(format)", ""),
            ("TBAND_RECORD(\"%d %d %d %d %d %d %d %d %d\", 1, 2, 3, 4, 5, 6, 7, 8, 9)", ""),
            ("TBAND_RECORD()", ""),
            ("TBAND_BEGIN(1, NULL) TBAND_STR(number) TBAND_END()", ""),
            ("TBAND_BEGIN(1, NULL) TBAND_U8(thing) TBAND_END()", ""),
        ] {
            let complaint = refused(standard, bad).unwrap_or_else(|| panic!("{bad} compiles"));
            assert!(complaint.contains("error"), "{bad}: {complaint}");
            assert!(complaint.contains(printed), "{bad}: {complaint}");
        }
    }
}

/// In C99 there is no `_Generic`.
#[test]
fn older_c_has_everything_but_records() {
    assert_eq!(refused(Standard::C99, "tband_evtmarker(1, \"a\")"), None);
    assert!(refused(Standard::C99, "TBAND_RECORD(\"a\")").is_some());
}

/// Nothing of it is left where the recorder is off, and arguments are checked all the same.
#[test]
fn records_compile_to_nothing_without_the_recorder() {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), "#define tband_configENABLE 0\n");
    let object = folder.path().join("call.o");
    for standard in [Standard::C11, Standard::Cxx17] {
        let compile = |call: &str| {
            let text = format!(
                "#include \"tband.h\"\nint f(int a);\nint f(int a) {{\n  TBAND_RECORD({call});\n  return a;\n}}\n"
            );
            compile_text(standard, STRICT, &[folder.path()], &text, &object)
        };
        assert_eq!(
            compile(
                "\"some %d\", a++); TBAND_BEGIN(1, &a) TBAND_STR(\"some\") TBAND_I32(a) TBAND_END() (void)(0"
            ),
            Ok(())
        );
        let program = fs::read(&object).expect("an object");
        assert!(!program.windows(4).any(|it| it == b"some"));
        assert!(compile("\"some %d\"").is_err());
    }
}

/// With strings that are too short for arguments, and where nothing is kept: every record is there, and reports its missing
/// parts.
#[test]
fn records_are_recorded_in_any_configuration() {
    let small =
        [STREAMING, ("tband_configMAX_STR_LEN", "2"), ("tband_configUSE_METADATA_BUF", "0")];
    for config in [&small[..], &[&small[..], PACKETS].concat()] {
        let (stream, expected) = recorded("all.h", compiler(Standard::C11), "c", config);
        let records = json(&stream).into_iter().filter(|it| it["event"] == "record").count();
        assert_eq!(records, expected.iter().filter(|byte| **byte == 0).count());
    }
}
