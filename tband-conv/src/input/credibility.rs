//! Whether an input is a recording at all, by how many of its frames decode.

use crate::error::ConvError;
use crate::input::Input;
use crate::item::Item;

/// Undecodable frames from which on the share of events decides whether this is a recording.
const SUSPICIOUS: u64 = 20;
/// At least one frame in this many must be an event.
const MIN_SHARE: u64 = 20;

/// Distinguishes recordings from other files by the share of frames that decode.
#[derive(Clone, Debug, Default)]
pub struct Credibility {
    good: u64,
    bad: u64,
    first_bad: Option<(u64, String)>,
    /// Another recorder has made the input.
    is_foreign: bool,
}

impl Credibility {
    /// Counts a frame.
    pub fn add(&mut self, item: &Item<'_>) {
        match &item.event {
            // Only a validated packet reports losses.
            Ok(_) => self.good = self.good.saturating_add(1),
            Err(defect) if defect.is_beside() && !defect.is_report() => {}
            Err(defect) if defect.is_report() => self.good = self.good.saturating_add(1),
            Err(defect) => {
                self.bad = self.bad.saturating_add(1);
                if self.first_bad.is_none() {
                    self.first_bad = Some((item.offset, defect.to_string()));
                }
            }
        }
    }

    /// There are so many events that the rest does not matter.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        self.good >= 64 && self.good > self.bad
    }

    /// Whether there was an event, or so many other items that this is not a recording. Later items may change the result.
    #[must_use]
    pub const fn has_enough(&self) -> bool {
        self.good > 0 || self.bad >= SUSPICIOUS
    }

    /// The verdict at the end of an input of `len` bytes.
    ///
    /// # Errors
    /// [`ConvError::Empty`] or [`ConvError::NotARecording`].
    pub fn verdict(&self, input: &Input<'_>, len: u64) -> Result<(), ConvError> {
        self.verdict_of(&input.name(), len, input.hint())
    }

    /// Sets the number of frames that are events, if it was counted elsewhere.
    #[must_use]
    pub const fn with_good(mut self, good: u64) -> Self {
        self.good = good;
        self
    }

    /// Notes whether another recorder has made the input.
    pub const fn set_foreign(&mut self, is_foreign: bool) {
        self.is_foreign = is_foreign;
    }

    /// Judges an input of this name and of `len` bytes at its end, with a hint if the result is bad.
    ///
    /// # Errors
    /// As for [`verdict`](Self::verdict).
    pub fn verdict_of(&self, name: &str, len: u64, hint: &'static str) -> Result<(), ConvError> {
        let enough = self.bad < SUSPICIOUS || self.good.saturating_mul(MIN_SHARE) >= self.bad;
        if self.is_certain() || (self.good > 0 && enough) {
            return Ok(());
        }
        let Some((offset, found)) = self.first_bad.clone() else {
            return Err(ConvError::Empty {
                input: name.to_owned(),
                len,
                is_foreign: self.is_foreign,
            });
        };
        Err(ConvError::NotARecording {
            input: name.to_owned(),
            good: self.good,
            frames: self.good.saturating_add(self.bad),
            offset,
            found,
            hint,
            is_foreign: self.is_foreign,
        })
    }
}
