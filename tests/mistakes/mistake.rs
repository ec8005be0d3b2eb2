//! Mistakes as the tables beside this file describe them: what differs from a correct project, and who reports it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use tband_tests::{archive, read, root, write};

use crate::by_hand::FUNCTIONS;
use crate::make;
use crate::project::{HOOKS, Project, SHIM, tband_cli};

/// Mistakes of one kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MistakeKind {
    pub title: String,
    /// The tool that reports it: the head of the guide's column.
    pub who: String,
    pub mistakes: Vec<Mistake>,
    /// Projects that are like one with a mistake, and correct: there is no message.
    #[serde(default)]
    pub correct: Vec<Mistake>,
}

/// A mistake: a change of a correct project, and one of the outcomes.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mistake {
    /// The cause, in the words of the guide.
    pub what: String,
    /// Texts that the message must contain. The guide shows the first.
    pub messages: Vec<String>,
    /// Texts that it must not contain.
    pub lacks: Vec<String>,

    /// The project has FreeRTOS.
    kernel: bool,
    /// The backend in place of the snapshot.
    backend: Option<String>,
    /// The program records a stream.
    streams: bool,
    /// The port is this one of tband, unchanged.
    port_of: Option<String>,
    timer: Option<Timer>,
    /// Options of the compiler.
    options: Vec<String>,
    files: BTreeMap<String, String>,
    /// File, text, and the text in its place.
    replace: Vec<[String; 3]>,
    /// Lines at the end of `tband_config.h`, `tband_port.h` and `FreeRTOSConfig.h`.
    config: Option<String>,
    port: Option<String>,
    freertos: Option<String>,
    /// A missing file.
    without: Option<String>,
    /// The kernel is compiled without tband's hooks.
    kernel_has_no_hooks: bool,

    /// The compiler's first message about each of these files.
    first_error: Vec<String>,
    /// All of its messages about them.
    refused: Vec<String>,
    /// Its messages about files that it compiles.
    notes: Vec<String>,
    /// The linker's message about these files, in this order.
    link: Vec<String>,
    /// The message of `tband-cli config` about this file.
    config_tool: Option<String>,
    /// CMake's message.
    cmake: bool,
    /// The message of make, with this variable on its command line.
    make: Option<String>,
    /// The exit code of `tband-cli check` for the recording of the program.
    check: Option<i32>,
    /// A function that makes the mistake.
    function: Option<String>,
}

/// A timer in place of the kernel's own: how it counts, as C, and the frequency that the port states.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Timer {
    counts: String,
    hz: u32,
}

impl MistakeKind {
    /// Reads each table, in the order of the guide.
    #[track_caller]
    pub fn all() -> Vec<Self> {
        let texts = [
            include_str!("build.toml"),
            include_str!("configuration.toml"),
            include_str!("port.toml"),
            include_str!("integration.toml"),
            include_str!("recording.toml"),
        ];
        texts.map(|text| toml::from_str(text).unwrap_or_else(|error| panic!("{error}"))).into()
    }
}

impl Mistake {
    /// Makes the mistake and returns the message.
    pub fn make(&self) -> String {
        if let Some(name) = &self.function {
            let function = FUNCTIONS.iter().find(|(known, _)| known == name);
            return function.unwrap_or_else(|| panic!("no function {name}")).1();
        }
        let project = self.project();
        let of_each = |names: &[String], message: fn(&Project, &str) -> String| {
            names.iter().map(|name| message(&project, source(name))).collect::<Vec<_>>().join("\n")
        };
        let printed = if !self.first_error.is_empty() {
            of_each(&self.first_error, Project::first_error)
        } else if !self.refused.is_empty() {
            of_each(&self.refused, Project::refused)
        } else if !self.notes.is_empty() {
            of_each(&self.notes, Project::notes)
        } else if !self.link.is_empty() {
            let files: Vec<_> = self.link.iter().map(|name| object(&project, name)).collect();
            project.link(&files).expect_err("it must not link")
        } else if let Some(file) = &self.config_tool {
            tband_cli(&["config"], &project.path(file), 1)
        } else if self.cmake {
            make::cmake_message(&project)
        } else if let Some(variable) = &self.make {
            make::make_message(&project, variable)
        } else {
            let code = self.check.unwrap_or_else(|| panic!("{}: no outcome", self.what));
            let recording = if self.kernel_has_no_hooks {
                record_without_hooks(&project)
            } else {
                project.record()
            };
            tband_cli(&["check"], &recording, code)
        };
        // GCC quotes as the language of the system has it.
        printed.replace(['‘', '’'], "'")
    }

    fn project(&self) -> Project {
        let mut project = if self.kernel { Project::with_kernel() } else { Project::new() };
        for (name, text) in &self.files {
            project = project.file(name, text);
        }
        if let Some(port) = &self.port_of {
            // Its assembly may be for another CPU: the message comes before.
            let port = root().join("port").join(port).join("tband_port.h");
            project = project.file("tband_port.h", &read(port));
        }
        let backend = if self.streams { Some("STREAMING") } else { self.backend.as_deref() };
        if let Some(backend) = backend {
            project = project.replace("tband_config.h", "SNAPSHOT", backend);
        }
        if self.streams {
            project = project.option("-DSTART=tband_start_streaming");
            project = project.option("-DSTOP=tband_stop_streaming");
        }
        for [name, old, new] in &self.replace {
            project = project.replace(name, old, new);
        }
        let timer = self.timer.as_ref().map(|timer| {
            format!(
                "#include <stdint.h>\nuint64_t my_timer_ticks(void);\n\
                 #undef tband_portTIMESTAMP\n#define tband_portTIMESTAMP() my_timer_ticks()\n\
                 #undef tband_portTIMESTAMP_FREQUENCY_HZ\n#define tband_portTIMESTAMP_FREQUENCY_HZ {}\n\
                 #undef tband_portTIMESTAMP_RESOLUTION_NS",
                timer.hz
            )
        });
        for (name, lines) in [
            ("tband_config.h", &self.config),
            ("tband_port.h", &timer),
            ("tband_port.h", &self.port),
            ("FreeRTOSConfig.h", &self.freertos),
        ] {
            if let Some(lines) = lines {
                project = project.add(name, &format!("{}\n", lines.trim_end()));
            }
        }
        if let Some(name) = &self.without {
            project = project.without(name);
        }
        let timer = self.timer.iter().map(|timer| format!("-DTIMER={}", timer.counts));
        timer.chain(self.options.iter().cloned()).fold(project, |it, option| it.option(&option))
    }
}

/// Builds and runs the program, whose kernel has no hooks of tband.
fn record_without_hooks(project: &Project) -> PathBuf {
    let sources = ["main.c", SHIM, HOOKS, "port/POSIX_FREERTOS/tband_port.c"];
    let mut files = project.objects(&sources);
    let config = read(project.path("FreeRTOSConfig.h"));
    write(project.path("FreeRTOSConfig.h"), config.replace("#include \"tband.h\"", ""));
    files.extend([project.kernel_object(), archive().to_owned()]);
    let program = project.link(&files).unwrap_or_else(|printed| panic!("{printed}"));
    project.run(&program)
}

/// The path of a file of the project or of tband's.
fn source(name: &str) -> &str {
    match name {
        "shim" => SHIM,
        "hooks" => HOOKS,
        _ => name,
    }
}

/// An object, or what else is linked.
fn object(project: &Project, name: &str) -> PathBuf {
    match name {
        "kernel" => project.kernel_object(),
        "library" => archive().to_owned(),
        _ => project.objects(&[source(name)]).remove(0),
    }
}
