//! A trace: the contents of its metadata, and the meanings of its events.

use std::fmt;
use std::rc::Rc;

use super::meaning::{Bound, CtfMap, MapError, bind};
use super::model::{Clock, MetadataError, Model, resolve};
use super::{json, tsdl};

/// Bytes of a metadata file, at most.
pub const MAX_METADATA: usize = 64 << 20;

/// A CTF trace without its streams. What reads a stream shares it.
#[derive(Debug)]
pub struct CtfTrace {
    pub(super) model: Model,
    pub(super) bound: Bound,
    /// For each class of streams how cycles become times.
    pub(super) scales: Vec<Scale>,
    /// Files of streams.
    pub(super) files: usize,
}

/// Why a trace cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CtfError {
    /// The metadata is wrong.
    Metadata(MetadataError),
    /// The mapping file does not fit the trace.
    Map(MapError),
}

impl fmt::Display for CtfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Metadata(error) => error.fmt(f),
            Self::Map(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CtfError {}

/// How the cycles of a clock become ticks of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Ticks in a second.
    pub hz: u64,
    /// Cycles in a second, and ns at 0 cycles, where all clocks become ns; else ticks are cycles.
    pub to_ns: Option<(u64, u64)>,
    /// Added to cycles that are ticks.
    pub first: u64,
}

impl Scale {
    /// The tick of a cycle.
    #[inline]
    pub fn ticks(&self, cycles: u64) -> u64 {
        match self.to_ns {
            None => cycles.saturating_add(self.first),
            Some((hz, begin)) => {
                let ns = u128::from(cycles) * 1_000_000_000 / u128::from(hz.max(1));
                u64::try_from(ns).unwrap_or(u64::MAX).saturating_add(begin)
            }
        }
    }
}

impl CtfTrace {
    /// Reads the file `metadata` of a trace with so many files of streams. The meanings of events come from the map, or from the built-in
    /// rules.
    ///
    /// # Errors
    /// [`CtfError`], with the line that is wrong.
    pub fn read(metadata: &[u8], map: Option<&CtfMap>, files: usize) -> Result<Self, CtfError> {
        if metadata.len() > MAX_METADATA {
            let text = format!("it has more than {} MiB", MAX_METADATA >> 20);
            return Err(CtfError::Metadata(MetadataError::new(0, text)));
        }
        let is_json = metadata.first() == Some(&0x1E);
        let declaration = if is_json { json::read(metadata) } else { tsdl::read(metadata) };
        let model = declaration.and_then(resolve).map_err(CtfError::Metadata)?;
        let bound = bind(&model, map).map_err(CtfError::Map)?;
        let scales = scales(&model);
        Ok(Self { model, bound, scales, files })
    }

    /// Names of events in the mapping file that the trace does not have.
    #[must_use]
    pub fn unused_rules(&self) -> &[Rc<str>] {
        &self.bound.unused
    }

    /// tband has written it.
    pub(super) fn is_own(&self) -> bool {
        self.model.environment("tracer_name") == Some("tband")
    }

    /// Bytes with which packets begin, if they begin with the magic number.
    pub(crate) fn magic(&self) -> Option<[u8; 4]> {
        const MAGIC: u32 = 0xC1FC_1FC1;
        let is_there = self.model.magic.is_some();
        is_there.then(|| match self.model.order {
            super::model::class::Order::Little => MAGIC.to_le_bytes(),
            super::model::class::Order::Big => MAGIC.to_be_bytes(),
        })
    }
}

/// How the cycles of each class of streams become ticks: they are ticks, unless classes have several clocks.
fn scales(model: &Model) -> Vec<Scale> {
    let clock = |index: Option<usize>| index.and_then(|index| model.clocks.get(index));
    let used: Vec<Option<&Clock>> = model.streams.iter().map(|it| clock(it.clock)).collect();
    let is_one = used.windows(2).all(|two| two.first() == two.get(1));
    if is_one {
        // Without a clock times are ns.
        let hz = used.first().copied().flatten().map_or(1_000_000_000, |it| it.frequency);
        let first = model.environment("first_tick").and_then(|it| it.parse().ok());
        let first = first.filter(|_| model.environment("tracer_name") == Some("tband"));
        let scale = Scale { hz, to_ns: None, first: first.unwrap_or(0) };
        return vec![scale; used.len()];
    }
    let begin = |clock: &Clock| {
        let (seconds, cycles) = (i128::from(clock.offset.0), i128::from(clock.offset.1));
        seconds * 1_000_000_000 + cycles * 1_000_000_000 / i128::from(clock.frequency.max(1))
    };
    let first = used.iter().flatten().map(|clock| begin(clock)).min().unwrap_or(0);
    let scale = |clock: &Option<&Clock>| {
        let (hz, since) = match clock {
            Some(clock) => (clock.frequency, begin(clock) - first),
            None => (1_000_000_000, 0),
        };
        let to_ns = Some((hz, u64::try_from(since).unwrap_or(0)));
        Scale { hz: 1_000_000_000, to_ns, first: 0 }
    };
    used.iter().map(scale).collect()
}
