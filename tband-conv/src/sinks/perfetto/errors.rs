//! Losses, faults and crashes, on the tracks of the group *Errors*; triggers.

use super::events::{Arg, EventType};
use super::packets::Name;
use super::trace::Trace;
use super::tracks::{Group, NewTrack, OwnTrack, Parent, TrackContent, Uuid};
use crate::diagnostics::{Finding, Problem, Severity};
use crate::model::{Crash, EventTime, Trigger};
use crate::tracks::{Now, Track};
use tband_import::counted::counted;

/// Crashes that are shown; no working firmware has more.
const MAX_CRASHES: u64 = 1000;
/// Triggers that are shown; more are of firmware that arms them all the time.
const MAX_TRIGGERS: u64 = 10_000;
/// Losses that are remembered.
const MAX_FIRST: usize = 3;

impl Trace {
    /// Shows a finding, unless there are too many of its kind.
    pub(super) fn admit_finding(&mut self, at: EventTime, finding: &Finding<'_>) {
        // Only at the end it is known whether the frequency has come later.
        if finding.problem == Problem::NoResolution {
            return;
        }
        let size = self.packets.size();
        let quota = &mut self.errors.quota;
        if !quota.admit(finding.problem, size.saturating_sub(quota.size())) {
            return;
        }
        self.show_finding(at, self.before_ns.min(at.ns), finding);
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

    /// `since` is the time of the last event before it.
    fn show_finding(&mut self, at: EventTime, since: i64, finding: &Finding<'_>) {
        let amount = u32::try_from(finding.amount).unwrap_or(u32::MAX);
        let place = finding.place;
        let offset = u32::try_from(place.offset).unwrap_or(u32::MAX);
        let input = u32::try_from(place.input).unwrap_or(u32::MAX);
        if finding.problem.is_between_events() {
            let track = self.lost_track(at.core);
            let name = match amount {
                _ if finding.problem == Problem::PacketsLost => finding.text.to_owned(),
                _ => format!("{} lost", counted(amount, "event")),
            };
            if self.errors.first.len() < MAX_FIRST {
                self.errors.first.push((since, name.clone()));
            }
            let args = [
                ("lost", Arg::Number(amount)),
                ("byte", Arg::Number(offset)),
                ("input", Arg::Number(input)),
            ];
            self.slice(since, track, &name, &args);
            self.end_slice(at.ns, track, &[]);
            return;
        }
        let track = match finding.problem.severity() {
            Severity::Loss => self.lost_track(at.core),
            Severity::Damage => self.damage_track(),
            Severity::Note => {
                let about = "Facts worth knowing, though the recording is complete.";
                self.errors_track(OwnTrack::Notes, "notes", 3, about)
            }
        };
        let text = format!("{} (byte {})", finding.text, place.offset);
        self.packets.event(at.ns, EventType::Instant, track, Some(Name::Inline(text.as_bytes())));
    }

    fn damage_track(&mut self) -> Uuid {
        let about = "Places where the recording is damaged or contradicts itself.";
        self.errors_track(OwnTrack::Damage, "damage", 2, about)
    }

    fn lost_track(&mut self, core: u32) -> Uuid {
        let about = "Events that the target could not record: each slice is from the last event \
                     before the loss to the report of it.";
        self.errors_track(OwnTrack::Lost(core), "lost events", 1, about)
    }

    fn errors_track(&mut self, own: OwnTrack, name: &str, rank: i32, about: &'static str) -> Uuid {
        self.own_track(own, |_| NewTrack {
            rank,
            about,
            is_merged: matches!(own, OwnTrack::Lost(_)),
            ..NewTrack::new(Parent::Group(Group::ERRORS), name, TrackContent::Slices)
        })
    }

    #[cold]
    pub(super) fn crash(&mut self, now: Now<'_>, crash: &Crash) {
        if self.errors.crashes >= MAX_CRASHES {
            return;
        }
        self.errors.crashes += 1;
        let what = |(what, value): &(tband_format::named::FaultFact, u32)| {
            let name = what.name().map_or_else(|| format!("value {}", what.0), str::to_owned);
            (name, *value)
        };
        let values: Vec<_> = crash.values.iter().map(what).collect();
        let callers: Vec<_> = (1..).zip(crash.places.iter().skip(1)).collect();
        let callers: Vec<_> =
            callers.iter().map(|(depth, it)| (format!("caller {depth}"), it.as_str())).collect();
        let places = crash.places.first().map(|it| ("function", Arg::Text(it)));
        let callers = callers.iter().map(|(name, it)| (name.as_str(), Arg::Text(it)));
        let values = values.iter().map(|(name, value)| (name.as_str(), Arg::Address(*value)));
        let unknown = crash.unknown.as_deref().map(|it| ("not known", Arg::Text(it)));
        let args: Vec<_> = places.into_iter().chain(callers).chain(unknown).chain(values).collect();
        self.mark(now, Track::Crash, (crash.ns, &crash.to_string()), &args);
    }

    #[cold]
    pub(super) fn trigger(&mut self, now: Now<'_>, trigger: &Trigger) {
        if self.errors.triggers >= MAX_TRIGGERS {
            return;
        }
        self.errors.triggers += 1;
        let at = trigger.at.as_ref();
        let args = at.map(|at| {
            let number = Arg::Number(at.trigger.into());
            [("event", Arg::Text(&at.event)), ("number in the firmware", number)]
        });
        let args = args.as_ref().map(<[_; 2]>::as_slice).unwrap_or_default();
        self.mark(now, Track::Triggers, (trigger.ns, &trigger.to_string()), args);
    }

    /// Writes an instant whose name is not interned.
    fn mark(
        &mut self,
        now: Now<'_>,
        track: Track,
        (ns, name): (i64, &str),
        args: &[(&str, Arg<'_>)],
    ) {
        let track = self.drawn(now, track, TrackContent::Slices);
        let name = Some(Name::Inline(name.as_bytes()));
        self.packets.event_with(ns, EventType::Instant, track, name, args, None);
    }
}
