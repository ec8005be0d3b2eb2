//! A GDB server: it reads the target's memory, as a debugger does.

mod client;
mod line;

use anyhow::Context;

use self::client::Client;
use crate::target::{Attach, AttachedTarget, Target};

/// A GDB server, at HOST:PORT or at a serial port.
pub struct Server {
    address: String,
    /// It reads memory while the target runs.
    while_running: bool,
}

impl Server {
    pub fn new(address: &str, while_running: bool) -> Self {
        Self { address: address.to_owned(), while_running }
    }
}

impl Attach for Server {
    fn name(&self) -> String {
        format!("gdb:{}", self.address)
    }

    fn attach(&mut self) -> anyhow::Result<AttachedTarget> {
        let client = Client::new(line::open(&self.address)?, self.while_running);
        let client = client.with_context(|| self.name())?;
        Ok(AttachedTarget { target: Box::new(client), ram: Vec::new() })
    }
}

impl Target for Client {
    fn begin_look(&mut self) -> anyhow::Result<()> {
        if self.while_running() { Ok(()) } else { self.halt() }
    }

    fn is_halting(&self) -> bool {
        !self.while_running()
    }

    fn end_look(&mut self) -> anyhow::Result<()> {
        self.resume()
    }
}
