//! A target that is there: how its memory is reached, and what is done around looks at it.

use tband_program::Memory;

/// The memory of a target that is there.
pub trait Target: Memory {
    /// Before a look at the memory.
    ///
    /// # Errors
    /// The target is not reached any more.
    fn begin_look(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    /// The target is stopped for each look.
    fn halts(&self) -> bool {
        false
    }

    /// After it; the target goes on in any case.
    ///
    /// # Errors
    /// The target is not reached any more.
    fn end_look(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

/// What has been reached.
pub struct Attached {
    /// Its memory.
    pub target: Box<dyn Target>,
    /// Where its RAM is, as far as that is known: from and to.
    pub ram: Vec<(u64, u64)>,
}

/// A way to a target, which may be gone again and again.
pub trait Attach: Send {
    /// What it is, as the user names it.
    fn name(&self) -> String;

    /// Reaches the target.
    ///
    /// # Errors
    /// It is not there: the text says what was found, and what to do.
    fn attach(&mut self) -> anyhow::Result<Attached>;
}
