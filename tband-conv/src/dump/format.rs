//! How a dump is written.

/// The format of a dumped line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DumpFormat {
    /// For people: time in ticks and ms, time since the line before, core, event, fields, names where
    /// they are known.
    #[default]
    Text,
    /// As text, with the offset of each frame in front.
    TextWithOffsets,
    /// One JSON object.
    Json,
}
