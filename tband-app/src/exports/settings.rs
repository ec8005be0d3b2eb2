//! Settings of an export, in addition to how the recording is read.

use tband_conv::sinks::Interrupts;
#[cfg(feature = "tools")]
use tband_export::FluxOptions;

/// Names of the events of a CTF trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CtfNames {
    /// As they were recorded.
    #[default]
    Tband,
    /// Those of the Linux kernel's tracer: the running tasks of each core.
    Lttng,
}

/// Settings of exports. Each uses only its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// How Perfetto's trace shows interrupts.
    pub interrupts: Interrupts,
    /// Whether Perfetto's trace has every recorded event too.
    pub raw_events: bool,
    /// Whether Perfetto's trace has the activations of tasks too.
    pub activations: bool,
    /// Whether Perfetto's trace has the load of each task over time too.
    pub task_load: bool,
    /// Whether tables include `parts`.
    pub parts: bool,
    /// Names of the events of a CTF trace.
    pub ctf_names: CtfNames,
    /// Version and compression of flux.
    #[cfg(feature = "tools")]
    pub flux: FluxOptions,
}

/// A setting that not every export takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A part of the recording, by its times.
    Window,
    /// The file is compressed once more.
    Gzip,
    /// The trace is shown by ui.perfetto.dev.
    Shown,
    /// [`Settings::interrupts`].
    Interrupts,
    /// [`Settings::raw_events`].
    RawEvents,
    /// [`Settings::activations`].
    Activations,
    /// [`Settings::task_load`].
    TaskLoad,
    /// [`Settings::parts`].
    Parts,
    /// Arrows from every sent item to its receiver.
    AllFlows,
    /// [`Settings::ctf_names`].
    CtfNames,
    /// The version of `Settings::flux`.
    FluxVersion,
    /// The compression of `Settings::flux`.
    FluxCompression,
}

impl Setting {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Window,
        Self::Gzip,
        Self::Shown,
        Self::Interrupts,
        Self::RawEvents,
        Self::Activations,
        Self::TaskLoad,
        Self::Parts,
        Self::AllFlows,
        Self::CtfNames,
        Self::FluxVersion,
        Self::FluxCompression,
    ];

    /// Returns its option on the command line.
    #[must_use]
    pub const fn flag(self) -> &'static str {
        match self {
            Self::Window => "a window (--from, --to, --around)",
            Self::Gzip => "--gzip",
            Self::Shown => "--open or --serve",
            Self::Interrupts => "--interrupts",
            Self::RawEvents => "--raw-events",
            Self::Activations => "--activations",
            Self::TaskLoad => "--task-load",
            Self::Parts => "--parts",
            Self::AllFlows => "--flows all",
            Self::CtfNames => "--ctf-names",
            Self::FluxVersion => "--flux-version",
            Self::FluxCompression => "--flux-compression",
        }
    }
}
