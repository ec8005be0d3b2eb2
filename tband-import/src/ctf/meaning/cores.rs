//! The known state of the cores.

use std::collections::HashMap;
use std::mem;

use foldhash::fast::FixedState;

/// The known state of a core.
#[derive(Debug, Default)]
pub struct Core {
    pub running: Option<u32>,
    /// The running task has announced that it waits, or is gone.
    pub leaves: bool,
    pub isrs: Vec<u32>,
}

/// All cores. Most events are of the same core as the event before, whose state is found without a search.
#[derive(Debug, Default)]
pub struct Cores {
    last_number: u32,
    last: Core,
    others: HashMap<u32, Core, FixedState>,
}

impl Cores {
    /// The core of this number.
    #[inline]
    pub fn of(&mut self, number: u32) -> &mut Core {
        if number != self.last_number {
            self.change(number);
        }
        &mut self.last
    }

    fn change(&mut self, number: u32) {
        let next = self.others.remove(&number).unwrap_or_default();
        let before = mem::replace(&mut self.last, next);
        self.others.insert(mem::replace(&mut self.last_number, number), before);
    }

    /// All that are known.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Core> {
        std::iter::once(&mut self.last).chain(self.others.values_mut())
    }

    /// Nothing is known of their state.
    pub fn forget(&mut self) {
        self.last = Core::default();
        self.others.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_core_keeps_its_state() {
        let mut cores = Cores::default();
        for number in [0, 3, 1] {
            cores.of(number).running = Some(number + 10);
        }
        assert_eq!(
            [1, 0, 3, 2].map(|it| cores.of(it).running),
            [Some(11), Some(10), Some(13), None]
        );
        cores.all().filter(|it| it.running == Some(13)).for_each(|it| it.leaves = true);
        assert_eq!([0, 1, 3].map(|it| cores.of(it).leaves), [false, false, true]);
        cores.forget();
        assert_eq!([3, 0, 1].map(|it| cores.of(it).running), [None; 3]);
    }
}
