//! A small project as a user has it: `tband_config.h`, `tband_port.h`, a program, and perhaps the real kernel.

use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::c::{Standard, compiler, include, includes};
use tband_tests::kernel::{self, FREERTOS_CONFIG};
use tband_tests::{archive, finish, root, temp_dir, write};

/// `tband_config.h`: snapshot, no kernel.
pub const CONFIG: &str =
    "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n";

/// `tband_port.h`: a timer of 1 MHz, nothing that interrupts, and a function that takes a stream.
pub const PORT: &str = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\
    #ifdef __cplusplus\nextern \"C\" {\n#endif\n\
    uint64_t my_timer_ticks(void);\n\
    bool my_send(const uint8_t *buf, size_t len);\n\
    #ifdef __cplusplus\n}\n#endif\n\
    #define tband_portTIMESTAMP() my_timer_ticks()\n\
    #define tband_portTIMESTAMP_FREQUENCY_HZ 1000000\n\
    #define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)\n\
    #define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)\n\
    #define tband_portBACKEND_STREAM_DATA(buf, len) my_send((buf), (len))\n";

/// What a device has, and what its program does.
pub const MAIN: &str = include_str!("device.c");

pub const SHIM: &str = "port/tband_shim.c";
pub const HOOKS: &str = "freertos-hooks/tband_freertos.c";

/// A mistake is an error, and another that ends the compilation. A port may lack several things.
const MOST_ERRORS: usize = 5;

fn is_error(line: &str) -> bool {
    line.contains("error:")
}

pub struct Project {
    folder: tempfile::TempDir,
    with_kernel: bool,
    standard: Standard,
    options: Vec<String>,
}

impl Project {
    /// One in which nothing is wrong.
    pub fn new() -> Self {
        let folder = temp_dir();
        for (name, text) in [("tband_config.h", CONFIG), ("tband_port.h", PORT), ("main.c", MAIN)] {
            write(folder.path().join(name), text);
        }
        Self { folder, with_kernel: false, standard: Standard::C11, options: Vec::new() }
    }

    /// The same with FreeRTOS, on the kernel's POSIX port.
    pub fn with_kernel() -> Self {
        let config = format!("{CONFIG}#define tband_configFREERTOS_TRACE_ENABLE 1\n");
        let port = "#include \"POSIX_FREERTOS/tband_port.h\"\n";
        Self { with_kernel: true, ..Self::new() }
            .file("tband_config.h", &config)
            .file("tband_port.h", port)
            .file("FreeRTOSConfig.h", FREERTOS_CONFIG)
            .file("main.c", include_str!("tasks.c"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn file(self, name: &str, text: &str) -> Self {
        write(self.path(name), text);
        self
    }

    /// Adds lines to a file.
    pub fn add(self, name: &str, lines: &str) -> Self {
        let text = tband_tests::read(self.path(name)) + lines;
        self.file(name, &text)
    }

    /// Replaces a text in a file.
    pub fn replace(self, name: &str, old: &str, new: &str) -> Self {
        let text = tband_tests::read(self.path(name));
        assert!(text.contains(old), "no {old} in {name}");
        self.file(name, &text.replace(old, new))
    }

    /// Removes a file.
    pub fn without(self, name: &str) -> Self {
        std::fs::remove_file(self.path(name)).expect("removed");
        self
    }

    /// The streaming backend in place of the snapshot.
    pub fn streaming(self) -> Self {
        self.replace("tband_config.h", "SNAPSHOT", "STREAMING")
    }

    pub fn option(mut self, option: &str) -> Self {
        self.options.push(option.to_owned());
        self
    }

    pub fn standard(mut self, standard: Standard) -> Self {
        self.standard = standard;
        self
    }

    /// A file of tband's sources, or of the project.
    fn source(&self, name: &str) -> PathBuf {
        let own = self.path(name);
        if own.is_file() { own } else { root().join(name) }
    }

    fn compiler(&self, standard: Standard) -> Command {
        let mut compile = compiler(standard);
        include(&mut compile, [self.folder.path()]);
        include(&mut compile, includes());
        include(&mut compile, [root().join("port")]);
        if self.with_kernel {
            for folder in kernel::includes() {
                compile.arg("-isystem").arg(folder);
            }
        }
        compile.args(&self.options);
        compile
    }

    fn compile(&self, source: &Path, object: &Path, standard: Standard) -> Result<(), String> {
        let mut compile = self.compiler(standard);
        let finished = finish(compile.arg("-c").arg(source).arg("-o").arg(object));
        if finished.ok { Ok(()) } else { Err(finished.text()) }
    }

    /// Returns the compiler's message about this file, which must not compile: the mistake, and little else.
    #[track_caller]
    pub fn refused(&self, name: &str) -> String {
        let object = self.path("refused.o");
        let printed = self
            .compile(&self.source(name), &object, self.standard)
            .expect_err("it must not compile");
        // Lines to paste are errors, too, and belong to the one before them.
        let errors =
            printed.lines().filter(|line| is_error(line) && !line.contains("#error \"    "));
        assert!(errors.count() <= MOST_ERRORS, "the mistake drowns:\n{printed}");
        printed
    }

    /// Returns the compiler's messages about this file, which compiles.
    #[track_caller]
    pub fn notes(&self, name: &str) -> String {
        let mut compile = self.compiler(self.standard);
        compile.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c"]).arg(self.source(name));
        let finished = finish(compile.arg("-o").arg(self.path("noted.o")));
        assert!(finished.ok, "{}", finished.text());
        finished.text().trim().to_owned()
    }

    /// Returns the compiler's first message about this file, which must not compile.
    pub fn first_error(&self, name: &str) -> String {
        let printed = self.refused(name);
        let is_message = |line: &&str| is_error(line) || line.contains("warning:");
        printed.lines().filter(is_message).take(2).collect::<Vec<_>>().join("\n")
    }

    /// The objects of these files.
    pub fn objects(&self, names: &[&str]) -> Vec<PathBuf> {
        let mut objects = Vec::new();
        for name in names {
            let object = self.path(&name.replace('/', "_")).with_extension("o");
            let standard = if *name == "main.c" { self.standard } else { Standard::C11 };
            let source = self.source(name);
            let source = match standard.suffix() {
                "cpp" => {
                    let copy = source.with_extension("cpp");
                    write(&copy, tband_tests::read(&source));
                    copy
                }
                _ => source,
            };
            self.compile(&source, &object, standard)
                .unwrap_or_else(|printed| panic!("{name}: {printed}"));
            objects.push(object);
        }
        objects
    }

    /// The kernel's object. All of it is one unit, so that its headers are read once: some twenty projects have another
    /// configuration each.
    pub fn kernel_object(&self) -> PathBuf {
        let kernel = kernel::sources();
        let names = [
            "tasks.c",
            "list.c",
            "queue.c",
            "timers.c",
            "portable/MemMang/heap_3.c",
            "portable/ThirdParty/GCC/Posix/port.c",
            "portable/ThirdParty/GCC/Posix/utils/wait_for_event.c",
        ];
        let include = |name: &str| format!("#include \"{}\"\n", kernel.join(name).display());
        let (unit, object) = (self.path("kernel.c"), self.path("kernel.o"));
        write(&unit, names.map(include).concat());
        let mut compile = self.compiler(Standard::C11);
        // The POSIX port wants the system's names.
        compile.args(["-std=gnu11", "-w", "-c"]).arg(unit);
        tband_tests::run(compile.arg("-o").arg(&object));
        object
    }

    /// Links these files in this order; returns the linker's messages on failure.
    pub fn link(&self, files: &[PathBuf]) -> Result<PathBuf, String> {
        let program = self.path("program");
        let mut link = compiler(self.standard);
        link.args(files).args(["-Wl,--gc-sections", "-lpthread"]);
        let finished = finish(link.arg("-o").arg(&program));
        if finished.ok { Ok(program) } else { Err(finished.text()) }
    }

    /// The program of these sources with the library after them.
    pub fn build(&self, sources: &[&str]) -> PathBuf {
        let mut files = self.objects(sources);
        if self.with_kernel {
            files.push(self.kernel_object());
        }
        files.push(archive().to_owned());
        self.link(&files).unwrap_or_else(|printed| panic!("{printed}"))
    }

    /// What this program writes to stdout: a recording.
    pub fn run(&self, program: &Path) -> PathBuf {
        let finished = finish(&mut Command::new(program));
        assert!(finished.ok, "the program fails: {}", finished.stderr);
        write(self.path("recording.bin"), finished.stdout);
        self.path("recording.bin")
    }

    /// Builds and runs the program.
    pub fn record(&self) -> PathBuf {
        let sources: &[&str] = if self.with_kernel {
            &["main.c", SHIM, HOOKS, "port/POSIX_FREERTOS/tband_port.c"]
        } else {
            &["main.c", SHIM]
        };
        self.run(&self.build(sources))
    }
}

/// Returns the output of the command-line tool; it must end with this exit code.
#[track_caller]
pub fn tband_cli(arguments: &[&str], file: &Path, code: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let output = tband_programs::output(command.args(arguments).arg(file)).expect("it runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("text");
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}
