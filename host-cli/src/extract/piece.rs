//! A piece of a target's memory in a file.

/// A piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its address in the target; `None` if the file does not contain it.
    pub address: Option<u64>,
    /// Where it is in the file.
    pub offset: u64,
    pub len: u64,
}
