//! Finds inputs that are taken to be of one core and have events of the same time: most likely the
//! files of several cores, which nobody distinguished.

use super::Merged;

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
    /// The input that the events before this one are of, if an input comes back: what lies between its
    /// events is of the same time. Once for each core.
    #[inline]
    pub fn found(&mut self, merged: &Merged<'_>) -> Option<usize> {
        let Merged { input, core, record, .. } = *merged;
        match self.0.iter_mut().find(|it| it.core == core) {
            Some(it) if it.current == input => None,
            _ if !record.what.is_timed() => None,
            Some(it) => it.goes_to(input),
            None => {
                self.0.push(CoreInputs { core, current: input, past: Vec::new(), reported: false });
                None
            }
        }
    }
}

impl CoreInputs {
    #[cold]
    fn goes_to(&mut self, input: usize) -> Option<usize> {
        let before = std::mem::replace(&mut self.current, input);
        let comes_back = self.past.contains(&input);
        if !self.past.contains(&before) {
            self.past.push(before);
        }
        let news = comes_back && !self.reported;
        self.reported |= news;
        news.then_some(before)
    }
}
