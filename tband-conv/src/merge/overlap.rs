//! Finds inputs that are taken to be of one core and have simultaneous events: most likely the files of several cores that were
//! not marked as such.

use super::MergedRecord;

/// Follows which inputs the events of each core come from.
#[derive(Debug, Default)]
pub(crate) struct Overlaps(Vec<CoreInputs>);

#[derive(Debug)]
struct CoreInputs {
    core: u32,
    /// The input of the last event.
    current: usize,
    /// Inputs that others have followed.
    past: Vec<usize>,
    /// It was reported.
    reported: bool,
}

impl Overlaps {
    /// Returns the input of the events before this one, if an earlier input comes again: the events between are of the same
    /// time. Reports it once per core. Inputs that are one recording do not count.
    #[inline]
    pub fn find_overlap(
        &mut self,
        merged: &MergedRecord<'_>,
        are_one: impl Fn(usize, usize) -> bool,
    ) -> Option<usize> {
        let MergedRecord { input, core, record, .. } = *merged;
        match self.0.iter_mut().find(|it| it.core == core) {
            Some(it) if it.current == input => None,
            _ if !record.what.is_timed() => None,
            Some(it) => it.assign(input, are_one),
            None => {
                self.0.push(CoreInputs { core, current: input, past: Vec::new(), reported: false });
                None
            }
        }
    }
}

impl CoreInputs {
    #[cold]
    fn assign(&mut self, input: usize, are_one: impl Fn(usize, usize) -> bool) -> Option<usize> {
        let before = std::mem::replace(&mut self.current, input);
        let comes_back = self.past.contains(&input);
        if !self.past.contains(&before) {
            self.past.push(before);
        }
        let news = comes_back && !self.reported && !are_one(before, input);
        self.reported |= news;
        news.then_some(before)
    }
}
