//! How many cores there may be.

/// Cores that are distinguished. A larger core id is taken for damage.
pub const MAX_CORES: u32 = 64;
