//! A debug probe, by the crate probe-rs. This file is all that knows of it: the rest reads the target's memory through
//! [`Attach`] and [`Target`], and is tested over a simulated one.

use anyhow::{Context, anyhow, bail};
use probe_rs::config::{MemoryRegion, TargetSelector};
use probe_rs::probe::list::Lister;
use probe_rs::probe::{DebugProbeInfo, DebugProbeSelector};
use probe_rs::{MemoryInterface, Permissions, Session};
use tband_program::Memory;

use crate::target::{Attach, AttachedTarget, Target};

/// A probe, and the chip that it is wired to.
pub struct Probe {
    /// As the user has named it; empty for the only probe.
    text: String,
    selector: Option<DebugProbeSelector>,
    chip: Option<String>,
}

impl Probe {
    /// Creates the probe with this name: VID:PID or VID:PID:SERIAL, or empty for the only one. Without a chip the probe is
    /// asked for its name.
    ///
    /// # Errors
    /// It is not a valid name.
    pub fn new(text: &str, chip: Option<String>) -> anyhow::Result<Self> {
        let selector = (!text.is_empty()).then(|| DebugProbeSelector::try_from(text)).transpose();
        let selector = selector.with_context(|| {
            format!("probe:{text}: write probe:VID:PID or probe:VID:PID:SERIAL, as of --list")
        })?;
        Ok(Self { text: text.to_owned(), selector, chip })
    }
}

fn format_probe(probe: &DebugProbeInfo) -> String {
    let serial = probe.serial_number.as_ref().map_or_else(String::new, |it| format!(":{it}"));
    format!("probe:{:04x}:{:04x}{serial}", probe.vendor_id, probe.product_id)
}

/// Returns the probes of this machine, each as a source with its description.
pub fn probes() -> Vec<(String, String)> {
    let all = Lister::new().list_all();
    all.iter().map(|probe| (format_probe(probe), probe.identifier.clone())).collect()
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
            let names: Vec<_> = several.iter().map(format_probe).collect();
            bail!("there are several probes; name one: {}", names.join(", "))
        }
    }
}

impl Attach for Probe {
    fn name(&self) -> String {
        format!("probe:{}", self.text)
    }

    fn attach(&mut self) -> anyhow::Result<AttachedTarget> {
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
        Ok(AttachedTarget { target: Box::new(Chip { session }), ram })
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
        // A number is written at once: the target may read it at any time.
        let written = match bytes.first_chunk() {
            Some(word) if bytes.len() == 4 => core.write_word_32(at, u32::from_le_bytes(*word)),
            _ => core.write(at, bytes),
        };
        written.map_err(|error| anyhow!(error).context(format!("cannot write at {at:#x}")))
    }
}

impl Target for Chip {}
