//! Takes packets out of a target's memory: by RTT, if the firmware has it, otherwise out of their rings.

use anyhow::{Context, bail};
use tband_program::{Memory, Program};

use super::channel;
use super::level::percent;
use super::live::LiveRings;
use super::rtt::{Channels, Rtt};

/// Names of control blocks: that of the guide for firmware that has another one under the usual name, which is the second.
const BLOCKS: [&str; 2] = ["tband_rtt", "_SEGGER_RTT"];
/// A function of the library in programs that record by RTT. Other programs may have a control block for text output.
const USES_RTT: &str = "tband_lib_rtt_sync";
/// Where firmware without RTT takes commands from; described as a channel of RTT.
const MAILBOX: &str = "tband_mailbox";

/// The place of a recording in a target's memory.
pub struct Drain {
    program: Option<Program>,
    /// Ranges of memory that may be searched for a control block, if there is no program: from and to.
    ram: Vec<(u64, u64)>,
    tick_rate: Option<(u64, u64)>,
    /// The channels of RTT that the recording and commands go by.
    channels: &'static Channels,
    way: Option<DrainMethod>,
    /// How full the buffer was, in per cent.
    level: Option<u8>,
}

enum DrainMethod {
    Rtt(Rtt),
    Rings(LiveRings),
}

impl Drain {
    /// Creates a drain for a program, or for a block found in memory.
    pub const fn new(
        program: Option<Program>,
        ram: Vec<(u64, u64)>,
        tick_rate: Option<(u64, u64)>,
        channels: &'static Channels,
    ) -> Self {
        Self { program, ram, tick_rate, channels, way: None, level: None }
    }

    /// Searches for the recording. If it is not set up yet, each [`look`](Self::look) searches again.
    ///
    /// # Errors
    /// There is none, or the memory cannot be read.
    pub fn find(&mut self, memory: &mut dyn Memory) -> anyhow::Result<()> {
        self.way = match &self.program {
            Some(program) if !self.channels.is_own() || program.address(USES_RTT).is_some() => {
                let Some(block) = BLOCKS.iter().find_map(|name| program.address(name)) else {
                    bail!(
                        "the ELF file has no control block of RTT by the name of {}; call it so: tband_configRTT_SYMBOL",
                        BLOCKS.join(" or ")
                    );
                };
                // Names of channels are constants.
                let mut memory = program.over(memory);
                Rtt::at(&mut memory, block, program.pointer, self.channels)?.map(DrainMethod::Rtt)
            }
            Some(program) => {
                Some(DrainMethod::Rings(LiveRings::new(program, memory, self.tick_rate)?))
            }
            None if self.ram.is_empty() => {
                bail!("add --elf FIRMWARE.elf, the program that runs there, with symbols")
            }
            None => self.search(memory)?.map(DrainMethod::Rtt),
        };
        Ok(())
    }

    /// Writes as many of these bytes as the target has room for where it takes commands, and returns how many.
    ///
    /// # Errors
    /// It takes none, or the memory cannot be written.
    pub fn put(&self, memory: &mut dyn Memory, bytes: &[u8]) -> anyhow::Result<usize> {
        match (&self.way, &self.program) {
            (Some(DrainMethod::Rtt(rtt)), _) => rtt.put(memory, bytes),
            (Some(DrainMethod::Rings(_)), Some(program)) => {
                let Some(mailbox) = program.address(MAILBOX) else {
                    bail!(
                        "the program has no {MAILBOX}: it takes no commands, or not from a debugger; compile port/tband_commands.c, with tband_configUSE_MAILBOX 1, and call tband_obey()"
                    );
                };
                channel::put(memory, mailbox, program.pointer, bytes)
            }
            // Not set up yet.
            _ => Ok(0),
        }
    }

    /// Returns the level of the target's buffer at the last look, in per cent; `None` if read bytes are not released.
    pub const fn level(&self) -> Option<u8> {
        self.level
    }

    /// The firmware has started to record, or has set up RTT for that.
    pub fn has_begun(&self) -> bool {
        match &self.way {
            Some(DrainMethod::Rtt(_)) => true,
            Some(DrainMethod::Rings(live)) => live.has_begun(),
            None => false,
        }
    }

    /// Searches all RAM for a control block that has the channel. There may be others, for text output, and false ones.
    fn search(&self, memory: &mut dyn Memory) -> anyhow::Result<Option<Rtt>> {
        // Not all of a chip's RAM need be there: some is off, or another core's.
        let (mut refused, mut unread, mut read) = (None, None, false);
        for (from, to) in &self.ram {
            let mut at = *from;
            loop {
                let block = match Rtt::find(memory, at, *to) {
                    Ok(Some(block)) => block,
                    Ok(None) => {
                        read = true;
                        break;
                    }
                    Err(error) => {
                        unread = Some(error);
                        break;
                    }
                };
                // A user with a 64-bit target names the program.
                match Rtt::at(memory, block, 4, self.channels) {
                    Ok(Some(rtt)) => return Ok(Some(rtt)),
                    Ok(None) => {}
                    Err(error) => refused = Some(error),
                }
                at = block.saturating_add(4);
            }
        }
        match refused.or(unread.filter(|_| !read)) {
            Some(error) => Err(error),
            // It may be set up later.
            None => Ok(None),
        }
    }

    /// Returns the new bytes.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn look(&mut self, memory: &mut dyn Memory) -> anyhow::Result<Vec<u8>> {
        if self.way.is_none() {
            self.find(memory)?;
        }
        let mut new = Vec::new();
        match (&mut self.way, &self.program) {
            (Some(DrainMethod::Rtt(rtt)), _) => {
                let size = rtt.size();
                let Err(why) = rtt.take(memory).map(|taken| new = taken) else {
                    self.level = percent(new.len() as u64, size);
                    return Ok(new);
                };
                // A target that starts again has it where it was, a little later.
                self.way = None;
                self.find(memory).with_context(|| format!("{why:#}"))?;
                Ok(new)
            }
            (Some(DrainMethod::Rings(live)), Some(program)) => {
                let new = live.look(program, memory);
                self.level = live.level();
                new
            }
            _ => Ok(Vec::new()),
        }
    }
}
