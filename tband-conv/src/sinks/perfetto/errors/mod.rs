//! Losses and faults, on the tracks of the group *Errors*.

mod omissions;
mod triggers;

use super::events::{Arg, EventType};
use super::memory::Errors;
use super::packets::Name;
use super::trace::Trace;
use super::tracks::{Group, Parent, Track, TrackContent, Uuid};
use crate::diagnostics::{Finding, Problem, Severity};
use crate::model::EventTime;

/// Losses that are remembered.
const MAX_FIRST: usize = 3;

impl Trace {
    /// Shows a finding. `since` is the time of the last event of its core before it.
    #[cold]
    pub(super) fn finding(&mut self, at: EventTime, since: i64, finding: &Finding<'_>) {
        // Only at the end it is known whether the frequency has come later.
        if finding.problem == Problem::NoResolution {
            return;
        }
        let size = self.packets.size();
        let quota = &mut self.errors.quota;
        if !quota.admit(finding.problem, size.saturating_sub(quota.size())) {
            return;
        }
        self.show_finding(at, since, finding);
        let more = self.packets.size().saturating_sub(size);
        self.errors.quota.add(more);
    }

    /// The trace ends: reports that its times are ticks.
    pub(super) fn emit_unit(&mut self, start_ns: i64) {
        let track = self.damage_track();
        let text = "unknown frequency of the timestamps: times are in ticks, each shown as 1 ns";
        let name = Some(Name::Inline(text.as_bytes()));
        self.packets.event(start_ns, EventType::Instant, track, name);
    }

    /// The trace ends: reports how many findings it does not show.
    pub(super) fn emit_hidden(&mut self, end_ns: i64) {
        if let Some(text) = self.errors.quota.rest() {
            let track = self.damage_track();
            let name = Some(Name::Inline(text.as_bytes()));
            self.packets.event(end_ns, EventType::Instant, track, name);
        }
    }

    fn show_finding(&mut self, at: EventTime, since: i64, finding: &Finding<'_>) {
        let amount = u32::try_from(finding.amount).unwrap_or(u32::MAX);
        let place = finding.place;
        let offset = u32::try_from(place.offset).unwrap_or(u32::MAX);
        let input = u32::try_from(place.input).unwrap_or(u32::MAX);
        if finding.problem.is_between_events() {
            let track = self.lost_track(at.core);
            let name = match amount {
                _ if finding.problem == Problem::PacketsLost => finding.text.to_owned(),
                1 => "1 event lost".to_owned(),
                _ => format!("{amount} events lost"),
            };
            if self.errors.first.len() < MAX_FIRST {
                self.errors.first.push((since.min(at.ns), name.clone()));
            }
            let args = [
                ("lost", Arg::Number(amount)),
                ("byte", Arg::Number(offset)),
                ("input", Arg::Number(input)),
            ];
            self.slice(since.min(at.ns), track, &name, &args);
            self.end_slice(at.ns, track, &[]);
            return;
        }
        let track = match finding.problem.severity() {
            Severity::Loss => self.lost_track(at.core),
            Severity::Damage => self.damage_track(),
            Severity::Note => {
                let about = "Facts worth knowing, though the recording is complete.";
                self.errors_track(|errors| &mut errors.notes, "notes", 3, about)
            }
        };
        let text = format!("{} (byte {})", finding.text, place.offset);
        self.packets.event(at.ns, EventType::Instant, track, Some(Name::Inline(text.as_bytes())));
    }

    fn damage_track(&mut self) -> Uuid {
        let about = "Places where the recording is damaged or contradicts itself.";
        self.errors_track(|errors| &mut errors.damage, "damage", 2, about)
    }

    pub(super) fn errors_track(
        &mut self,
        track: fn(&mut Errors) -> &mut Uuid,
        name: &str,
        rank: i32,
        about: &'static str,
    ) -> Uuid {
        let known = *track(&mut self.errors);
        if known != 0 {
            return known;
        }
        let new = Track {
            rank,
            about,
            ..Track::new(Parent::Group(Group::Errors), name, TrackContent::Slices)
        };
        let uuid = self.tracks.make(&mut self.packets, new);
        *track(&mut self.errors) = uuid;
        uuid
    }

    fn lost_track(&mut self, core: u32) -> Uuid {
        let known = self.errors.lost.copied(core);
        if known != 0 {
            return known;
        }
        let track = Track {
            rank: 1,
            about: "Events that the target could not record: each slice is from the last event \
                    before the loss to the report of it.",
            is_merged: true,
            ..Track::new(Parent::Group(Group::Errors), "lost events", TrackContent::Slices)
        };
        let uuid = self.tracks.make(&mut self.packets, track);
        *self.errors.lost.entry(core) = uuid;
        uuid
    }
}
