//! Perfetto's page, which shows traces.

/// Where it is.
pub const PERFETTO: &str = "https://ui.perfetto.dev";

/// The one port of this machine that it may load from.
pub const DEFAULT_PORT: u16 = 9001;
