//! Numbers of processes, chosen by the colour that Perfetto's page gives them.
//!
//! The page paints the running threads by the number of their process: one of 18 colours, by a hash of the digits. All
//! interrupts have one colour, which no task has. A task has its own number if that gives it a colour that no other living task
//! has; otherwise it has its number plus some millions.

/// Colours that there are.
const COLOURS: usize = 18;
/// That of interrupts, an indigo: 22 is the first number that has it.
const OF_INTERRUPTS: usize = 4;
/// Step that is added to a task's number to change its colour; the decimal digits of the number stay readable.
const STEP: i32 = 1_000_000;
/// How often it is tried to add it. The hash loses bits of longer numbers, so some colours are rare among them.
const TRIES: i32 = 100;

/// The place of a number's colour in Perfetto's palette.
fn colour_of(number: i32) -> usize {
    let mut hash: i32 = 0x011C_9DC5;
    for digit in number.to_string().bytes() {
        hash ^= i32::from(digit);
        // JavaScript's result: a product of floating-point numbers, which may lose its last bits, and the lowest 32 bits of it.
        hash = (f64::from(hash) * 16_777_619.0) as i64 as i32;
    }
    hash.unsigned_abs() as usize % COLOURS
}

/// Colours of tasks that live.
#[derive(Debug, Default)]
pub struct Colours {
    living: [u32; COLOURS],
}

impl Colours {
    /// Returns the process of a task with this number, whose colour is unique if one is left.
    pub fn process_of_task(&mut self, tid: i32) -> i32 {
        let numbers = || (0..TRIES).filter_map(|times| tid.checked_add(times * STEP));
        let allowed = |number: &i32| colour_of(*number) != OF_INTERRUPTS;
        let is_free =
            |number: &i32| allowed(number) && self.living.get(colour_of(*number)) == Some(&0);
        let pid = numbers().find(is_free).or_else(|| numbers().find(allowed)).unwrap_or(tid);
        if let Some(tasks) = self.living.get_mut(colour_of(pid)) {
            *tasks = tasks.saturating_add(1);
        }
        pid
    }

    /// The task with this process is no more: its colour is free for others.
    pub fn end_task(&mut self, pid: i32) {
        if let Some(tasks) = self.living.get_mut(colour_of(pid)) {
            *tasks = tasks.saturating_sub(1);
        }
    }
}

/// The first number from this one on that has the colour of interrupts.
pub fn next_interrupt_colour(from: i32) -> i32 {
    (from..).take(1000).find(|number| colour_of(*number) == OF_INTERRUPTS).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of Perfetto's page v55.3.
    #[test]
    fn colours_are_those_of_the_page() {
        let first: Vec<usize> = (0..20).map(colour_of).collect();
        assert_eq!(first, [17, 16, 1, 0, 13, 12, 15, 14, 7, 6, 2, 2, 6, 6, 16, 16, 16, 2, 12, 12]);
        assert_eq!([299_998, 299_999, 300_000, 300_003].map(colour_of), [12, 12, 10, 7]);
    }

    #[test]
    fn tasks_have_their_own_colours_as_long_as_there_are_any() {
        let mut colours = Colours::default();
        let pids: Vec<i32> = (1..=17).map(|tid| colours.process_of_task(tid)).collect();
        assert_eq!(pids[..10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert!((1..=17).zip(&pids).all(|(tid, pid)| pid % STEP == tid));
        let mut seen: Vec<usize> = pids.iter().map(|pid| colour_of(*pid)).collect();
        assert!(!seen.contains(&OF_INTERRUPTS));
        seen.sort_unstable();
        seen.dedup();
        // The last colour is too rare.
        assert_eq!(seen.len(), 16);
        // Then they share colours, with their own numbers.
        assert_eq!(colours.process_of_task(18), 18);
        // One dies, and its colour is free again.
        colours.end_task(10);
        let next = colours.process_of_task(19);
        assert_eq!((colour_of(next), next % STEP), (colour_of(10), 19));
    }

    #[test]
    fn no_task_has_the_colour_of_interrupts() {
        let mut colours = Colours::default();
        for tid in (1..400).chain([i32::MAX, 1 << 30]) {
            assert_ne!(colour_of(colours.process_of_task(tid)), OF_INTERRUPTS, "{tid}");
        }
        let mut number = 300_000;
        for _ in 0..100 {
            number = next_interrupt_colour(number + 1);
            assert_eq!(colour_of(number), OF_INTERRUPTS);
        }
    }
}
