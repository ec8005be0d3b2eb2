//! Values of options as texts, with errors that contain the valid form.

use crate::choice::Choice;
use tband_conv::align::AlignBy;
use tband_conv::clock::frequency::{Frequency, NoFrequency};
use tband_conv::clock::moment::Moment;
use tband_conv::cores::MAX_CORES;
use tband_conv::dump::ObjectSelector;
use tband_report::moment::NO_MOMENT;
pub use tband_report::moment::moment;

/// How many cores the target has; `None` is auto.
///
/// # Errors
/// It is no such number.
pub fn core_count(text: &str) -> Result<Option<u32>, String> {
    match text.parse() {
        _ if text == "auto" => Ok(None),
        Ok(count) if (1..=MAX_CORES).contains(&count) => Ok(Some(count)),
        _ => Err(format!("a number from 1 to {MAX_CORES} or auto is needed")),
    }
}

/// The core that the events of an input belong to.
///
/// # Errors
/// It is no such number.
pub fn core(text: &str) -> Result<u32, String> {
    let core = text.parse().ok().filter(|core| *core < MAX_CORES);
    core.ok_or_else(|| format!("a number from 0 to {} is needed", MAX_CORES - 1))
}

/// Parses a number.
///
/// # Errors
/// It is not a number, or too large.
pub fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "a number is needed".to_owned())
}

/// Whether something is wanted.
///
/// # Errors
/// It is neither.
pub fn switch(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "true or false is needed".to_owned())
}

/// Parses a timer's frequency.
///
/// # Errors
/// It is not a frequency.
pub fn frequency(text: &str) -> Result<Frequency, String> {
    text.parse().map_err(|error: NoFrequency| error.to_string())
}

/// Parses one of a few words.
///
/// # Errors
/// It is not one of them.
pub fn choice<C: Choice>(text: &str) -> Result<C, String> {
    C::from_name(text).ok_or_else(|| {
        let words: Vec<&str> = C::ALL.iter().map(|it| it.1).collect();
        format!("{text} is none of {}", words.join(", "))
    })
}

/// Parses a duration, in ns.
///
/// # Errors
/// It is not a duration.
pub fn duration(text: &str) -> Result<i64, String> {
    match moment(text) {
        Ok(Moment::Ns(ns)) => i64::try_from(ns).map_err(|_| "the time is too large".to_owned()),
        Err(error) if error != NO_MOMENT => Err(error),
        // Ticks of which clock is known of moments of a recording only.
        _ => Err("a time with a unit is needed, such as 2ms or 300us".to_owned()),
    }
}

/// Parses the length of a window of the load over time, in ns.
///
/// # Errors
/// It is not a length, or 0.
pub fn window_length(text: &str) -> Result<i64, String> {
    match duration(text)? {
        0 => Err("a window is at least 1ns long".to_owned()),
        length => Ok(length),
    }
}

/// The centre of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowCentre {
    /// This time.
    Time(Moment),
    /// Name or text of an event marker.
    Marker(String),
}

/// Parses the centre of a window. A text that looks like a time is one.
///
/// # Errors
/// It is empty.
pub fn around(text: &str) -> Result<WindowCentre, String> {
    let is_time = text.starts_with(|it: char| it.is_ascii_digit());
    match moment(text) {
        Ok(moment) if is_time => Ok(WindowCentre::Time(moment)),
        _ if text.is_empty() => Err("a marker or a time is needed".to_owned()),
        _ => Ok(WindowCentre::Marker(text.to_owned())),
    }
}

/// Parses the source for the alignment of clocks.
///
/// # Errors
/// It is not one of the known sources.
pub fn align_by(text: &str) -> Result<AlignBy, String> {
    match text.split_once(':') {
        None if text == "clock-sync" => Ok(AlignBy::ClockSync),
        None if text == "received" => Ok(AlignBy::Received),
        Some(("marker", name)) if !name.is_empty() => Ok(AlignBy::Marker(name.to_owned())),
        Some(("pulse", name)) if !name.is_empty() => Ok(AlignBy::Pulse(name.to_owned())),
        _ => Err("clock-sync, marker:NAME, pulse:NAME or received is needed".to_owned()),
    }
}

/// An object by its name, or its number.
#[must_use]
pub fn parse_object(text: &str) -> ObjectSelector {
    text.parse().map_or_else(|_| ObjectSelector::Name(text.to_owned()), ObjectSelector::Id)
}

/// Parses names of events, separated by commas or spaces.
///
/// # Errors
/// One is not an event.
pub fn events(text: &str) -> Result<Vec<String>, String> {
    let names = text.split([',', ' ']).filter(|it| !it.is_empty());
    let known = |name: &str| {
        let is_event = tband_conv::dump::event_names().any(|it| it == name);
        let unknown = || format!("{name} is none; the table of events has their names");
        is_event.then(|| name.to_owned()).ok_or_else(unknown)
    };
    names.map(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_aligned_by_what_they_have_in_common() {
        assert_eq!(align_by("clock-sync"), Ok(AlignBy::ClockSync));
        assert_eq!(align_by("marker:a:b"), Ok(AlignBy::Marker("a:b".to_owned())));
        assert_eq!(align_by("pulse:pin"), Ok(AlignBy::Pulse("pin".to_owned())));
        assert_eq!(align_by("received"), Ok(AlignBy::Received));
        for wrong in ["", "sync", "marker", "marker:", "pulse", "pulse:", "received:1"] {
            assert!(align_by(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_have_ends() {
        assert_eq!(core_count("auto"), Ok(None));
        assert_eq!(core_count("64"), Ok(Some(64)));
        assert_eq!(core("63"), Ok(63));
        for wrong in ["", "0", "65", "-1", "x"] {
            assert!(core_count(wrong).is_err(), "{wrong}");
        }
        assert!(core("64").is_err() && core("-1").is_err());
        assert_eq!(duration("2ms"), Ok(2_000_000));
        for wrong in ["2", "x", "-1s", "1d", ""] {
            let error = duration(wrong).unwrap_err();
            assert_eq!(error, "a time with a unit is needed, such as 2ms or 300us", "{wrong}");
        }
        assert_eq!(window_length("100ms"), Ok(100_000_000));
        assert_eq!(window_length("0ms").unwrap_err(), "a window is at least 1ns long");
        assert!(window_length("100").is_err());
        assert_eq!(duration("1.5ns").unwrap_err(), "nothing is finer than 1 ns");
    }

    #[test]
    fn names_of_events_are_those_that_there_are() {
        let names = events("queue_send, isr_enter").unwrap();
        assert_eq!(names, ["queue_send", "isr_enter"]);
        assert_eq!(events(""), Ok(Vec::new()));
        assert!(events("queue_send,queue_sent").is_err_and(|text| text.starts_with("queue_sent ")));
    }

    #[test]
    fn a_window_centre_is_a_time_or_a_marker() {
        assert_eq!(around("5ms"), Ok(WindowCentre::Time(Moment::Ns(5_000_000))));
        assert_eq!(around("5 tries"), Ok(WindowCentre::Marker("5 tries".to_owned())));
        assert!(around("").is_err());
        assert_eq!(
            (parse_object("7"), parse_object("seven")),
            (ObjectSelector::Id(7), ObjectSelector::Name("seven".to_owned()))
        );
    }
}
