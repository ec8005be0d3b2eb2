//! The labels of an instant, by the definitions of *Activations and response times*: one row of the table after the other.

use std::collections::BTreeSet;

use crate::kernel::{Kernel, State, Wait};

impl Kernel {
    /// Paints the present instant.
    pub fn paint(&mut self) {
        for task in 0..self.tasks.len() {
            let (label, inverted) = self.label(task);
            self.tasks[task].canvas.labels.push(label);
            self.tasks[task].canvas.inverted.push(inverted);
        }
        for core in &mut self.cores {
            let Some((innermost, outer)) = core.isrs.split_last_mut() else { continue };
            for isr in outer {
                isr.labels.push(format!("interrupt {}", innermost.name));
            }
            innermost.labels.push("own".to_owned());
        }
    }

    /// The label of a task, and whether the instant is inverted.
    fn label(&self, task: usize) -> (String, bool) {
        let mut text = String::new();
        let mut chain = vec![task];
        loop {
            let last = chain[chain.len() - 1];
            // A suspended task waits for nothing.
            let wanted =
                self.tasks[last].wanted.filter(|_| self.tasks[last].state != State::Suspended);
            let Some(lock) = wanted else {
                let (reason, by) = self.reason(last);
                let is_inverted = chain.len() > 1 && self.is_inverted(task, &by);
                return (text + &reason, is_inverted);
            };
            text += &format!("lock {}", self.plan.locks[lock].name);
            match self.locks[lock].holder {
                None => return (text + " > handed over", false),
                Some(holder) => {
                    text += &format!(" held by {} > ", self.name(holder));
                    if chain.contains(&holder) {
                        return (text + "deadlock", false);
                    }
                    chain.push(holder);
                }
            }
        }
    }

    /// What a task that waits for no lock does, and the tasks that keep it from running.
    fn reason(&self, task: usize) -> (String, Vec<usize>) {
        let it = &self.tasks[task];
        let text = match it.state {
            State::Running(core) => match self.cores[core].isrs.last() {
                Some(isr) => format!("interrupt {}", isr.name),
                None => "own".to_owned(),
            },
            State::Ready if self.is_started => return self.ready(task),
            State::Blocked(Wait::Room(queue)) => format!("room in queue{queue}"),
            State::Blocked(Wait::Work(object)) => match object {
                crate::canvas::Object::Delay => "waits for delay".to_owned(),
                crate::canvas::Object::Queue(queue) => {
                    format!("waits for queue_receive queue{queue}")
                }
                _ => "waits for notify_take".to_owned(),
            },
            State::Suspended => match it.suspended_by {
                Some(by) => format!("suspended by {}", self.name(by)),
                None => "suspended".to_owned(),
            },
            State::Ready | State::Blocked(Wait::Lock(_)) | State::None | State::Deleted => {
                "unknown".to_owned()
            }
        };
        (text, Vec::new())
    }

    /// What keeps a ready task from running: of all cores on which it may run, the least justified occupant decides.
    fn ready(&self, task: usize) -> (String, Vec<usize>) {
        let mine = self.tasks[task].priority;
        // Held off, pushed, preempted, shares.
        let mut sets: [BTreeSet<usize>; 4] = Default::default();
        let mut isr = None;
        for (number, core) in
            self.cores.iter().enumerate().filter(|(it, _)| self.may_run(task, *it))
        {
            if let Some(it) = core.isrs.last() {
                isr = isr.or(Some(it.name.clone()));
                let _ = number;
                continue;
            }
            let other = core.running;
            let (its, base) = (self.tasks[other].priority, self.tasks[other].base);
            let is_idle = self.plan.tasks[other].idle_of.is_some();
            let set = if is_idle || its < mine {
                0
            } else if base < mine {
                1
            } else if its > mine {
                2
            } else {
                3
            };
            sets[set].insert(other);
        }
        for (set, word) in
            sets.iter().zip(["held off by", "pushed by", "preempted by", "shares with"])
        {
            if !set.is_empty() {
                let names: Vec<_> = set.iter().map(|it| self.name(*it)).collect();
                return (format!("{word} {}", names.join(", ")), set.iter().copied().collect());
            }
        }
        (isr.map_or("unknown".to_owned(), |isr| format!("interrupt {isr}")), Vec::new())
    }

    /// A task that is less urgent than the waiter, by base priorities, is among those that run instead of the holder.
    fn is_inverted(&self, waiter: usize, by: &[usize]) -> bool {
        let base = self.tasks[waiter].base;
        by.iter().any(|it| self.plan.tasks[*it].idle_of.is_none() && self.tasks[*it].base < base)
    }
}
