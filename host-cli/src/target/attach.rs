//! A target: access to its memory, and the actions before and after each look.

use tband_program::Memory;

/// The memory of a connected target.
pub trait Target: Memory {
    /// Begins a look at the memory.
    ///
    /// # Errors
    /// The target cannot be reached any more.
    fn begin_look(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Whether the target is stopped for each look.
    fn is_halting(&self) -> bool {
        false
    }

    /// Ends a look; the target continues in any case.
    ///
    /// # Errors
    /// The target cannot be reached any more.
    fn end_look(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// A target that has been reached.
pub struct AttachedTarget {
    /// Its memory.
    pub target: Box<dyn Target>,
    /// Where its RAM is, as far as that is known: from and to.
    pub ram: Vec<(u64, u64)>,
}

/// Access to a target, which may be lost repeatedly.
pub trait Attach: Send {
    /// Returns its name, as the user has written it.
    fn name(&self) -> String;

    /// Reaches the target.
    ///
    /// # Errors
    /// It is not there: the text contains the cause and the remedy.
    fn attach(&mut self) -> anyhow::Result<AttachedTarget>;
}
