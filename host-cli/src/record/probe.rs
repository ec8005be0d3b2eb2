//! A debug probe, by the crate probe-rs: packets are read out of the target's memory while it runs.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use probe_rs::config::{MemoryRegion, TargetSelector};
use probe_rs::probe::list::Lister;
use probe_rs::probe::{DebugProbeInfo, DebugProbeSelector};
use probe_rs::{MemoryInterface, Permissions, Session};

use super::polled::{Look, Polled};
use super::source::{Link, Source, Stop};
use crate::target::{Drain, Memory, Program};

/// Between two looks, while something comes and while nothing does.
const PAUSE: Duration = Duration::from_millis(1);
const IDLE: Duration = Duration::from_millis(10);

/// A probe, and the chip that it is wired to.
pub struct Probe {
    /// As the user has named it; empty for the only one that there is.
    text: String,
    selector: Option<DebugProbeSelector>,
    chip: Option<String>,
    elf: Option<PathBuf>,
    tick_rate: Option<(u64, u64)>,
}

impl Probe {
    /// The probe of this name: VID:PID or VID:PID:SERIAL, or nothing for the only one. Without a chip it is asked for its
    /// name.
    ///
    /// # Errors
    /// It is no such name.
    pub fn new(
        text: &str,
        chip: Option<String>,
        elf: Option<PathBuf>,
        tick_rate: Option<(u64, u64)>,
    ) -> anyhow::Result<Self> {
        let selector = (!text.is_empty()).then(|| DebugProbeSelector::try_from(text)).transpose();
        let selector = selector.with_context(|| {
            format!("probe:{text}: write probe:VID:PID or probe:VID:PID:SERIAL, as of --list")
        })?;
        Ok(Self { text: text.to_owned(), selector, chip, elf, tick_rate })
    }
}

fn shown(probe: &DebugProbeInfo) -> String {
    let serial = probe.serial_number.as_ref().map_or_else(String::new, |it| format!(":{it}"));
    format!("probe:{:04x}:{:04x}{serial}", probe.vendor_id, probe.product_id)
}

/// The probes of this machine, each as a source and with what it is.
pub fn probes() -> Vec<(String, String)> {
    let all = Lister::new().list_all();
    all.iter().map(|probe| (shown(probe), probe.identifier.clone())).collect()
}

fn open(selector: Option<&DebugProbeSelector>) -> anyhow::Result<probe_rs::probe::Probe> {
    let lister = Lister::new();
    if let Some(selector) = selector {
        return lister.open(selector.clone()).context(
            "the probe cannot be opened: is another program using it? On Linux its user needs the udev rules of probe-rs",
        );
    }
    match &lister.list_all()[..] {
        [one] => Ok(one.open()?),
        [] => bail!(
            "this machine has no debug probe that is seen; is it plugged in? On Linux its user needs the udev rules of probe-rs"
        ),
        several => {
            let names: Vec<_> = several.iter().map(shown).collect();
            bail!("there are several probes; name one: {}", names.join(", "))
        }
    }
}

impl Source for Probe {
    fn name(&self) -> String {
        format!("probe:{}", self.text)
    }

    fn open(&mut self, _: &Stop) -> anyhow::Result<Option<Box<dyn Link>>> {
        let program = self.elf.as_ref().map(|elf| Program::read(elf, None)).transpose()?;
        let probe = open(self.selector.as_ref())?;
        let chip = self.chip.as_ref().map_or(TargetSelector::Auto, TargetSelector::from);
        let session = probe.attach(chip, Permissions::default()).with_context(|| {
            let hint = if self.chip.is_some() {
                "is it powered and wired, and is --chip its name?"
            } else {
                "name the chip, as --chip STM32F405RG"
            };
            format!("{}: the probe does not reach the chip; {hint}", self.name())
        })?;
        let regions = session.target().memory_map.iter();
        let ram = regions.filter_map(MemoryRegion::as_ram_region);
        let ram = ram.map(|region| (region.range.start, region.range.end)).collect();
        let mut memory = Chip { session };
        let mut drain = Drain::new(program, ram, self.tick_rate);
        drain.find(&mut memory).with_context(|| self.name())?;
        Ok(Some(Box::new(Polled::new(Target { memory, drain }))))
    }
}

/// The chip's memory, as its first core sees it.
struct Chip {
    session: Session,
}

impl Memory for Chip {
    fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        let read = self.session.core(0).and_then(|mut core| core.read(at, buf));
        read.map_err(|error| anyhow!(error).context(format!("cannot read at {at:#x}")))
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        let mut core = self.session.core(0)?;
        // A number is written at once: the target may look at any time.
        let written = match bytes.first_chunk() {
            Some(word) if bytes.len() == 4 => core.write_word_32(at, u32::from_le_bytes(*word)),
            _ => core.write(at, bytes),
        };
        written.map_err(|error| anyhow!(error).context(format!("cannot write at {at:#x}")))
    }
}

struct Target {
    memory: Chip,
    drain: Drain,
}

impl Look for Target {
    fn look(&mut self) -> anyhow::Result<Vec<u8>> {
        self.drain.look(&mut self.memory)
    }

    fn pause(&self, has_come: bool) -> Duration {
        if has_come { PAUSE } else { IDLE }
    }
}
