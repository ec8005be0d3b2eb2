//! The columns in front of the fields of a line: ticks, ms, ms since the previous line, core and event.
//!
//! Consecutive lines share most digits of their times, so a line is written over the previous one, and usually only the last
//! six digits of each column change.

use super::digits::{at_end, decimal, six};
use super::labels::{Label, OF_EVENT};

const TICKS: usize = 14;
/// Includes the space in front, which exists for any width of the number.
const MS: usize = 16;
const DELTA: usize = 15;
/// Ends of the columns of time.
const TO_TICKS: usize = TICKS;
const TO_MS: usize = TO_TICKS + MS;
const TO_DELTA: usize = TO_MS + DELTA;
/// After two spaces and a core of one digit.
const TO_CORE: usize = TO_DELTA + 3;
/// The last six digits of a column are the remainder by this.
const MILLION: u64 = 1_000_000;

/// Times of a line; an unknown one is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineTimes {
    pub ticks: Option<u64>,
    pub ns: Option<i64>,
    /// That of the line before.
    pub before: Option<i64>,
}

impl LineTimes {
    /// Since the line before, in ns: forward, and how far.
    fn delta(&self) -> Option<(bool, u64)> {
        let (ns, before) = self.ns.zip(self.before)?;
        Some((ns >= before, ns.abs_diff(before)))
    }

    /// Writes the columns into `field`; `None` if one is too narrow.
    fn fill(&self, field: &mut [u8; TO_DELTA]) -> Option<()> {
        let (ticks, rest) = field.split_first_chunk_mut::<TICKS>()?;
        let (ms, delta) = rest.split_first_chunk_mut::<MS>()?;
        let ((_, ms), (_, delta)) = (ms.split_first_mut()?, delta.split_first_mut()?);
        match self.ticks {
            Some(value) => drop(at_end(ticks, value)?),
            None => *ticks.last_mut()? = b'-',
        }
        match self.ns {
            Some(ns) => drop(milliseconds_at_end(ms, ns.unsigned_abs())?),
            None => *ms.last_mut()? = b'-',
        }
        match self.delta() {
            Some((forward, ns)) => {
                let sign = milliseconds_at_end(delta, ns)?.last_mut()?;
                *sign = if forward { b'+' } else { b'-' };
            }
            None => *delta.last_mut()? = b'-',
        }
        Some(())
    }

    /// Formats the columns, each right-aligned in its width and wider where it does not fit, with a space between them.
    fn text(&self) -> String {
        let none = || "-".to_owned();
        let ms = |ns: u64| format!("{}.{:06}", ns / MILLION, ns % MILLION);
        let ticks = self.ticks.map_or_else(none, |ticks| ticks.to_string());
        let time = self.ns.map_or_else(none, |ns| ms(ns.unsigned_abs()));
        let delta = self.delta().map_or_else(none, |(forward, ns)| {
            format!("{}{}", if forward { '+' } else { '-' }, ms(ns))
        });
        format!("{ticks:>TICKS$} {time:>0$} {delta:>1$}", MS - 1, DELTA - 1)
    }
}

/// As [`at_end`], nanoseconds in ms.
fn milliseconds_at_end(field: &mut [u8], ns: u64) -> Option<&mut [u8]> {
    let (field, places) = field.split_last_chunk_mut::<6>()?;
    let mut digits = [0; 7];
    six(&mut digits, ns % MILLION);
    places.copy_from_slice(&digits[..6]);
    let (point, field) = field.split_last_mut()?;
    *point = b'.';
    at_end(field, ns / MILLION)
}

/// The columns of the last line.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    line: [u8; TO_CORE],
    /// Ticks, ns, and ns since the previous line, all rounded down to a million, with the digits that the line contains; and
    /// its core. A line that cannot be written over has a core that does not exist.
    bases: [u64; 3],
    core: u32,
}

impl Columns {
    pub const EMPTY: Self = Self { line: [b' '; TO_CORE], bases: [0; 3], core: u32::MAX };

    /// Appends the columns of time, whatever is known of it.
    pub fn append_times(buf: &mut Vec<u8>, when: &LineTimes) {
        let mut field = [b' '; TO_DELTA];
        match when.fill(&mut field) {
            Some(()) => buf.extend_from_slice(&field),
            None => buf.extend_from_slice(when.text().as_bytes()),
        }
    }

    /// Appends all columns.
    #[inline]
    pub fn write(
        &mut self,
        buf: &mut Vec<u8>,
        when: LineTimes,
        core: u32,
        event: &Label<OF_EVENT>,
    ) {
        if let LineTimes { ticks: Some(ticks), ns: Some(ns), before: Some(before) } = when {
            // A time that steps back is too far ahead for the next one.
            let times = [ticks, ns.cast_unsigned(), ns.wrapping_sub(before).cast_unsigned()];
            if self.is_continuation(times, core) || self.set(times, core) {
                let [ticks_low, ns_low, delta_low] = self.low(times);
                if self.bases[0] == 0 {
                    // There are spaces in front, not zeros.
                    self.line[..TO_TICKS].copy_from_slice(&[b' '; TICKS]);
                    at_end(&mut self.line[..TO_TICKS], ticks);
                } else {
                    self.six_before(TO_TICKS, ticks_low);
                }
                self.six_before(TO_MS, ns_low);
                self.six_before(TO_DELTA, delta_low);
                buf.extend_from_slice(&self.line);
                event.write(buf);
                return;
            }
        }
        Self::write_slowly(buf, when, core, event);
    }

    #[inline]
    fn low(&self, times: [u64; 3]) -> [u64; 3] {
        let [ticks, ns, delta] = times;
        let [of_ticks, of_ns, of_delta] = self.bases;
        [ticks.wrapping_sub(of_ticks), ns.wrapping_sub(of_ns), delta.wrapping_sub(of_delta)]
    }

    /// Only the last digits are others.
    #[inline]
    fn is_continuation(&self, times: [u64; 3], core: u32) -> bool {
        let [ticks, ns, delta] = self.low(times);
        ticks < MILLION && ns < MILLION && delta < MILLION && core == self.core
    }

    /// Writes six digits in front of a place, where a space is.
    #[inline]
    fn six_before(&mut self, end: usize, number: u64) {
        if let Some(field) = self.line[end - 6..].first_chunk_mut() {
            six(field, number);
        }
    }

    #[inline(never)]
    fn write_slowly(buf: &mut Vec<u8>, when: LineTimes, core: u32, event: &Label<OF_EVENT>) {
        Self::append_times(buf, &when);
        buf.extend_from_slice(b"  ");
        decimal(buf, core.into());
        event.write(buf);
    }

    /// Writes the part before the last digits; returns false if the line is not a usual one.
    #[inline(never)]
    fn set(&mut self, times: [u64; 3], core: u32) -> bool {
        self.core = u32::MAX;
        let is_set = core < 10 && self.try_set(times, core).is_some();
        if is_set {
            (self.bases, self.core) = (times.map(|time| time - time % MILLION), core);
        }
        is_set
    }

    /// Each column of time is followed by a space.
    fn try_set(&mut self, times: [u64; 3], core: u32) -> Option<()> {
        let [ticks, ms, delta_ms] = times.map(|time| time / MILLION);
        self.line = [b' '; TO_CORE];
        if ticks > 0 {
            at_end(&mut self.line[..TO_TICKS - 6], ticks)?;
        }
        self.line[TO_MS - 7] = b'.';
        at_end(&mut self.line[TO_TICKS + 1..TO_MS - 7], ms)?;
        self.line[TO_DELTA - 7] = b'.';
        let front = at_end(&mut self.line[TO_MS + 1..TO_DELTA - 7], delta_ms)?;
        *front.last_mut()? = b'+';
        self.line[TO_CORE - 1] = b'0' | core as u8;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::DumpFormat;
    use super::super::labels::Labels;
    use super::*;

    /// Whatever line it is written over, and however wide it is.
    #[test]
    fn every_line_is_what_it_is_alone() {
        let labels = Labels::new(DumpFormat::Text);
        let event = &labels.of(1).name;
        let ticks =
            [0, 77, 999_999, 1_000_000, 1_000_001, 2_000_001, 99_999_999_999_999, 10_u64.pow(14)];
        let ticks = ticks.into_iter().chain([u64::MAX]).map(Some).chain([None]);
        let wide = [99_999_999_999_999, 100_000_000_000_000, 999_999_999_999_999];
        let times = [0, 1, 999_999, 1_000_000, 1_234_567, 1_000_001, i64::MAX];
        let times = times.into_iter().chain(wide);
        let times = times.map(Some).chain([None]);
        let deltas = [0, 1_000_000, 999_999, 999_999_999_999, 9_999_999_999_999, i64::MAX];
        let deltas = deltas.into_iter().flat_map(|ns| [Some(ns), Some(-ns)]).chain([None]);
        let mut all = Vec::new();
        for (index, ticks) in ticks.enumerate() {
            for ns in times.clone() {
                let core = [0, 9, 10, 63][index % 4];
                let before =
                    |delta: Option<i64>| ns.zip(delta).map(|(ns, delta)| ns.wrapping_sub(delta));
                all.extend(
                    deltas.clone().map(|it| (LineTimes { ticks, ns, before: before(it) }, core)),
                );
            }
        }
        let alone = |when: &LineTimes, core: u32| {
            let mut buf = format!("{}  {core}", when.text()).into_bytes();
            event.write(&mut buf);
            String::from_utf8(buf).unwrap()
        };
        for (before, core_before) in all.iter().step_by(7) {
            for (when, core) in &all {
                let mut columns = Columns::EMPTY;
                columns.write(&mut Vec::new(), *before, *core_before, event);
                let mut buf = Vec::new();
                columns.write(&mut buf, *when, *core, event);
                let text = String::from_utf8(buf).unwrap();
                assert_eq!(text, alone(when, *core), "{when:?} after {before:?}");
                assert_eq!(text.split_whitespace().count(), 5, "{text}");
            }
        }
    }

    #[test]
    fn a_value_wider_than_its_column_is_complete() {
        let when = LineTimes { ticks: Some(u64::MAX), ns: Some(i64::MIN), before: Some(i64::MAX) };
        assert_eq!(when.text(), "18446744073709551615 9223372036854.775808 -18446744073709.551615");
    }
}
