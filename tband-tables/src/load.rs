//! The load over time, as rows.

use std::io;

use tband_conv::load::{TakeWindow, Window};
use tband_conv::model::World;

use crate::row::Rows;

/// Length of a window, unless the options have another, in ns.
pub const WINDOW: i64 = 100_000_000;

/// Writes a row for each owner of each window.
pub struct LoadRows<R> {
    pub recording: String,
    pub table: R,
}

impl<R: Rows> TakeWindow for LoadRows<R> {
    fn window(&mut self, world: &World, window: &Window<'_>) -> io::Result<()> {
        for &(owner, ns) in window.shares {
            self.table.row(&[
                (&self.recording).into(),
                window.begin_ns.into(),
                window.end_ns.into(),
                window.core.into(),
                owner.kind().into(),
                owner.id(world).into(),
                (&owner.name(world, window.core)).into(),
                ns.into(),
            ])?;
        }
        Ok(())
    }
}
