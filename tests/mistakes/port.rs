//! Mistakes in `tband_port.h`.

use tband_tests::{read, root};

use crate::project::{PORT, Project, SHIM};
use crate::{Mistake, MistakeKind};

/// Returns the message for a port without the line that contains this.
fn message_without(part: &str) -> String {
    let lines: Vec<&str> = PORT.lines().filter(|line| !line.contains(part)).collect();
    Project::new().streaming().file("tband_port.h", &(lines.join("\n") + "\n")).first_error(SHIM)
}

/// Returns the message for a port with another frequency.
fn with_frequency(lines: &str) -> String {
    let port = PORT.replace("#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000\n", lines);
    Project::new().file("tband_port.h", &port).first_error(SHIM)
}

/// Returns the message for a port of tband that was copied unchanged.
fn copied(name: &str) -> String {
    let port = read(root().join("port").join(name).join("tband_port.h"));
    // Its assembly is for another CPU, which does not matter: this message comes before.
    Project::new().file("tband_port.h", &port).first_error(SHIM)
}

pub const KIND: MistakeKind = MistakeKind {
    title: "tband_port.h",
    who: "message of the compiler",
    mistakes: &[
        Mistake {
            what: "the file is not on the include path",
            messages: &[
                "tband: tband_port.h was not found. Copy the one for your chip from tband's folder port/",
            ],
            made: || Project::new().without("tband_port.h").first_error(SHIM),
        },
        Mistake {
            what: "the template is unchanged",
            messages: &[
                "tband: how fast does your timer count?",
                "#define tband_portTIMESTAMP_FREQUENCY_HZ 64000000",
            ],
            made: || {
                let port = read(root().join("port/template/tband_port.h"));
                Project::new().file("tband_port.h", &port).refused(SHIM)
            },
        },
        Mistake {
            what: "a port without an RTOS is unchanged",
            messages: &[
                "tband: how fast is the core? Put into tband_port.h:",
                "#define tband_portCPU_CLOCK_HZ 100000000",
            ],
            made: || copied("GCC_ARM_CM4F"),
        },
        Mistake {
            what: "the frequency is missing",
            messages: &[
                "tband: how fast does tband_portCOUNTER32() count? Put into tband_port.h:",
                "#define tband_portCOUNTER32_HZ 1000000",
            ],
            made: || {
                let port = "#define tband_portCOUNTER32() 0\n#include \"tband_cortex_m_timer.h\"\n";
                Project::new().file("tband_port.h", port).first_error(SHIM)
            },
        },
        Mistake {
            what: "the timestamp is missing",
            messages: &[
                "tband: the port does not define tband_portTIMESTAMP(). Put into tband_port.h:",
            ],
            made: || message_without("tband_portTIMESTAMP()"),
        },
        Mistake {
            what: "the timer's frequency is missing",
            messages: &[
                "tband: the port does not define tband_portTIMESTAMP_FREQUENCY_HZ. Put into tband_port.h:",
            ],
            made: || message_without("FREQUENCY_HZ"),
        },
        Mistake {
            what: "both macros are missing",
            messages: &[
                "tband: the port does not define its critical section. Put into tband_port.h",
            ],
            made: || message_without("ENTER_CRITICAL"),
        },
        Mistake {
            what: "the exit is missing",
            messages: &[
                "tband: the port does not define its critical section. Put into tband_port.h",
            ],
            made: || message_without("EXIT_CRITICAL"),
        },
        Mistake {
            what: "`tband_portBACKEND_STREAM_DATA` is missing",
            messages: &[
                "tband: the streaming backend has nowhere to send data. Put into tband_port.h:",
            ],
            made: || message_without("STREAM_DATA"),
        },
        Mistake {
            what: "0, or above 32 bits",
            messages: &["tband: tband_portTIMESTAMP_FREQUENCY_HZ must be 1 to 4294967295"],
            made: || with_frequency("#define tband_portTIMESTAMP_FREQUENCY_HZ 5000000000\n"),
        },
        Mistake {
            what: "a smaller fraction",
            messages: &["tband: a fraction of Hz must be of constants, of at least 1/4 Hz"],
            made: || {
                with_frequency(
                    "#define tband_portTIMESTAMP_FREQUENCY_HZ 1\n\
                     #define tband_portTIMESTAMP_FREQUENCY_DIVISOR 5\n",
                )
            },
        },
        Mistake {
            what: "0",
            messages: &["tband: tband_portNUMBER_OF_CORES must be 1 to 255"],
            made: || {
                Project::new()
                    .add("tband_port.h", "#define tband_portNUMBER_OF_CORES 0\n")
                    .refused(SHIM)
            },
        },
        Mistake {
            what: "`tband_portGET_CORE_ID()` is missing",
            messages: &[
                "tband: the port has several cores, and does not say which one it runs on. Put into tband_port.h:",
                "#define tband_portGET_CORE_ID() my_core_number()",
            ],
            made: || {
                let backends = ["SNAPSHOT", "STREAMING", "EXTERNAL", "SNAPSHOT", "POST_MORTEM"];
                let formats = ["FRAMES", "FRAMES", "FRAMES", "PACKETS", "PACKETS"];
                let both = backends.iter().zip(formats);
                let output = both.map(|(backend, format)| {
                    let line = format!("#define tband_configFORMAT TBAND_FORMAT_{format}\n");
                    Project::new()
                        .replace("tband_config.h", "SNAPSHOT", backend)
                        .add("tband_config.h", &line)
                        .add("tband_config.h", "#define tband_configPACKET_BUF_ATTRIBUTE\n")
                        .add("tband_port.h", "#define tband_portNUMBER_OF_CORES 2\n")
                        .first_error(SHIM)
                });
                let output: Vec<String> = output.collect();
                assert!(output.iter().all(|other| *other == output[0]), "{output:?}");
                output[0].clone()
            },
        },
        Mistake {
            what: "the same with a header of tband for Cortex-M or RISC-V",
            messages: &[
                "tband: the port has several cores, and does not say which one it runs on. Put into tband_port.h:",
                "#define tband_portGET_CORE_ID() my_core_number()",
            ],
            made: || {
                let header = |header: &str| {
                    let port = format!("{PORT}#define tband_portNUMBER_OF_CORES 2\n{header}");
                    Project::new().file("tband_port.h", &port).first_error(SHIM)
                };
                let own = header("");
                for other in ["tband_cortex_m.h", "tband_cortex_m_freertos.h", "tband_riscv.h"] {
                    // The port has the other definitions of the header.
                    let read = read(root().join("port").join(other));
                    let (_, cores) = read
                        .split_once("#ifndef tband_portNUMBER_OF_CORES")
                        .unwrap_or_else(|| panic!("{other} sets the number of cores by force"));
                    let (cores, _) = cores.rsplit_once("#endif").expect("the guard's end");
                    assert_eq!(header(&format!("#ifndef tband_portNUMBER_OF_CORES{cores}")), own);
                }
                own
            },
        },
        Mistake {
            what: "the size of the stream's ring must be a power of two",
            messages: &["size of array 'trace_ring_bytes' is negative"],
            made: || {
                let main = "#include \"tband_ring.h\"\nTBAND_RING(trace_ring, 1000);\n";
                Project::new().file("main.c", main).refused("main.c").replace(['‘', '’'], "'")
            },
        },
    ],
};
