//! Missing or wrong settings in a configuration or a port are reported by the compiler, with the lines to paste; and these
//! lines are right.

use std::fmt::Write as _;

use tband_tests::c::Standard;
use tband_tests::{read, root, write};

use crate::{Project, including};

const STREAMING: &str =
    "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_STREAMING 1\n";

/// A whole port for the streaming backend.
const PORT: [&str; 5] = [
    "#define tband_portTIMESTAMP() 0U",
    "#define tband_portTIMESTAMP_FREQUENCY_HZ 1",
    "#define tband_portENTER_CRITICAL_FROM_ANY() (void)0",
    "#define tband_portEXIT_CRITICAL_FROM_ANY() (void)0",
    "#define tband_portBACKEND_STREAM_DATA(buf, len) ((void)(buf), (len) == 0U)",
];

fn shim(project: &Project) -> Result<(), String> {
    project.try_compile(Standard::C11, &[], &including("port/tband_shim.c"))
}

#[track_caller]
fn expect_message(project: &Project, message: &str) {
    let complaint = shim(project).expect_err("it must not compile");
    assert!(complaint.contains(message), "no “{message}” in:\n{complaint}");
}

/// Returns the lines to paste in the compiler's messages: indented `#error` texts.
fn lines_to_paste(complaint: &str) -> String {
    let mut text = String::new();
    for line in complaint.lines() {
        let error = line.split_once("error: #error \"    ").map(|(_, rest)| rest);
        if let Some(pasted) = error.and_then(|rest| rest.strip_suffix('"')) {
            let _ = writeln!(text, "{}", pasted.replace("\\\"", "\""));
        }
    }
    text
}

#[test]
fn a_missing_configuration_header() {
    let project = Project::new("");
    std::fs::remove_file(project.path("tband_config.h")).expect("removed");
    for standard in Standard::ALL {
        let complaint = project
            .try_compile(standard, &[], "#include \"tband.h\"\nint used;\n")
            .expect_err("it must not compile");
        for text in [
            "tband_config.h was not found",
            "#define tband_configENABLE 1",
            "#define tband_configUSE_BACKEND_STREAMING 1",
        ] {
            assert!(complaint.contains(text), "no “{text}” in:\n{complaint}");
        }
        // Pasted, they are a configuration for FreeRTOS: headers compile.
        let pasted = Project::new(&lines_to_paste(&complaint));
        pasted.compile(
            standard,
            &[],
            "#include \"tband.h\"\n#if !tband_configENABLE\n#error off\n#endif\nextern int used;\n",
        );
    }
}

/// Each macro that is documented as "0 or 1" rejects other values, by its name, in every language and before any other message.
#[test]
fn each_switch_is_0_or_1() {
    let defaults = read(root().join("include/tband_config_defaults.h"))
        + &read(root().join("include/tband_backends.h"));
    let mut switches = Vec::new();
    let lines: Vec<&str> = defaults.lines().collect();
    for pair in lines.windows(2) {
        let name = pair[0].strip_prefix("#ifndef ").filter(|name| name.starts_with("tband_config"));
        let Some(name) = name else { continue };
        let is_switch = ["0", "1"].iter().any(|value| pair[1] == format!("#define {name} {value}"));
        if is_switch || name.contains("ISR_TRACE") || name.ends_with("KEEPS_TIME") {
            switches.push(name);
        }
    }
    assert!(switches.len() >= 27, "{switches:?}");
    let values = ["", "yes", "ON", "TRUE", "2", "-1"];
    let of_all = values.iter().map(|value| ("tband_configENABLE", *value));
    let of_each = switches.iter().copied().zip(values.iter().copied().cycle());
    for (name, value) in of_all.chain(of_each) {
        let config = format!("{STREAMING}#undef {name}\n#define {name} {value}\n");
        let complaint = Project::new(&config)
            .try_compile(Standard::C11, &[], "#include \"tband.h\"\nextern int used;\n")
            .expect_err("it must not compile");
        let first = complaint.lines().find(|line| line.contains("error:")).expect("an error");
        assert!(first.contains(&format!("{name} must be 0 or 1")), "{value}: {complaint}");
        assert!(complaint.lines().count() < 20, "{complaint}");
    }
    // What the preprocessor can work out is a value.
    for value in ["0", "1", "1U", "(1)", "(2 > 1)", "(!0)", "true", "false"] {
        let config: String = switches
            .iter()
            .map(|name| format!("#undef {name}\n#define {name} {value}\n"))
            .collect();
        for standard in Standard::OUTERMOST {
            let text = "#include \"tband_config_defaults.h\"\n#ifdef yes\n#error yes\n#endif\nextern int used;\n";
            let output = Project::new(&config).try_compile(standard, &[], text).err();
            let output = output.unwrap_or_default();
            let is_taken = !output.contains("must be 0 or 1") && !output.contains("#error yes");
            assert!(is_taken, "{value}: {output}");
        }
    }
}

/// Words of the user's are left alone.
#[test]
fn words_that_are_macros_keep_their_values() {
    let config = "#define ON 1\n#define yes ((unsigned)nothing)\n#define ENABLED\n\
                  #define tband_configENABLE ON\n#define tband_configUSE_BACKEND_STREAMING ON\n";
    let text = "#include \"tband.h\"\n#if ON != 1 || !tband_configENABLE || !defined(yes) || defined(YES) || \
                !defined(ENABLED)\n#error changed\n#endif\nextern int used;\n";
    for standard in Standard::ALL {
        Project::new(config).compile(standard, &[], text);
    }
}

#[test]
fn each_missing_port_macro() {
    for (missing, definition) in PORT.iter().enumerate() {
        let project = Project::without_port(STREAMING);
        let port: Vec<_> = PORT.iter().filter(|other| *other != definition).copied().collect();
        write(project.path("tband_port.h"), port.join("\n") + "\n");
        let complaint = shim(&project).expect_err("it must not compile");
        let name = definition.trim_start_matches("#define ");
        let name = name.split(['(', ' ']).next().expect("a name");
        let paste = lines_to_paste(&complaint);
        assert!(complaint.contains("Put into tband_port.h"), "{complaint}");
        assert!(
            paste.contains(&format!("#define {name}")),
            "{missing}: {name} not in:\n{complaint}"
        );
    }
}

#[test]
fn the_lines_for_a_port_are_right() {
    // An empty tband_port.h, and none at all.
    for has_port in [false, true] {
        let project = Project::without_port(STREAMING);
        if has_port {
            write(project.path("tband_port.h"), "/* to do */\n");
        }
        let complaint = shim(&project).expect_err("it must not compile");
        let helpers = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\
                       uint64_t my_timer_ticks(void);\n\
                       uint32_t my_disable_interrupts(void);\n\
                       void my_restore_interrupts(uint32_t mask);\n\
                       bool my_send(const uint8_t *buf, size_t len);\n";
        write(project.path("tband_port.h"), helpers.to_owned() + &lines_to_paste(&complaint));
        shim(&project).unwrap_or_else(|complaint| panic!("{complaint}"));
    }
}

#[test]
fn no_backend_several_backends_and_one_that_wants_packets() {
    let backend = "#define tband_configUSE_BACKEND_";
    for (config, message) in [
        (String::new(), "exactly one backend"),
        (format!("{backend}STREAMING 1\n{backend}SNAPSHOT 1\n"), "exactly one backend"),
        (format!("{backend}EXTERNAL 1\n{backend}POST_MORTEM 1\n"), "exactly one backend"),
    ] {
        let project = Project::new(&format!("#define tband_configENABLE 1\n{config}"));
        expect_message(&project, message);
        expect_message(&project, backend);
    }
    let frames = format!("#define tband_configENABLE 1\n{backend}POST_MORTEM 1\n");
    expect_message(&Project::new(&frames), "overwrites packets, and frames are recorded");
}

#[test]
fn packets_out_of_range() {
    let packets = format!("{STREAMING}#define tband_configFORMAT TBAND_FORMAT_PACKETS\n");
    for (lines, message) in [
        ("tband_configPACKET_SIZE 120", "PACKET_SIZE must be 128 to 4096"),
        ("tband_configPACKET_SIZE 4104", "PACKET_SIZE must be 128 to 4096"),
        ("tband_configPACKET_SIZE 132", "a multiple of 8"),
        ("tband_configPACKET_COUNT 0", "PACKET_COUNT must be 1 to 32767"),
        ("tband_configPACKET_COUNT 32768", "PACKET_COUNT must be 1 to 32767"),
        ("tband_configISR_NESTING 0", "ISR_NESTING must be 1 to 16"),
        ("tband_configISR_NESTING 17", "ISR_NESTING must be 1 to 16"),
        ("tband_configPACKET_MAX_AGE_MS 0", "MAX_AGE_MS must be 1 to 60000"),
        ("tband_configPACKET_METADATA_EVERY 65536", "METADATA_EVERY must be 0 to 65535"),
        (
            "tband_configTRACE_INFO_ENABLE 0",
            "recordings, tband_configTRACE_INFO_ENABLE 0, are frames",
        ),
        ("tband_configMAX_STR_LEN 1000", "packets have no room for the longest string"),
        ("tband_portNUMBER_OF_CORES 2", "do not define tband_portBACKEND_STREAM_DATA"),
        ("tband_portNUMBER_OF_CORES 65", "packets are of 64 cores at most"),
    ] {
        expect_message(&Project::new(&format!("{packets}#define {lines}\n")), message);
    }
    let external = "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_EXTERNAL 1\n\
                    #define tband_configFORMAT TBAND_FORMAT_PACKETS\n";
    shim(&Project::new(external)).unwrap_or_else(|complaint| panic!("{complaint}"));
    let cores = format!("{external}#define tband_portNUMBER_OF_CORES 2\n");
    expect_message(&Project::new(&cores), "the external backend gets packets of one core");
    let rtt = format!("{packets}#define tband_configUSE_RTT 1\n");
    for (lines, message) in [
        ("tband_configPACKET_COUNT 2", "with RTT tband_configPACKET_COUNT must be at least 3"),
        ("tband_configRTT_CHANNEL 16", "tband_configRTT_CHANNEL must be 0 to 15"),
        ("tband_configRTT_SHARE yes", "tband_configRTT_SHARE must be 0 or 1"),
        ("tband_configMAX_STR_LEN 20", "do not define tband_portBACKEND_STREAM_DATA"),
    ] {
        expect_message(&Project::new(&format!("{rtt}#define {lines}\n")), message);
    }
    let frames = format!("{STREAMING}#define tband_configUSE_RTT 1\n");
    expect_message(&Project::new(&frames), "RTT is for packets and the streaming backend");
    let reader = format!("{packets}#define tband_configSTART_ON_READER 1\n");
    expect_message(&Project::new(&reader), "only a recording over RTT can start");
    let unknown = format!("{STREAMING}#define tband_configFORMAT 7\n");
    expect_message(&Project::new(&unknown), "must be TBAND_FORMAT_FRAMES or TBAND_FORMAT_PACKETS");
}

#[test]
fn shedding_requires_its_configuration() {
    let streaming = "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_STREAMING 1\n\
                     #define tband_configUSE_SHEDDING 1\n";
    let packets = "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n";
    let filters = "#define tband_configUSE_FILTERS 1\n";
    let taken = "#define FAKE_HAS_NO_TRANSPORT 1\n";
    let all = [streaming, packets, filters, taken].concat();
    let rtt = format!("{all}#define tband_configUSE_RTT 1\n");
    let cores = format!("{all}#define tband_portNUMBER_OF_CORES 2\n");
    for config in [&all, &rtt, &cores] {
        shim(&Project::new(config)).unwrap_or_else(|complaint| panic!("{complaint}"));
    }
    for (config, message) in [
        ([streaming, filters, taken].concat(), "shedding is for packets and the streaming backend"),
        (all.replace("STREAMING", "SNAPSHOT"), "a snapshot stops when it is full"),
        (
            all.replace("STREAMING", "POST_MORTEM") + "#define tband_configPACKET_BUF_ATTRIBUTE\n",
            "post-mortem overwrites, and neither sheds",
        ),
        ([streaming, packets, taken].concat(), "#define tband_configUSE_FILTERS 1"),
        ([streaming, packets, filters].concat(), "takes at once do not run out"),
        (format!("{all}#define tband_configPACKET_COUNT 3\n"), "shedding needs more packets"),
        (format!("{rtt}#define tband_configPACKET_COUNT 4\n"), "shedding needs more packets"),
        (format!("{all}#define tband_configSHEDDING_FROM 28\n"), "shedding needs more packets"),
        (format!("{all}#define tband_configSHEDDING_FROM 101\n"), "SHEDDING_FROM must be 1 to 100"),
        (all.replace("SHEDDING 1", "SHEDDING yes"), "USE_SHEDDING must be 0 or 1"),
        (
            format!("{all}#define tband_configSHEDDING_ORDER {}\n", vec!["1"; 33].join(", ")),
            "more than 32 steps",
        ),
    ] {
        expect_message(&Project::new(&config), message);
    }
}

#[test]
fn values_out_of_range() {
    for (name, value, message) in [
        ("tband_configMAX_STR_LEN", "0", "must be 1 to 65535"),
        ("tband_configMAX_STR_LEN", "65536", "must be 1 to 65535"),
        ("tband_configMAX_STR_LEN", "", "must be 1 to"),
        ("tband_configMETADATA_BUF_SIZE", "0", "#define tband_configUSE_METADATA_BUF 0"),
        ("tband_configMETADATA_BUF_SIZE", "", "#define tband_configUSE_METADATA_BUF 0"),
        ("tband_configTRACE_DROP_CNT_EVERY", "-1", "must be 0 to 4294967295"),
        ("tband_configTRACE_DROP_CNT_EVERY", "", "must be 0 to 4294967295"),
        ("tband_configTRACE_DROP_CNT_EVERY", "4294967296", "must be 0 to 4294967295"),
        ("tband_configFORMAT", "", "TBAND_FORMAT_FRAMES or TBAND_FORMAT_PACKETS"),
        ("tband_configFREERTOS_VERSION", "", "must be a number"),
        ("tband_configFREERTOS_VERSION", "11", "must be a number"),
        ("tband_configFREERTOS_VERSION", "11020000", "must be a number"),
        ("tband_configFREERTOS_STACK_SAMPLE_EVERY", "", "must be 1 to 255"),
        ("tband_portNUMBER_OF_CORES", "0", "tband_portNUMBER_OF_CORES must be 1 to 255"),
    ] {
        let project = Project::new(&format!("{STREAMING}#define {name} {value}\n"));
        expect_message(&project, message);
        expect_message(&project, name);
    }
    // A port that knows nothing else.
    let frequency = "#define tband_portTIMESTAMP_FREQUENCY_HZ";
    for (macros, message) in [
        (format!("{frequency} 4294967296\n"), "must be 1 to 4294967295"),
        (format!("{frequency} 0\n"), "must be 1 to 4294967295"),
        (
            format!("{frequency} 1\n#define tband_portTIMESTAMP_FREQUENCY_DIVISOR 5\n"),
            "of at least 1/4 Hz",
        ),
    ] {
        let project = Project::without_port(STREAMING);
        let port: Vec<_> = PORT.iter().filter(|it| !it.contains("FREQUENCY_HZ")).copied().collect();
        write(project.path("tband_port.h"), port.join("\n") + "\n" + &macros);
        expect_message(&project, message);
    }
    let snapshot = "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
                    #define tband_configBACKEND_SNAPSHOT_BUF_SIZE 0\n";
    expect_message(
        &Project::new(snapshot),
        "tband_configBACKEND_SNAPSHOT_BUF_SIZE must be at least 1",
    );
    // The largest is fine.
    let largest = format!("{STREAMING}#define tband_configMAX_STR_LEN 65535\n");
    shim(&Project::new(&largest)).unwrap_or_else(|complaint| panic!("{complaint}"));
}

#[test]
fn a_function_of_another_backend() {
    let calls = [
        ("STREAMING", "tband_start_streaming()"),
        ("STREAMING", "tband_restart_streaming()"),
        ("STREAMING", "tband_stop_streaming()"),
        ("SNAPSHOT", "tband_trigger_snapshot()"),
        ("SNAPSHOT", "tband_stop_snapshot()"),
        ("SNAPSHOT", "tband_reset_snapshot()"),
        ("SNAPSHOT", "(int)tband_get_core_snapshot_buf_amnt(0)"),
        ("SNAPSHOT", "tband_get_core_snapshot_buf(0) != NULL"),
    ];
    for chosen in ["STREAMING", "SNAPSHOT", "EXTERNAL"] {
        let config =
            format!("#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_{chosen} 1\n");
        let project = Project::new(&config);
        for (backend, call) in calls {
            let text =
                format!("#include \"tband.h\"\nint f(void);\nint f(void) {{ return {call}; }}\n");
            for standard in Standard::ALL {
                let outcome = project.try_compile(standard, &[], &text);
                assert_eq!(outcome.is_ok(), backend == chosen, "{chosen}, {call}: {outcome:?}");
                if let Err(complaint) = outcome {
                    let name = backend.to_lowercase();
                    assert!(
                        complaint.contains(&format!("belongs to the {name} backend")),
                        "{complaint}"
                    );
                    assert!(complaint.contains("tband_config.h chooses another"), "{complaint}");
                }
            }
        }
    }
}

/// Whatever is packed, the program does not compile: the library would read other members than the shim has written.
#[test]
fn another_layout_than_the_librarys() {
    let project = Project::new(STREAMING);
    let text = including("port/tband_shim.c");
    let packed = |options: &[&str], text: &str| {
        project.try_compile(Standard::C11, options, text).expect_err("it must not compile")
    };
    for (complaint, others) in [
        (packed(&["-fpack-struct=1"], &text), 0),
        // One struct consists of numbers of two bytes.
        (packed(&["-fpack-struct=2"], &text), 1),
        (packed(&[], &format!("#pragma pack(push, 1)\n{text}")), 0),
    ] {
        // None is left out.
        let structs =
            read(root().join("include/tband_library.h")).matches("\ntypedef struct ").count() - 1;
        let named =
            |line: &&str| line.contains("static assertion failed: \"tband: the library has");
        let mut names: Vec<_> = complaint
            .lines()
            .filter(named)
            .filter_map(|line| line.split_once("another layout of ")?.1.split_once(':'))
            .map(|(name, _)| name)
            .collect();
        names.dedup();
        assert_eq!(names.len() + others, structs, "{names:?}:\n{complaint}");
    }
    shim(&project).expect("without that it compiles");
}
