//! What records through a target's memory takes packets by RTT, if the firmware has it, else out of their rings.

use anyhow::{Context, bail};

use super::live::Live;
use super::memory::Memory;
use super::rtt::Rtt;
use super::symbols::Program;

/// Names of control blocks: that of the guide for firmware that has another one under the usual name, which is the second.
const BLOCKS: [&str; 2] = ["tband_rtt", "_SEGGER_RTT"];
/// A function of the library that a program has if it records by RTT. Others may have a control block for what they print.
const USES_RTT: &str = "tband_rtt_sync";

/// Where there is a recording in a target's memory.
pub struct Drain {
    program: Option<Program>,
    /// Where memory may be searched for a control block, if there is no program: from and to.
    ram: Vec<(u64, u64)>,
    tick_rate: Option<(u64, u64)>,
    way: Option<Way>,
}

enum Way {
    Rtt(Rtt),
    Rings(Live),
}

impl Drain {
    /// Of a program, or of what is found in memory.
    pub const fn new(
        program: Option<Program>,
        ram: Vec<(u64, u64)>,
        tick_rate: Option<(u64, u64)>,
    ) -> Self {
        Self { program, ram, tick_rate, way: None }
    }

    /// Looks for the recording. What is not set up yet is looked for again with each [`look`](Self::look).
    ///
    /// # Errors
    /// There is none, or the memory cannot be read.
    pub fn find(&mut self, memory: &mut dyn Memory) -> anyhow::Result<()> {
        self.way = match &self.program {
            Some(program) if program.address(USES_RTT).is_some() => {
                let Some(block) = BLOCKS.iter().find_map(|name| program.address(name)) else {
                    bail!(
                        "the ELF file has no control block of RTT by the name of {}; call it so: tband_configRTT_SYMBOL",
                        BLOCKS.join(" or ")
                    );
                };
                // Names of channels are constants.
                let mut memory = program.over(memory);
                Rtt::at(&mut memory, block, program.pointer)?.map(Way::Rtt)
            }
            Some(program) => Some(Way::Rings(Live::new(program, memory, self.tick_rate)?)),
            None => {
                let mut block = None;
                for (from, to) in &self.ram {
                    if block.is_none() {
                        block = Rtt::find(memory, *from, *to)?;
                    }
                }
                match block {
                    // Who has 64 bits gives its program.
                    Some(block) => Rtt::at(memory, block, 4)?.map(Way::Rtt),
                    None if self.ram.is_empty() => {
                        bail!("add --elf FIRMWARE.elf, the program that runs there, with symbols")
                    }
                    None => None,
                }
            }
        };
        Ok(())
    }

    /// What is new.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn look(&mut self, memory: &mut dyn Memory) -> anyhow::Result<Vec<u8>> {
        if self.way.is_none() {
            self.find(memory)?;
        }
        match (&mut self.way, &self.program) {
            (Some(Way::Rtt(rtt)), _) => {
                let taken = rtt.take(memory);
                if taken.is_err() {
                    // A target that starts again has it where it was, a little later.
                    self.way = None;
                    self.find(memory).context("after a reset of the target")?;
                    return Ok(Vec::new());
                }
                taken
            }
            (Some(Way::Rings(live)), Some(program)) => live.look(program, memory),
            _ => Ok(Vec::new()),
        }
    }
}
