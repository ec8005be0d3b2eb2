//! Which part of a recording is of interest, in time.

use tband_conv::clock::moment::Moment;
use tband_conv::convert::find_marker::{MarkerOccurrence, find_marker};
use tband_conv::{Input, Options};
use tband_report::dump::judge;
use tband_report::messages::{Label, Message};
use tband_report::time_unit::TimeUnit;

use super::values::WindowCentre;
use crate::command_result::Failure;

/// Length of a window around a moment, unless the user sets another, in ns.
pub const SPAN: i64 = 2_000_000;

/// A window in time, as users name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where it begins; at the beginning of the recording if none.
    pub from: Option<Moment>,
    /// Where it ends; at the end of the recording if none.
    pub to: Option<Moment>,
    /// The item in its middle, in place of both ends.
    pub around: Option<WindowCentre>,
    /// How long it is then, in ns.
    pub span: i64,
}

impl Default for Window {
    fn default() -> Self {
        Self { from: None, to: None, around: None, span: SPAN }
    }
}

/// Both ends of a window.
pub type WindowEnds = (Option<Moment>, Option<Moment>);

impl Window {
    /// Whether the complete recording is of interest.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.around.is_none()
    }

    /// How often inputs are read to find it.
    #[must_use]
    pub const fn pass_count(&self) -> usize {
        if matches!(self.around, Some(WindowCentre::Marker(_))) { 2 } else { 0 }
    }

    /// It begins after its end, as far as that can be known without the recording: ticks and time cannot be compared.
    #[must_use]
    pub const fn is_reversed(&self) -> bool {
        match (self.from, self.to) {
            (Some(Moment::Ticks(from)), Some(Moment::Ticks(to)))
            | (Some(Moment::Ns(from)), Some(Moment::Ns(to))) => from > to,
            _ => false,
        }
    }

    /// Returns its two ends, and a message about its position.
    ///
    /// # Errors
    /// There is no such marker, or the recordings cannot be read to find it.
    pub fn ends(
        &self,
        inputs: &[Input<'_>],
        options: &Options,
    ) -> Result<(WindowEnds, Option<Message>), Failure> {
        let half = self.span / 2;
        let around = |ns: u64| {
            let (from, to) = (ns.saturating_add_signed(-half), ns.saturating_add_signed(half));
            (Some(Moment::Ns(from)), Some(Moment::Ns(to)))
        };
        let name = match &self.around {
            None => return Ok(((self.from, self.to), None)),
            Some(WindowCentre::Time(Moment::Ticks(ticks))) => {
                let end = |ns| Some(Moment::TicksAndNs(*ticks, ns));
                return Ok(((end(-half), end(half)), None));
            }
            Some(WindowCentre::Time(Moment::Ns(ns) | Moment::TicksAndNs(ns, _))) => {
                return Ok((around(*ns), None));
            }
            Some(WindowCentre::Marker(name)) => name,
        };
        let Some(MarkerOccurrence { first_ns, count, is_in_ns, .. }) =
            find_marker(inputs, options, name)?
        else {
            return Err(Failure::NoSuch(judge(inputs, options)?.1.no_marker(name)));
        };
        let unit = if is_in_ns { TimeUnit::Ns } else { TimeUnit::Ticks };
        let at = unit.duration(first_ns);
        let text = match count {
            1 => format!("--around {name}: at {at}"),
            _ => format!(
                "--around {name}: at {at}, the first of {count} times; for another one give its time"
            ),
        };
        Ok((around(first_ns.unsigned_abs()), Some((Label::Note, text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_can_be_compared_are() {
        let window = |from, to| Window { from: Some(from), to: Some(to), ..Window::default() };
        assert!(window(Moment::Ns(2), Moment::Ns(1)).is_reversed());
        assert!(window(Moment::Ticks(2), Moment::Ticks(1)).is_reversed());
        assert!(!window(Moment::Ns(1), Moment::Ns(1)).is_reversed());
        assert!(!window(Moment::Ns(2), Moment::Ticks(1)).is_reversed());
        assert!(Window::default().is_all() && !window(Moment::Ns(1), Moment::Ns(1)).is_all());
    }
}
