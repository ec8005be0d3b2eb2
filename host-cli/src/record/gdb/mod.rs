//! A GDB server: packets are read out of the target's memory, as a debugger does.

mod client;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::polled::{Look, Polled};
use super::source::{Link, Source, Stop};
use super::tcp::connect;
use crate::target::{Drain, Program};
use client::Client;

/// Between two looks at the rings: the target runs.
const PAUSE: Duration = Duration::from_millis(50);

/// A GDB server.
pub struct Server {
    address: String,
    elf: PathBuf,
    /// It reads memory while the target runs.
    while_running: bool,
    tick_rate: Option<(u64, u64)>,
}

impl Server {
    pub fn new(
        address: &str,
        elf: PathBuf,
        while_running: bool,
        tick_rate: Option<(u64, u64)>,
    ) -> Self {
        Self { address: address.to_owned(), elf, while_running, tick_rate }
    }
}

impl Source for Server {
    fn name(&self) -> String {
        format!("gdb:{}", self.address)
    }

    fn open(&mut self, _: &Stop) -> anyhow::Result<Option<Box<dyn Link>>> {
        let program = Program::read(&self.elf, None)?;
        let while_running = self.while_running;
        let client = Client::new(connect(&self.address)?, while_running);
        let mut client = client.with_context(|| self.name())?;
        let mut drain = Drain::new(Some(program), Vec::new(), self.tick_rate);
        drain.find(&mut client).with_context(|| self.name())?;
        client.resume()?;
        Ok(Some(Box::new(Polled::new(Target { client, drain, while_running }))))
    }
}

struct Target {
    client: Client,
    drain: Drain,
    while_running: bool,
}

impl Look for Target {
    fn look(&mut self) -> anyhow::Result<Vec<u8>> {
        if !self.while_running {
            self.client.halt()?;
        }
        let new = self.drain.look(&mut self.client);
        if !self.while_running {
            self.client.resume()?;
        }
        new
    }

    fn pause(&self, _: bool) -> Duration {
        PAUSE
    }
}
