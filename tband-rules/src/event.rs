//! Moments that rules name: `interrupt ADC begins`, `task filter runs`.

use std::fmt::{self, Display, Formatter};

use tband_report::dump::closest;

use crate::metric::RuleSubjectKind;

/// A moment at which something happens to a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind of the subject.
    pub kind: RuleSubjectKind,
    /// Its name, as a pattern.
    pub name: String,
    /// The kind of event.
    pub verb: Verb,
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.kind.name(), self.name, self.verb.name(self.kind))
    }
}

/// The kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// An interrupt, a callback or a span begins.
    Begins,
    /// It ends.
    Ends,
    /// A task gets a core.
    Runs,
    /// A task becomes ready.
    Wakes,
    /// An activation of a task is released.
    Released,
    /// An activation of a task ends.
    Done,
    /// An item is sent.
    Sends,
    /// An item is received.
    Receives,
    /// A lock is taken.
    Taken,
    /// A lock is given.
    Given,
    /// A marker occurs.
    Occurs,
}

/// The words of each kind of subject.
const WORDS: [(RuleSubjectKind, &[(&str, Verb)]); 6] = [
    (
        RuleSubjectKind::Task,
        &[
            ("runs", Verb::Runs),
            ("wakes", Verb::Wakes),
            ("is released", Verb::Released),
            ("ends", Verb::Done),
        ],
    ),
    (RuleSubjectKind::Interrupt, &[("begins", Verb::Begins), ("ends", Verb::Ends)]),
    (RuleSubjectKind::Timer, &[("begins", Verb::Begins), ("ends", Verb::Ends)]),
    (RuleSubjectKind::Queue, &[("is sent", Verb::Sends), ("is received", Verb::Receives)]),
    (RuleSubjectKind::Lock, &[("is taken", Verb::Taken), ("is given", Verb::Given)]),
    (
        RuleSubjectKind::Marker,
        &[("occurs", Verb::Occurs), ("begins", Verb::Begins), ("ends", Verb::Ends)],
    ),
];

impl Verb {
    fn name(self, kind: RuleSubjectKind) -> &'static str {
        let words = WORDS.iter().filter(|(known, _)| *known == kind).flat_map(|(_, words)| *words);
        let mut words = words.filter(|(_, verb)| *verb == self);
        words.next().map_or("", |(word, _)| word)
    }
}

impl Event {
    /// Reads a moment.
    ///
    /// # Errors
    /// The text is not a moment; the error contains the correct forms.
    pub fn read(text: &str) -> Result<Self, String> {
        let (first, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let Some((kind, words)) = WORDS.iter().find(|(kind, _)| kind.name() == first) else {
            let kinds = WORDS.map(|(kind, _)| kind.name());
            let meant = closest(first, kinds.into_iter());
            let meant = meant.map_or_else(String::new, |it| format!("did you mean {it}? "));
            return Err(format!(
                "{first:?} is not a kind of moment; {meant}the kinds are {}; the correct form is \"interrupt ADC begins\"",
                kinds.join(", ")
            ));
        };
        let rest = rest.trim();
        let found = words.iter().find_map(|(word, verb)| {
            let name = rest.strip_suffix(word)?;
            Some((name.strip_suffix(' ')?.trim(), *verb)).filter(|(name, _)| !name.is_empty())
        });
        let Some((name, verb)) = found else {
            let forms: Vec<_> =
                words.iter().map(|(word, _)| format!("\"{first} NAME {word}\"")).collect();
            return Err(format!(
                "{text:?} is not a moment; the correct forms are {}",
                forms.join(", ")
            ));
        };
        Ok(Self { kind: *kind, name: name.to_owned(), verb })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_and_shown() {
        for (kind, words) in WORDS {
            for (word, verb) in words {
                let text = format!("{} a name {word}", kind.name());
                let read = Event::read(&text).unwrap();
                assert_eq!((read.kind, read.verb, read.name.as_str()), (kind, *verb, "a name"));
                assert_eq!(read.to_string(), text);
            }
        }
    }

    #[test]
    fn mistakes_contain_the_correct_form() {
        let error = Event::read("interupt ADC begins").unwrap_err();
        assert!(error.contains("did you mean interrupt?"), "{error}");
        let error = Event::read("task control runs?").unwrap_err();
        assert!(error.contains("\"task NAME runs\", \"task NAME wakes\""), "{error}");
        assert!(Event::read("").is_err() && Event::read("task runs").is_err());
    }
}
