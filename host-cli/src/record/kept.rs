//! What is kept of what comes: all of it, or what is around triggers.

use super::store::Store;
use super::triggered::Triggered;

/// Where what comes goes.
pub enum Kept {
    All(Box<Store>),
    Triggered(Box<Triggered>),
}

impl Kept {
    /// Adds what has come.
    ///
    /// # Errors
    /// It cannot be written, or the firmware refuses what it was asked for.
    pub fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::All(store) => store.add(bytes),
            Self::Triggered(triggered) => triggered.add(bytes),
        }
    }

    /// Something may be missing from here on.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn gap(&mut self) -> anyhow::Result<()> {
        match self {
            Self::All(store) => store.gap(),
            Self::Triggered(triggered) => triggered.gap(),
        }
    }

    /// The target is asked for triggers, and has not answered.
    pub fn is_asking(&self) -> bool {
        matches!(self, Self::Triggered(triggered) if triggered.is_asking())
    }

    /// Bytes in the file that grows.
    pub const fn len(&self) -> u64 {
        match self {
            Self::All(store) => store.len(),
            Self::Triggered(_) => 0,
        }
    }
}
