//! Bytes with their original offsets: the data between the steps that undo a change.

/// The beginning of an input, as far as changes were undone.
#[derive(Debug, Default)]
pub struct RestoredInput {
    pub bytes: Vec<u8>,
    /// For each byte the offset after it in the input.
    pub ends: Vec<usize>,
    /// More bytes would follow if there were more of the input.
    pub goes_on: bool,
}

impl RestoredInput {
    /// The first bytes of the input as they are, at most `limit`. More of them may come unless `is_all`.
    pub fn of(raw: &[u8], limit: usize, is_all: bool) -> Self {
        let bytes = raw.get(..limit).unwrap_or(raw).to_vec();
        let ends = (1..=bytes.len()).collect();
        Self { goes_on: !is_all && raw.len() < limit, bytes, ends }
    }

    pub fn push(&mut self, byte: u8, end: usize) {
        self.bytes.push(byte);
        self.ends.push(end);
    }
}
