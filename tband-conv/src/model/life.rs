//! When an object came and went.

/// When an object came and went, as far as the recording reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// When it was created, in ns.
    pub born_ns: Option<i64>,
    /// When it was deleted, or its number was found to be another's, in ns.
    pub died_ns: Option<i64>,
    /// Something other than its name was reported about it.
    pub(crate) used: bool,
    /// After which gap it was named or reported last, as far as that is noted, or died.
    pub(crate) gap: u32,
}
