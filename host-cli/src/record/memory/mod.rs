//! Sources that read a target's memory: they take the recorded data out of it, and the firmware does not have to send it. Each
//! provides access to the memory; everything else is common.

mod gdb;
mod poll_monitor;
mod polled;
#[cfg(feature = "probe")]
pub mod probe;
mod ram;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod waiting;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use tband_program::{Program, formats};

use self::poll_monitor::PollMonitor;
use self::polled::{PolledLink, PolledSource};
use super::source::{Link, Source, StopFlag};
use crate::args::TargetArgs;
use crate::args::sources::{CommandPath, SourceFacts, SourceKind, command_path};
use crate::target::{Attach, AttachedTarget, Channels, Drain, Recording, Target, of_program};

/// Intervals between two quick looks that do not disturb the target: while data comes, and while none does.
const QUICK: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(10)];
/// Interval between two looks for which the target is stopped.
const SLOW: [Duration; 2] = [Duration::from_millis(50); 2];

/// Bytes of the program that are compared with those in the target, which may be halted for that.
const MOST_COMPARED: usize = 1 << 14;

/// This is the name of such a source.
pub fn is_memory_source(text: &str) -> bool {
    command_path(text) == CommandPath::Memory
}

/// Returns access to the memory of a source that is [one](is_memory_source).
///
/// # Errors
/// A required part is missing.
pub fn named(text: &str, of_target: &TargetArgs) -> anyhow::Result<Box<dyn Attach>> {
    let Some((&SourceFacts { kind, .. }, rest)) = SourceFacts::of(text) else {
        bail!("{text} is not a source");
    };
    if kind != SourceKind::Probe && of_target.chip.is_some() {
        bail!("--chip is for a debug probe: other sources know their chip");
    }
    if kind != SourceKind::Gdb && of_target.no_halt {
        bail!("--no-halt is for a GDB server: others read while the target runs");
    }
    // The names of RTT's channels are constants, which only a probe reads with the RAM.
    if kind != SourceKind::Probe && of_target.elf.is_none() {
        bail!("{text}: add --elf FIRMWARE.elf, the program that runs there, with symbols");
    }
    match kind {
        SourceKind::Gdb => Ok(Box::new(gdb::Server::new(rest, of_target.no_halt))),
        SourceKind::Ram => {
            let file = ram::RamFile::new(rest);
            Ok(Box::new(file.ok_or_else(|| anyhow!("{text}: write ram:PATH@ADDRESS, with the address of the memory's first byte, as ram:/dev/shm/ram@0x20000000"))?))
        }
        SourceKind::Probe => probe(rest, of_target),
        _ => bail!("{text} reads no memory"),
    }
}

#[cfg(feature = "probe")]
fn probe(name: &str, of_target: &TargetArgs) -> anyhow::Result<Box<dyn Attach>> {
    Ok(Box::new(probe::Probe::new(name, of_target.chip.clone())?))
}

#[cfg(not(feature = "probe"))]
fn probe(_: &str, _: &TargetArgs) -> anyhow::Result<Box<dyn Attach>> {
    bail!(
        "this tband-cli was built without debug probes: 'cargo install --path host-cli --features probe' builds it with them; or start the GDB server or RTT server of your probe, and name gdb:HOST:PORT or tcp:HOST:PORT"
    )
}

/// A source that reads a target's memory.
pub struct InMemory {
    attach: Box<dyn Attach>,
    elf: Option<PathBuf>,
    tick_rate: Option<(u64, u64)>,
    pauses: [Duration; 2],
    /// The channels of RTT that the recording and commands go by.
    channels: &'static Channels,
}

impl InMemory {
    /// Creates a source that is [one](is_memory_source).
    ///
    /// # Errors
    /// A required part is missing.
    pub fn new(
        text: &str,
        of_target: &TargetArgs,
        channels: &'static Channels,
    ) -> anyhow::Result<Self> {
        let pauses = if text.starts_with("gdb:") { SLOW } else { QUICK };
        Ok(Self::of(named(text, of_target)?, of_target, pauses, channels))
    }

    fn of(
        attach: Box<dyn Attach>,
        of_target: &TargetArgs,
        pauses: [Duration; 2],
        channels: &'static Channels,
    ) -> Self {
        let tick_rate = of_target.tick_rate.map(|it| (it.numerator(), it.denominator()));
        Self { attach, elf: of_target.elf.clone(), tick_rate, pauses, channels }
    }
}

impl Source for InMemory {
    fn name(&self) -> String {
        self.attach.name()
    }

    fn open(&mut self, _: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        let program = self.elf.as_ref().map(|elf| Program::read(elf, None)).transpose()?;
        let known = self.elf.as_deref().map(formats).transpose()?.unwrap_or_default();
        let AttachedTarget { mut target, ram } = self.attach.attach()?;
        target.begin_look()?;
        let is_compared = match &program {
            Some(program) => {
                program.compare(&mut *target, Some(MOST_COMPARED)).with_context(|| self.name())?
            }
            None => false,
        };
        let looks = PollMonitor::new(target.is_halting(), is_compared);
        let mut drain = Drain::new(program, ram, self.tick_rate, self.channels);
        drain.find(&mut *target).with_context(|| self.name())?;
        target.end_look()?;
        Ok(Some(Box::new(PolledLink::new(MemoryReader {
            target,
            drain,
            pauses: self.pauses,
            looks,
            begin: Instant::now(),
            warning: None,
            first: of_program(&known),
            to_send: Vec::new(),
            came: Vec::new(),
            level: None,
            of_sends: None,
        }))))
    }
}

/// Data that is taken out of a memory, look by look.
struct MemoryReader {
    target: Box<dyn Target>,
    drain: Drain,
    pauses: [Duration; 2],
    looks: PollMonitor,
    /// Begin of the connection.
    begin: Instant,
    /// The pending warning.
    warning: Option<String>,
    /// Metadata that the recording is to begin with, until it does.
    first: Vec<Vec<u8>>,
    /// Bytes that the target had no room for yet.
    to_send: Vec<u8>,
    /// Bytes that came while bytes were sent.
    came: Vec<u8>,
    /// Level of the buffer at the last look, and when bytes were sent since.
    level: Option<u8>,
    of_sends: Option<u8>,
}

impl MemoryReader {
    /// Takes the new bytes, and then sends as much as there is room for: while the target is read it may have filled its
    /// buffer, and its answer needs room there.
    fn exchange(&mut self) -> anyhow::Result<anyhow::Result<()>> {
        let begin = Instant::now();
        self.target.begin_look()?;
        let new = self.drain.look(&mut *self.target);
        let sent = self.send_some();
        self.target.end_look()?;
        let (took, elapsed) = (begin.elapsed(), self.begin.elapsed());
        let warning = self.looks.end_poll(took, elapsed, self.drain.has_begun());
        self.warning = self.warning.take().or(warning);
        self.came.extend(new?);
        Ok(sent)
    }

    /// Sends as much as there is room for, during a look. Bytes that cannot be sent are not tried again.
    fn send_some(&mut self) -> anyhow::Result<()> {
        if !self.to_send.is_empty() {
            let put = self.drain.put(&mut *self.target, &self.to_send);
            let len = *put.as_ref().unwrap_or(&self.to_send.len());
            self.to_send.drain(..len.min(self.to_send.len()));
            put?;
        }
        Ok(())
    }
}

impl PolledSource for MemoryReader {
    fn look(&mut self) -> anyhow::Result<Vec<u8>> {
        // Received bytes count, whether or not a command was delivered: lost access to the memory is noticed at the next look.
        // Bytes that came while bytes were sent are kept.
        let _ = match self.exchange() {
            Err(error) if self.came.is_empty() => return Err(error),
            sent => sent,
        };
        self.level = self.drain.level().max(self.of_sends.take());
        let bytes = std::mem::take(&mut self.came);
        let mut recording = Recording { bytes, ..Recording::default() };
        // A block of RTT may deliver a part of a packet first.
        if recording.is_packets() {
            recording.prepend_events(&std::mem::take(&mut self.first));
        }
        Ok(recording.bytes)
    }

    fn send(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        // A repeated command need not wait twice.
        if !self.to_send.ends_with(bytes) {
            self.to_send.extend_from_slice(bytes);
        }
        let sent = self.exchange()?;
        self.of_sends = self.of_sends.max(self.drain.level());
        sent
    }

    fn level(&self) -> Option<u8> {
        self.level
    }

    fn pause(&self, has_come: bool) -> Duration {
        let [busy, idle] = self.pauses;
        let usual = if has_come { busy } else { idle };
        self.looks.pause(usual, self.drain.has_begun())
    }

    fn warning(&mut self) -> Option<String> {
        self.warning.take()
    }
}
