//! Mistakes in `tband_port.h`.

use tband_tests::{read, root};

use crate::project::{PORT, Project, SHIM};
use crate::{Kind, Mistake};

/// What is said of a port without the line that has this in it.
fn lacks(part: &str) -> String {
    let lines: Vec<&str> = PORT.lines().filter(|line| !line.contains(part)).collect();
    Project::new().streaming().file("tband_port.h", &(lines.join("\n") + "\n")).first_error(SHIM)
}

/// What is said of a port with another frequency.
fn with_frequency(lines: &str) -> String {
    let port = PORT.replace("#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000\n", lines);
    Project::new().file("tband_port.h", &port).first_error(SHIM)
}

/// What is said of a port of tband's that was copied as it is.
fn copied(name: &str) -> String {
    let port = read(root().join("port").join(name).join("tband_port.h"));
    // Its assembly is for another CPU, which does not matter: this is said before.
    Project::new().file("tband_port.h", &port).first_error(SHIM)
}

pub const KIND: Kind = Kind {
    title: "tband_port.h",
    who: "compiler",
    mistakes: &[
        Mistake {
            what: "there is none on the include path",
            says: &[
                "tband: tband_port.h was not found. Copy the one for your chip from tband's folder port/",
            ],
            made: || Project::new().without("tband_port.h").first_error(SHIM),
        },
        Mistake {
            what: "the template, as it is",
            says: &[
                "tband: how fast does your timer count?",
                "#define tband_portTIMESTAMP_FREQUENCY_HZ 64000000",
            ],
            made: || {
                let port = read(root().join("port/template/tband_port.h"));
                Project::new().file("tband_port.h", &port).refused(SHIM)
            },
        },
        Mistake {
            what: "a port of tband's for a chip without an RTOS, as it is",
            says: &[
                "tband: how fast is the core? Put into tband_port.h:",
                "#define tband_portCPU_CLOCK_HZ 100000000",
            ],
            made: || copied("GCC_ARM_CM4F"),
        },
        Mistake {
            what: "a counter without its frequency",
            says: &[
                "tband: how fast does tband_portCOUNTER32() count? Put into tband_port.h:",
                "#define tband_portCOUNTER32_HZ 1000000",
            ],
            made: || {
                let port = "#define tband_portCOUNTER32() 0\n#include \"tband_cortex_m_timer.h\"\n";
                Project::new().file("tband_port.h", port).first_error(SHIM)
            },
        },
        Mistake {
            what: "no timestamp",
            says: &[
                "tband: the port does not define tband_portTIMESTAMP(). Put into tband_port.h:",
            ],
            made: || lacks("tband_portTIMESTAMP()"),
        },
        Mistake {
            what: "no frequency",
            says: &[
                "tband: the port does not define tband_portTIMESTAMP_FREQUENCY_HZ. Put into tband_port.h:",
            ],
            made: || lacks("FREQUENCY_HZ"),
        },
        Mistake {
            what: "no critical section",
            says: &["tband: the port does not define its critical section. Put into tband_port.h"],
            made: || lacks("ENTER_CRITICAL"),
        },
        Mistake {
            what: "a section that is entered and not left",
            says: &["tband: the port does not define its critical section. Put into tband_port.h"],
            made: || lacks("EXIT_CRITICAL"),
        },
        Mistake {
            what: "streaming, and nothing that takes the data",
            says: &[
                "tband: the streaming backend has nowhere to send data. Put into tband_port.h:",
            ],
            made: || lacks("STREAM_DATA"),
        },
        Mistake {
            what: "a frequency of 0 Hz, or of more than 32 bits",
            says: &["tband: tband_portTIMESTAMP_FREQUENCY_HZ must be 1 to 4294967295"],
            made: || with_frequency("#define tband_portTIMESTAMP_FREQUENCY_HZ 5000000000\n"),
        },
        Mistake {
            what: "a fraction of Hz that is below 1/4",
            says: &["tband: a fraction of Hz must be of constants, of at least 1/4 Hz"],
            made: || {
                with_frequency(
                    "#define tband_portTIMESTAMP_FREQUENCY_HZ 1\n\
                     #define tband_portTIMESTAMP_FREQUENCY_DIVISOR 5\n",
                )
            },
        },
        Mistake {
            what: "no cores",
            says: &["tband: tband_portNUMBER_OF_CORES must be 1 to 255"],
            made: || {
                Project::new()
                    .add("tband_port.h", "#define tband_portNUMBER_OF_CORES 0\n")
                    .refused(SHIM)
            },
        },
        Mistake {
            what: "two cores, and no number of the core, with any backend and format",
            says: &[
                "tband: the port has several cores, and does not say which one it runs on. Put into tband_port.h:",
                "#define tband_portGET_CORE_ID() my_core_number()",
            ],
            made: || {
                let backends = ["SNAPSHOT", "STREAMING", "EXTERNAL", "SNAPSHOT", "POST_MORTEM"];
                let formats = ["FRAMES", "FRAMES", "FRAMES", "PACKETS", "PACKETS"];
                let both = backends.iter().zip(formats);
                let said = both.map(|(backend, format)| {
                    let line = format!("#define tband_configFORMAT TBAND_FORMAT_{format}\n");
                    Project::new()
                        .replace("tband_config.h", "SNAPSHOT", backend)
                        .add("tband_config.h", &line)
                        .add("tband_config.h", "#define tband_configPACKET_BUF_ATTRIBUTE\n")
                        .add("tband_port.h", "#define tband_portNUMBER_OF_CORES 2\n")
                        .first_error(SHIM)
                });
                let said: Vec<String> = said.collect();
                assert!(said.iter().all(|other| *other == said[0]), "{said:?}");
                said[0].clone()
            },
        },
        Mistake {
            what: "two cores, with a header of tband's for Cortex-M or RISC-V, and no number of the core",
            says: &[
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
                    // What the header gives besides, the port has.
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
            what: "a ring for the stream that is no power of two",
            says: &["size of array 'trace_ring_bytes' is negative"],
            made: || {
                let main = "#include \"tband_ring.h\"\nTBAND_RING(trace_ring, 1000);\n";
                Project::new().file("main.c", main).refused("main.c").replace(['‘', '’'], "'")
            },
        },
    ],
};
