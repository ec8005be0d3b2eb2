//! Which signals there are in a recording.

use std::io;

use tband_conv::Sink;
use tband_conv::timeline::{At, Change, Switch, World};

use super::catalog::Catalog;
use super::follow::{Follow, Take};
use super::labels::Labels;
use super::value::Value;

/// Finds out which signals there are.
#[derive(Debug)]
pub struct Survey {
    follow: Follow<Nothing>,
    clean: fn(&str) -> String,
}

/// Takes nothing: all that is wanted are the signals.
#[derive(Debug)]
struct Nothing;

impl Take for Nothing {
    fn start(&mut self, _: &Catalog, _: i64) -> io::Result<()> {
        Ok(())
    }

    fn change(&mut self, _: &Labels, _: i64, _: u32, _: &Value) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, _: i64) -> io::Result<()> {
        Ok(())
    }
}

impl Survey {
    /// Names are made fit by `clean`, and unique.
    pub fn new(clean: fn(&str) -> String) -> Self {
        Self { follow: Follow::survey(Nothing), clean }
    }

    /// The signals that were found.
    pub fn into_catalog(self) -> Catalog {
        self.follow.into_catalog()
    }
}

impl Sink for Survey {
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        self.follow.change(world, at, change)
    }

    fn switch(&mut self, world: &World, at: At, switch: &Switch) -> io::Result<()> {
        self.follow.switch(world, at, switch)
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        self.follow.catalog().name_all(world, self.clean);
        Ok(())
    }
}
