//! A command whose cost is measured, with its budget.

/// A command that is measured: its name in tables, and its arguments.
#[derive(Clone, Copy)]
pub struct MeasuredCommand {
    pub name: &'static str,
    pub args: &'static [&'static str],
    /// Most instructions for each event, all costs included, from frames and from packets.
    pub most: [u64; 2],
    /// It writes a file, or a folder of files.
    pub writes: Option<&'static str>,
}
