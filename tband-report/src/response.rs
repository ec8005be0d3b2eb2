//! Response-time analysis: the longest response times that the worst cases of a recording can add up to.
//!
//! For a task with the longest own time C and the longest blocking B, the least R with R = C + B + sum of ceil((R + J) / T) * C over all
//! interrupts and over the tasks that are as urgent or more urgent (Joseph and Pandya, 1986; Audsley, 1993). C, B, T and J are measured,
//! so the result does not prove a bound: a longer own time or a shorter step may occur.

use std::collections::HashMap;
use std::io;

use tband_conv::activations::{Activation, ActivationSink, PartKind, Release, Subject};
use tband_conv::model::World;
use tband_conv::periods::Releases;

use crate::stats::{Cell, Table, table};

/// Subjects that are followed.
const MAX_SUBJECTS: usize = 4096;
/// Steps of the iteration, beyond which a task has no bound.
const MAX_STEPS: usize = 10_000;
/// Subjects that a remark names.
const MOST_NAMED: usize = 3;

/// The worst cases of one subject.
#[derive(Clone, Debug, Default)]
struct Case {
    name: String,
    id: u32,
    is_task: bool,
    is_idle: bool,
    priority: Option<u32>,
    /// Longest own time, longest blocking and longest response, in ns.
    own: i64,
    blocking: i64,
    response: i64,
    releases: Releases,
    /// An activation is cut: releases may be missing before the next one.
    is_cut: bool,
}

/// Gathers the worst cases of all tasks and interrupts.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    places: HashMap<Subject, usize>,
    all: Vec<Case>,
}

impl Cases {
    /// Adds an activation that has ended.
    pub fn add(&mut self, it: &Activation) {
        // The timer task's time includes its callbacks. The start of a task does not come again.
        let is_start = it.number == 1 && it.release == Release::Ready;
        if matches!(it.subject, Subject::Timer(_)) || is_start {
            return;
        }
        let place = match self.places.get(&it.subject) {
            Some(place) => *place,
            None if self.all.len() >= MAX_SUBJECTS => return,
            None => {
                self.places.insert(it.subject, self.all.len());
                self.all.push(Case::default());
                self.all.len() - 1
            }
        };
        let Some(case) = self.all.get_mut(place) else { return };
        case.priority = it.priority.or(case.priority);
        case.own = case.own.max(it.sum(PartKind::Own));
        let blocking =
            [PartKind::Locked, PartKind::Pushed, PartKind::HeldOff].map(|kind| it.sum(kind));
        case.blocking = case.blocking.max(blocking.iter().sum());
        if it.is_whole() {
            case.response = case.response.max(it.response_ns());
        }
        if case.is_cut || !it.begin_seen {
            case.releases.restart();
        }
        if it.begin_seen {
            case.releases.add(it.released_ns);
        }
        case.is_cut = !it.end_seen || !it.begin_seen;
    }

    /// Takes the names and priorities at the end of the recording.
    pub fn learn_names(&mut self, world: &World) {
        for (subject, place) in &self.places {
            let Some(case) = self.all.get_mut(*place) else { continue };
            (case.name, case.id) = (subject.name(world), subject.id(world));
            if let Subject::Task(task) = subject {
                let known = world.tasks.get(*task);
                case.is_task = true;
                case.is_idle = known.is_some_and(|it| it.idle_of.is_some());
                case.priority = case.priority.or_else(|| known?.priority);
            }
        }
    }

    /// The table: a row for each task, the most urgent first.
    #[must_use]
    pub fn table(&self) -> Table {
        let columns = [
            ("name", "task"),
            ("id", "id"),
            ("priority", "priority"),
            ("measured_ns", "measured"),
            ("computed_ns", "computed"),
            ("own_ns", "longest own"),
            ("blocking_ns", "longest blocking"),
            ("step_ns", "released every"),
            ("jitter_ns", "jitter"),
            ("remark", "remark"),
        ];
        let mut tasks: Vec<&Case> =
            self.all.iter().filter(|it| it.is_task && !it.is_idle && it.own > 0).collect();
        tasks.sort_by_key(|it| (std::cmp::Reverse(it.priority), it.id));
        let row = |case: &&Case| {
            let step = case.step();
            let computed = self.computed(case);
            // The computation covers one activation; a measured one may have waited for those before it.
            let is_below = computed.as_ref().is_ok_and(|ns| *ns < case.response);
            let remark = computed.as_ref().err().cloned();
            let remark = remark.or_else(|| is_below.then(|| "measured is longer".to_owned()));
            vec![
                Cell::Text(case.name.clone()),
                Cell::Count(case.id.into()),
                Cell::number(case.priority),
                Cell::ns((case.response > 0).then_some(case.response)),
                Cell::ns(computed.as_ref().ok().copied()),
                Cell::Ns(case.own),
                Cell::Ns(case.blocking),
                Cell::ns(step.map(|(ns, _)| ns)),
                Cell::ns(step.map(|(_, jitter)| jitter)),
                Cell::text(remark),
            ]
        };
        let rows = tasks.iter().map(row).collect();
        let title = "Response times computed from measured worst cases, not proved";
        Table { rows, ..table("response_times", title, &columns) }
    }

    /// The response time of a task, or why there is none.
    fn computed(&self, task: &Case) -> Result<i64, String> {
        let Some(priority) = task.priority else {
            return Err("its priority is not known".to_owned());
        };
        let others = self.all.iter().filter(|it| {
            let is_urgent = !it.is_task || it.priority.is_none_or(|other| other >= priority);
            !std::ptr::eq(*it, task) && is_urgent && !it.is_idle && it.own > 0
        });
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for other in others {
            match other.step().filter(|(ns, _)| *ns > 0) {
                Some((ns, jitter)) => known.push((other.own, ns, jitter)),
                None => unknown.push(other.name.as_str()),
            }
        }
        if !unknown.is_empty() {
            let more = if unknown.len() > MOST_NAMED { " and others" } else { "" };
            unknown.truncate(MOST_NAMED);
            return Err(format!("{}{more}: released once only", unknown.join(", ")));
        }
        let load: f64 = known.iter().map(|(own, ns, _)| *own as f64 / *ns as f64).sum();
        let no_bound = || format!("no bound: {:.0} % load", load * 100.0);
        let base = i128::from(task.own) + i128::from(task.blocking);
        let mut response = base;
        for _ in 0..MAX_STEPS {
            let interference = known.iter().map(|(own, ns, jitter)| {
                let (ns, jitter) = (i128::from(*ns), i128::from(*jitter));
                let count = (response.saturating_add(jitter)).saturating_add(ns - 1) / ns;
                count.saturating_mul(i128::from(*own))
            });
            let next = interference.fold(base, i128::saturating_add);
            if next == response {
                return i64::try_from(response).map_err(|_| no_bound());
            }
            response = next;
            if i64::try_from(response).is_err() {
                break;
            }
        }
        Err(no_bound())
    }
}

impl Case {
    /// The period and its jitter in ns; of a sporadic one the least step.
    fn step(&self) -> Option<(i64, i64)> {
        match self.releases.period() {
            Some(found) => Some((found.ns, found.release_jitter_ns)),
            None => self.releases.least_ns().map(|ns| (ns, 0)),
        }
    }
}

impl ActivationSink for Cases {
    fn activation(&mut self, _: &World, it: &Activation) -> io::Result<()> {
        self.add(it);
        Ok(())
    }

    fn finish(&mut self, world: &World) -> io::Result<()> {
        self.learn_names(world);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, priority: u32, own: i64, blocking: i64, step: i64) -> Case {
        let mut releases = Releases::default();
        (0..20).for_each(|n| releases.add(n * step));
        let is_task = priority > 0;
        let priority = is_task.then_some(priority);
        Case {
            name: name.to_owned(),
            is_task,
            priority,
            own,
            blocking,
            response: 1,
            releases,
            ..Case::default()
        }
    }

    fn computed(cases: &[Case], name: &str) -> Result<i64, String> {
        let cases = Cases { places: HashMap::new(), all: cases.to_vec() };
        let task = cases.all.iter().find(|it| it.name == name).unwrap();
        cases.computed(task)
    }

    /// Three periodic tasks of a textbook: T = 7, 12, 20; C = 3, 3, 5.
    #[test]
    fn response_times_of_a_textbook() {
        let cases = [case("a", 3, 3, 0, 7), case("b", 2, 3, 0, 12), case("c", 1, 5, 0, 20)];
        assert_eq!(["a", "b", "c"].map(|name| computed(&cases, name)), [Ok(3), Ok(6), Ok(20)]);
        // An interrupt delays all; blocking adds once.
        let cases = [&cases[..], &[case("isr", 0, 1, 0, 20)]].concat();
        assert_eq!(computed(&cases, "a"), Ok(4));
        let mut blocked = cases.clone();
        blocked[1].blocking = 2;
        assert_eq!(computed(&blocked, "b"), Ok(12));
    }

    /// Simulated: all tasks are released together, and run by priority.
    #[test]
    fn response_times_are_those_of_a_simulation() {
        let mut state = 5_u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i64::try_from((state >> 33) % most).unwrap()
        };
        for _ in 0..200 {
            let tasks: Vec<(i64, i64)> = (0..4).map(|_| (1 + next(6), 20 + next(40))).collect();
            let cases: Vec<Case> = (0_u32..)
                .zip(&tasks)
                .map(|(n, (own, step))| case(&n.to_string(), 10 - n, *own, 0, *step))
                .collect();
            for (index, (own, _)) in tasks.iter().enumerate() {
                // The first time at which all work of more urgent tasks and its own is done.
                let mut left: Vec<i64> = tasks[..=index].iter().map(|(own, _)| *own).collect();
                left[index] = *own;
                let mut now = 0;
                while left[index] > 0 {
                    let running = left.iter().position(|left| *left > 0).unwrap();
                    left[running] -= 1;
                    now += 1;
                    for (other, (own, step)) in tasks[..index].iter().enumerate() {
                        if now % step == 0 {
                            left[other] += own;
                        }
                    }
                }
                assert_eq!(computed(&cases, &index.to_string()), Ok(now), "{tasks:?} {index}");
            }
        }
    }

    #[test]
    fn explains_a_missing_bound() {
        let full = [case("a", 3, 7, 0, 7), case("b", 2, 3, 0, 12)];
        assert!(computed(&full, "b").unwrap_err().contains("no bound: 100 % load"));
        let mut once = [case("init", 3, 7, 0, 7), case("b", 2, 3, 0, 12)];
        once[0].releases = Releases::default();
        once[0].releases.add(5);
        assert_eq!(computed(&once, "b").unwrap_err(), "init: released once only");
        once[1].priority = None;
        assert_eq!(computed(&once, "b").unwrap_err(), "its priority is not known");
        // As urgent tasks may run first.
        let equal = [case("a", 2, 3, 0, 50), case("b", 2, 3, 0, 50)];
        assert_eq!(computed(&equal, "a"), Ok(6));
    }
}
