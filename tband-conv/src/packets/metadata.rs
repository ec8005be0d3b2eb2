//! Reports from the metadata stream: all of it when a recording starts, later only new facts.
//!
//! It is written beside the events, and arrives before a packet that was open then. So a new fact is reported when the events
//! of its core have reached that time, if nothing else has reported it by then.

use std::collections::HashMap;

use tband_format::decode::{Decoded, FrameError};
use tband_format::field::Value;
use tband_format::packet::{Header, MAX_LEN};
use tband_format::{Event, cobs};

use super::leading_report::{LeadingContent, LeadingReport};
use crate::cores::MAX_CORES;
use crate::item::Defect;
use crate::item::owned_event::OwnedEvent;
use crate::item::schemas::Schemas;

/// Maximum number of kept facts. New facts are recognised by comparison with these.
const MAX_FACTS: usize = 1 << 16;

/// Key of a fact: the event's id, the numbers in it, and the core if they are the core's own.
type FactKey = (u8, [u32; 2], u32);

/// Facts known from metadata.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    /// The core that is reported.
    core: u32,
    /// There were packets of cores since the recording started.
    has_begun: bool,
    reported: HashMap<FactKey, OwnedEvent>,
    late: Vec<DelayedReport>,
    /// The timer's frequency, and its offset, until a packet of a core comes.
    frequency: Option<(Event<'static>, u64)>,
}

/// A report that is due once the events of its core have reached its time.
#[derive(Debug)]
struct DelayedReport {
    ticks: u64,
    about: FactKey,
    ahead: LeadingReport,
}

fn about(core: u32, event: &Event<'_>) -> FactKey {
    let (mut numbers, mut known) = ([0; 2], 0);
    event.for_each_field(|name, value| {
        if let Value::Unsigned(number) = value
            && name.ends_with("_id")
            && let Some(place) = numbers.get_mut(known)
        {
            (*place, known) = (u32::try_from(number).unwrap_or(u32::MAX), known + 1);
        }
    });
    // An interrupt may have another name on another core.
    let core = if matches!(event, Event::IsrName { .. }) { core } else { 0 };
    (event.wire_id(), numbers, core)
}

impl Metadata {
    /// A recording starts.
    pub fn start(&mut self) {
        *self = Self::default();
    }

    /// There are packets of cores.
    pub const fn begin(&mut self) {
        self.has_begun = true;
    }

    /// Whether a report is due once the events reach its time.
    pub const fn has_report(&self) -> bool {
        self.frequency.is_some() || !self.late.is_empty()
    }

    /// Whether only metadata has come since the recording started.
    pub const fn is_at_start(&self) -> bool {
        !self.has_begun
    }

    /// Whether no metadata has come yet.
    pub fn is_unreported(&self) -> bool {
        self.reported.is_empty()
    }

    /// An event has reported this; false if it was known.
    pub fn learn(&mut self, core: u32, event: &Event<'_>) -> bool {
        self.keep(about(core, event), event.into())
    }

    fn keep(&mut self, about: FactKey, event: OwnedEvent) -> bool {
        if self.reported.len() >= MAX_FACTS && !self.reported.contains_key(&about) {
            return false;
        }
        let is_known = self.reported.get(&about) == Some(&event);
        if !is_known {
            self.reported.insert(about, event);
        }
        !is_known
    }

    /// Reads a packet of metadata at this offset. Reports that are due at once are added to `ahead`.
    pub fn packet(
        &mut self,
        header: &Header,
        offset: u64,
        content: &[u8],
        ahead: &mut Vec<LeadingReport>,
        schemas: &mut Schemas,
    ) {
        let (mut scratch, mut kept) = ([0; MAX_LEN], Vec::new());
        let mut at = offset.saturating_add(tband_format::packet::HEADER_LEN as u64);
        for frame in content.split(|byte| *byte == 0) {
            let (offset, len) = (at, frame.len() as u64);
            at = at.saturating_add(len).saturating_add(1);
            if frame.is_empty() {
                continue;
            }
            let payload = cobs::decode(frame, &mut scratch).map_err(FrameError::Cobs);
            let decoded = payload
                .and_then(|payload| schemas.decode(payload, &mut kept).map_err(FrameError::Event));
            let decoded = decoded.map_err(Defect::Undecodable).and_then(|decoded| {
                let learnt = schemas.learn(&decoded.event);
                learnt.map_err(|(id, why)| Defect::BadSchema(id, why))?;
                Ok(decoded)
            });
            match decoded {
                Ok(decoded) => self.frame(header.begin, &decoded, offset, len, ahead),
                Err(defect) => {
                    let what = LeadingContent::Defect(defect);
                    ahead.push(LeadingReport {
                        core: self.core,
                        offset,
                        len,
                        what,
                        reported: None,
                    });
                }
            }
        }
    }

    fn frame(
        &mut self,
        ticks: u64,
        Decoded { ts, event }: &Decoded<'_>,
        offset: u64,
        len: u64,
        ahead: &mut Vec<LeadingReport>,
    ) {
        if let Event::CoreId { core_id } = *event {
            if core_id >= MAX_CORES {
                let what = LeadingContent::Defect(Defect::CoreOutOfRange(core_id));
                ahead.push(LeadingReport { core: self.core, offset, len, what, reported: None });
                return;
            }
            self.core = core_id;
        }
        if let Event::TsFrequency { numerator, denominator } = *event {
            // It has no own time here, and applies from the next packet on.
            self.frequency = Some((Event::TsFrequency { numerator, denominator }, offset));
            return;
        }
        let of = LeadingReport {
            core: self.core,
            offset,
            len,
            what: LeadingContent::Event(*ts, event.into()),
            reported: None,
        };
        if self.is_at_start() {
            self.learn(self.core, event);
            ahead.push(of);
        } else if event.is_metadata() {
            let about = about(self.core, event);
            let is_known = self.reported.get(&about).is_some_and(|reported| reported.is(event));
            // The later report counts, if the earlier one is still pending.
            self.late.retain(|late| late.about != about);
            if !is_known && self.late.len() < MAX_FACTS {
                let ahead = LeadingReport { reported: Some(ticks), ..of };
                self.late.push(DelayedReport { ticks, about, ahead });
            }
        }
    }

    /// A packet of a core begins at this time: how its timer counts, if that is news.
    pub fn frequency(&mut self, core: u32, begin: u64, ahead: &mut Vec<LeadingReport>) {
        let Some((event, offset)) = self.frequency.take() else { return };
        if !self.learn(0, &event) {
            return;
        }
        let len = event.payload_len(begin) as u64;
        let what = LeadingContent::Event(Some(begin), (&event).into());
        ahead.push(LeadingReport { core, offset, len, what, reported: None });
    }

    /// The events of a core have reached this time, or have ended if `reached` is `None`: reports the facts that are new by then.
    pub fn advance(&mut self, reached: Option<(u32, u64)>, ahead: &mut Vec<LeadingReport>) {
        if self.late.is_empty() {
            return;
        }
        let is_due = |late: &mut DelayedReport| {
            reached.is_none_or(|(core, ticks)| late.ahead.core == core && late.ticks <= ticks)
        };
        let due: Vec<DelayedReport> = self.late.extract_if(.., is_due).collect();
        for DelayedReport { about, ahead: of, .. } in due {
            if let LeadingContent::Event(_, event) = &of.what
                && self.keep(about, event.clone())
            {
                ahead.push(of);
            }
        }
    }
}
