//! A GDB server: the rings of packets are read out of the target's memory, as a debugger does.

mod client;

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context;

use super::source::{Got, Link, Source, Stop};
use super::tcp::connect;
use crate::target::{Live, Program};
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
        let client = Client::new(connect(&self.address)?).with_context(|| self.name())?;
        let mut target = Target {
            client,
            program,
            live: None,
            came: VecDeque::new(),
            while_running: self.while_running,
        };
        let live = Live::new(&target.program, &mut target.client, self.tick_rate);
        target.live = Some(live.with_context(|| self.name())?);
        target.client.resume()?;
        Ok(Some(Box::new(target)))
    }
}

struct Target {
    client: Client,
    program: Program,
    live: Option<Live>,
    /// Bytes that were read and not taken.
    came: VecDeque<u8>,
    while_running: bool,
}

impl Target {
    /// Reads what is new in the rings.
    fn look(&mut self) -> anyhow::Result<()> {
        let Some(live) = &mut self.live else { return Ok(()) };
        if !self.while_running {
            self.client.halt()?;
        }
        let new = live.look(&self.program, &mut self.client);
        if !self.while_running {
            self.client.resume()?;
        }
        self.came.extend(new?);
        Ok(())
    }
}

impl Link for Target {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<Got> {
        if self.came.is_empty() {
            sleep(PAUSE);
            self.look().map_err(|error| io::Error::other(format!("{error:#}")))?;
        }
        let len = self.came.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(self.came.drain(..len)) {
            *to = from;
        }
        Ok(if len == 0 { Got::Nothing } else { Got::Bytes(len) })
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Whoever has lost the connection cannot let the target run any more.
        let _ = self.client.detach(self.while_running);
    }
}
