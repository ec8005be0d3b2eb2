//! The load in some dozens of windows whose length follows from that of the recording, for areas in a page.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;

use serde_json::{Value, json};
use tband_conv::load::{Owner, TakeTime};
use tband_conv::model::World;

use super::LoadOwner;

/// Windows at most; of a long recording there are at least half as many.
const MAX_WINDOWS: usize = 128;
/// The length that windows start with, in ns. It doubles when there would be too many.
const FIRST: i64 = 1 << 10;
/// Owners of a core that are shown one by one, beside the idle task and unknown time: those with the most time. The others are one.
const MAX_SHOWN: usize = 12;
/// Owners that are followed at most, so that memory is bounded: the first ones. The time of the others is one area.
const MAX_OWNERS: usize = 400;

/// Collects the time of each owner by windows.
#[derive(Clone, Debug)]
pub struct Areas {
    length: i64,
    start: i64,
    end: i64,
    times: HashMap<(u32, Owner), Vec<i64>>,
    named: Vec<(LoadOwner, Vec<i64>)>,
    /// Time of owners that are not followed, by core.
    others: HashMap<u32, Vec<i64>>,
}

impl Default for Areas {
    fn default() -> Self {
        Self {
            length: FIRST,
            start: 0,
            end: 0,
            times: HashMap::new(),
            named: Vec::new(),
            others: HashMap::new(),
        }
    }
}

/// Adds the time between two moments, in ns since the start, to its windows.
fn add(times: &mut Vec<i64>, length: i64, mut from: i64, to: i64) {
    while from < to {
        let place = from / length;
        let end = place.saturating_add(1).saturating_mul(length).min(to);
        let place = usize::try_from(place).unwrap_or(MAX_WINDOWS).min(MAX_WINDOWS);
        if times.len() <= place {
            times.resize(place + 1, 0);
        }
        if let Some(time) = times.get_mut(place) {
            *time = time.saturating_add(end.saturating_sub(from));
        }
        from = end;
    }
}

fn add_all(sum: &mut Vec<i64>, times: &[i64]) {
    if sum.len() < times.len() {
        sum.resize(times.len(), 0);
    }
    for (sum, time) in sum.iter_mut().zip(times) {
        *sum = sum.saturating_add(*time);
    }
}

impl Areas {
    fn reach(&mut self, to: i64) {
        while to > self.length.saturating_mul(MAX_WINDOWS as i64) {
            self.length = self.length.saturating_mul(2);
            for times in self.times.values_mut().chain(self.others.values_mut()) {
                *times = times.chunks(2).map(|pair| pair.iter().sum()).collect();
            }
        }
    }

    /// For a page: `start_ns`, `window_ns`, `length_ns` of the recording, and of each core its `owners`, the busiest first, then idle and unknown; each with `kind`, `id`, `name` and `times`, in ns, one of each window. The times of a window add up to its
    /// length.
    #[must_use]
    pub fn json(&self) -> Value {
        let length = self.end.saturating_sub(self.start);
        let count =
            usize::try_from(length.saturating_add(self.length - 1) / self.length).unwrap_or(0);
        let mut cores: Vec<u32> = self.named.iter().map(|(whose, _)| whose.core).collect();
        cores.sort_unstable();
        cores.dedup();
        let core = |core: u32| {
            let sum = |times: &[i64]| times.iter().fold(0, |sum: i64, it| sum.saturating_add(*it));
            let mut own: Vec<_> = self.named.iter().filter(|(it, _)| it.core == core).collect();
            own.sort_by_key(|(whose, times)| {
                // Tasks and interrupts are one list.
                (whose.rank().max(1), Reverse(sum(times)), whose.name.clone(), whose.id)
            });
            let busy = own.iter().filter(|(whose, _)| whose.rank() < 2).count();
            let mut others = self.others.get(&core).cloned().unwrap_or_default();
            let hidden = busy.saturating_sub(MAX_SHOWN);
            let mut owners = Vec::new();
            let one = |kind: &str, id: Option<u32>, name: &str, times: &[i64]| {
                let mut times = times.to_vec();
                times.resize(count, 0);
                json!({"kind": kind, "id": id, "name": name, "times": times})
            };
            for (_, times) in own.iter().take(busy).skip(MAX_SHOWN) {
                add_all(&mut others, times);
            }
            for (place, (whose, times)) in own.iter().enumerate() {
                if place == busy && !others.is_empty() {
                    owners.push(one("others", None, &others_name(hidden), &others));
                }
                if !(MAX_SHOWN..busy).contains(&place) {
                    owners.push(one(whose.kind, whose.id, &whose.name, times));
                }
            }
            if busy == own.len() && !others.is_empty() {
                owners.push(one("others", None, &others_name(hidden), &others));
            }
            json!({"core": core, "owners": owners})
        };
        json!({
            "start_ns": self.start.to_string(),
            "window_ns": self.length,
            "length_ns": length.to_string(),
            "cores": cores.into_iter().map(core).collect::<Vec<_>>(),
        })
    }
}

fn others_name(hidden: usize) -> String {
    if hidden > 0 { format!("{hidden} others") } else { "others".to_owned() }
}

impl TakeTime for Areas {
    fn begin(&mut self, start_ns: i64) {
        (self.start, self.end) = (start_ns, start_ns);
    }

    fn time(
        &mut self,
        _: &World,
        core: u32,
        owner: Owner,
        from_ns: i64,
        to_ns: i64,
    ) -> io::Result<()> {
        self.end = self.end.max(to_ns);
        let [from, to] = [from_ns, to_ns].map(|ns| ns.saturating_sub(self.start).max(0));
        self.reach(to);
        let is_full = self.times.len() >= MAX_OWNERS && !self.times.contains_key(&(core, owner));
        let times = match is_full {
            true => self.others.entry(core).or_default(),
            false => self.times.entry((core, owner)).or_default(),
        };
        add(times, self.length, from, to);
        Ok(())
    }

    fn end(&mut self, world: &World, _: i64) -> io::Result<()> {
        let mut known: HashMap<LoadOwner, Vec<i64>> = HashMap::new();
        for ((core, owner), times) in std::mem::take(&mut self.times) {
            add_all(known.entry(LoadOwner::of(world, core, owner)).or_default(), &times);
        }
        self.named = known.into_iter().collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tband_conv::load::Owners;
    use tband_conv::{Input, Options, convert};
    use tband_format::Event;
    use tband_recordings::Recording;

    use super::*;

    /// Returns the areas of a recording in which tasks 1 to `tasks` take turns of 1 s, `turns` times.
    fn areas(tasks: u32, turns: u64) -> Value {
        let clock = Event::TsResolutionNs { ns_per_ts: 1_000_000_000 };
        let recording = (0..=turns).fold(Recording::default().meta(clock), |recording, turn| {
            let task_id = 1 + u32::try_from(turn % u64::from(tasks)).unwrap();
            recording.at(turn, Event::TaskSwitchedIn { task_id })
        });
        let mut sink = Owners::new(Areas::default());
        let inputs = [Input::from_bytes("r", &recording.0)];
        convert(&inputs, &Options::default(), &mut sink).unwrap();
        sink.into_inner().json()
    }

    #[test]
    fn the_times_of_each_window_add_up_to_its_length() {
        for (tasks, turns, shown) in [(2, 300, 2), (12, 1000, 12), (13, 1000, 13), (5000, 9000, 13)]
        {
            let found = areas(tasks, turns);
            let window = found["window_ns"].as_i64().unwrap();
            let length: i64 = found["length_ns"].as_str().unwrap().parse().unwrap();
            assert_eq!(length / 1_000_000_000, i64::try_from(turns).unwrap());
            let owners = found["cores"][0]["owners"].as_array().unwrap();
            assert_eq!(owners.len(), shown, "{tasks}");
            let count = owners[0]["times"].as_array().unwrap().len();
            assert!((MAX_WINDOWS / 2..=MAX_WINDOWS).contains(&count), "{count}");
            for (place, begin) in (0..count).zip(0..) {
                let sum: i64 = owners.iter().map(|it| it["times"][place].as_i64().unwrap()).sum();
                assert_eq!(sum, window.min(length - begin * window), "window {place}");
            }
        }
        assert_eq!(areas(13, 1000)["cores"][0]["owners"][12]["name"], "1 others");
    }
}
