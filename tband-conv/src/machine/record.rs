//! Log records of the application: messages and spans on a marker, and numbers with names as value markers.

use std::io;

use tband_format::Str;

use super::{AnyContext, Timeline};
use crate::diagnostics::Problem;
use crate::model::{MarkerKey, Scope};
use crate::records::{Mark, Message, Pair};

/// The event marker of records, and the first value marker of their numbers: numbers that firmware hardly uses.
const MESSAGES: u32 = 0xFFFF_F000;
/// The first event marker of pairs.
const PAIRS: u32 = MESSAGES + 1;
/// Maximum number of kept names of counters, and of pairs; more of them are damage.
const MAX_NAMES: usize = 2048;

/// Known names for records: of numbers in them, and of pairs.
#[derive(Debug, Default)]
pub(super) struct RecordNames {
    counters: Names,
    pairs: Names,
}

/// Names, which are given numbers in their order.
#[derive(Debug, Default)]
struct Names(Vec<String>);

impl Names {
    /// Returns the number of a name, if there is room.
    fn number(&mut self, name: &str) -> Option<u32> {
        let known = self.0.iter().position(|known| known == name);
        let at = match known {
            Some(at) => at,
            None if self.0.len() < MAX_NAMES => {
                self.0.push(name.to_owned());
                self.0.len() - 1
            }
            None => return None,
        };
        u32::try_from(at).ok()
    }
}

impl Timeline {
    /// A record of the running task, or without a known task.
    #[cold]
    pub(super) fn record(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        at: u32,
        record: Str<'_>,
    ) -> io::Result<()> {
        let format = self.world.format(at);
        let known = (format.as_ref(), &self.world.dictionary);
        let message = Message::of(known, at, record.0);
        self.message(context, message)
    }

    /// A record that contains the types of its elements.
    #[cold]
    pub(super) fn typed_record(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        no: u32,
        record: Str<'_>,
    ) -> io::Result<()> {
        let message = Message::of_elements(&self.world.dictionary, no, record.0);
        self.message(context, message)
    }

    fn message(&mut self, context: &mut AnyContext<'_, '_>, message: Message) -> io::Result<()> {
        let Message { mark, pair, text, counters, .. } = message;
        if let Some(pair) = pair {
            return self.pair(context, mark, &pair);
        }
        let scope = match self.task_scope(context.at.core) {
            Scope::Task(task) => Scope::Task(task),
            _ => Scope::Global,
        };
        let key = (scope, MESSAGES);
        self.name_records(key, "records");
        match mark {
            Mark::Message => self.marker(context, key, Str(&text))?,
            Mark::Begin => self.span_begin(context, key, Str(&text))?,
            Mark::End => self.span_end(context, key)?,
        }
        for (name, value) in counters {
            let Some(number) = self.record_names.counters.number(&name) else { continue };
            let key = (Scope::Global, MESSAGES | number);
            if let Some(marker) = self.world.value(key)
                && let Some(entry) = self.world.values.get_mut(marker)
            {
                entry.name.get_or_insert(name);
            }
            self.value(context, key, value)?;
        }
        Ok(())
    }

    /// Its span does not belong to a task: it may end in another task, in an interrupt and on another core.
    fn pair(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        mark: Mark,
        pair: &Pair,
    ) -> io::Result<()> {
        let Some(number) = self.record_names.pairs.number(&pair.of) else {
            let text = format!("a span of {:?} is not shown: too many have names", pair.of);
            return self.report_finding(context, Problem::TooMany, 1, &text);
        };
        let key = (Scope::Global, PAIRS.saturating_add(number));
        self.name_records(key, &pair.of);
        match mark {
            Mark::Message => Ok(()),
            Mark::Begin => self.span_begin(context, key, Str(&pair.text)),
            Mark::End => self.span_end(context, key),
        }
    }

    fn name_records(&mut self, key: MarkerKey, name: &str) {
        if let Some(marker) = self.world.marker(key)
            && let Some(entry) = self.world.markers.get_mut(marker)
        {
            entry.name.get_or_insert_with(|| name.to_owned());
        }
    }
}
