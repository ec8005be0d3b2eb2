//! Mistakes that are more than a change of a project.

use std::process::Command;

use tband_tests::c::{Standard, compiler};
use tband_tests::{archive, finish, read, root, write};

use crate::project::{HOOKS, PORT, Project, SHIM, tband_cli};

/// A function that makes a mistake and returns the message, with its name in the tables.
type NamedFunction = (&'static str, fn() -> String);

pub const FUNCTIONS: [NamedFunction; 12] = [
    ("compile_without_include_path", compile_without_include_path),
    ("compile_the_shim_twice", compile_the_shim_twice),
    ("link_a_port_in_cxx", link_a_port_in_cxx),
    ("end_values_with_semicolons", end_values_with_semicolons),
    ("make_from_sources", make_from_sources),
    ("leave_out_the_core_id", leave_out_the_core_id),
    ("leave_out_the_core_id_with_a_header", leave_out_the_core_id_with_a_header),
    ("leave_out_the_number_of_cores", leave_out_the_number_of_cores),
    ("mix_configurations", mix_configurations),
    ("truncate_the_file", truncate_the_file),
    ("name_no_cores", name_no_cores),
    ("copy_the_recording", copy_the_recording),
];

fn compile_without_include_path() -> String {
    let project = Project::new();
    let mut compile = compiler(Standard::C11);
    compile.arg("-c").arg(project.path("main.c")).arg("-o").arg(project.path("main.o"));
    finish(&mut compile).text()
}

fn compile_the_shim_twice() -> String {
    let project = Project::new().file("copy.c", &read(root().join(SHIM)));
    let mut files = project.objects(&["main.c", SHIM, "copy.c"]);
    files.push(archive().to_owned());
    project.link(&files).expect_err("twice")
}

fn link_a_port_in_cxx() -> String {
    let project = Project::new().standard(Standard::Cxx17);
    let mut files = project.objects(&["main.c", SHIM]);
    files.push(archive().to_owned());
    project.link(&files).expect_err("another name")
}

fn end_values_with_semicolons() -> String {
    let replaced = |old: &str| {
        Project::with_kernel().replace("tband_config.h", old, &format!("{old};")).first_error(HOOKS)
    };
    let added = |name: &str| {
        let line = format!("#define tband_config{name};\n");
        Project::new().add("tband_config.h", &line).first_error(SHIM)
    };
    let messages = [
        replaced("ENABLE 1"),
        replaced("BACKEND_SNAPSHOT 1"),
        added("METADATA_BUF_SIZE 512"),
        added("FORMAT TBAND_FORMAT_PACKETS"),
    ];
    messages.join("\n")
}

/// A Makefile includes a folder that is not a package.
fn make_from_sources() -> String {
    let sources = root().join("cmake/tband.mk");
    let makefile = format!("TBAND_CONFIG := .\ninclude {}\nall:\n", sources.display());
    let project = Project::new().file("Makefile", &makefile);
    let finished = finish(Command::new("make").arg("-C").arg(project.path("")));
    assert!(!finished.ok, "make must refuse");
    finished.text()
}

const TWO_CORES: &str = "#define tband_portNUMBER_OF_CORES 2\n";

/// With each backend the message is the same.
fn leave_out_the_core_id() -> String {
    let backends = [
        ("SNAPSHOT", "FRAMES"),
        ("STREAMING", "FRAMES"),
        ("EXTERNAL", "FRAMES"),
        ("SNAPSHOT", "PACKETS"),
        ("POST_MORTEM", "PACKETS"),
    ];
    let mut messages = backends.map(|(backend, format)| {
        let lines = format!(
            "#define tband_configFORMAT TBAND_FORMAT_{format}\n#define tband_configPACKET_BUF_ATTRIBUTE\n"
        );
        Project::new()
            .replace("tband_config.h", "SNAPSHOT", backend)
            .add("tband_config.h", &lines)
            .add("tband_port.h", TWO_CORES)
            .first_error(SHIM)
    });
    assert!(messages.iter().all(|other| *other == messages[0]), "{messages:?}");
    std::mem::take(&mut messages[0])
}

fn leave_out_the_core_id_with_a_header() -> String {
    let header = |header: &str| {
        let port = format!("{PORT}{TWO_CORES}{header}");
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
}

/// A kernel for two cores, as far as its headers ask for it, with a port without one.
fn on_two_cores(port: &str) -> Project {
    Project::with_kernel()
        .replace("FreeRTOSConfig.h", "#include \"tband.h\"", include_str!("two_cores.h"))
        .file("tband_port.h", &format!("{PORT}{port}"))
}

fn leave_out_the_number_of_cores() -> String {
    on_two_cores("").refused(SHIM)
}

/// Kernel, hooks and shim are compiled with different configurations.
fn mix_configurations() -> String {
    let same = Project::with_kernel;
    let two = || on_two_cores(&format!("{TWO_CORES}#define tband_portGET_CORE_ID() 0\n"));
    let macros = [
        "FORMAT TBAND_FORMAT_PACKETS",
        "FREERTOS_VERSION 110000",
        "FREERTOS_HEAP_TRACE_ENABLE 0",
        "FREERTOS_API_TRACE_ENABLE 1",
        "USE_TRIGGERS 1",
        "TICK_KEEPS_TIME 1",
    ];
    let mut printed = vec![mixed(&same(), &two(), &two()), mixed(&same(), &same(), &two())];
    for it in macros {
        let kernel = same().add("tband_config.h", &format!("#define tband_config{it}\n"));
        printed.push(mixed(&kernel, &same(), &same()));
    }
    printed.join("\n")
}

/// Returns the linker's message for a program whose kernel, hooks and shim have the configurations of these projects.
fn mixed(kernel: &Project, hooks: &Project, shim: &Project) -> String {
    let mut files = kernel.objects(&["main.c", "port/POSIX_FREERTOS/tband_port.c"]);
    files.push(kernel.kernel_object());
    files.extend(hooks.objects(&[HOOKS]));
    files.extend(shim.objects(&[SHIM]));
    files.push(archive().to_owned());
    kernel.link(&files).expect_err("the settings differ")
}

fn truncate_the_file() -> String {
    let project = Project::new();
    let recording = project.record();
    let bytes = std::fs::read(&recording).expect("a recording");
    write(&recording, &bytes[..bytes.len() - 3]);
    tband_cli(&["check"], &recording, 1)
}

/// Files of two cores.
fn name_no_cores() -> String {
    let (project, other) = (Project::new(), Project::new().option("-DTIMER=(now += 11)"));
    let name = project.record().display().to_string();
    tband_cli(&["check", &name], &other.record(), 1)
}

fn copy_the_recording() -> String {
    let project = Project::new();
    let recording = project.record();
    let copy = project.path("copy.bin");
    std::fs::copy(&recording, &copy).expect("copied");
    tband_cli(&["check", &recording.display().to_string()], &copy, 2)
}
