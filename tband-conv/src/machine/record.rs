//! Records of the application's own: messages and spans on a marker, and numbers with names as value markers.

use std::io;

use tband_format::Str;

use super::{Context, Timeline};
use crate::model::{MarkerKey, Scope, Sink};
use crate::records::{Mark, Message};

/// The event marker of records, and the first value marker of their numbers: numbers that firmware hardly gives away.
const MESSAGES: u32 = 0xFFFF_F000;
/// Numbers with names that are kept; more of them are damage.
const MAX_COUNTERS: usize = 2048;

/// What is known of records: the names of numbers in them.
#[derive(Debug, Default)]
pub(super) struct Counters(Vec<String>);

impl Counters {
    /// The value marker of a number, if there is room.
    fn number(&mut self, name: &str) -> Option<u32> {
        let known = self.0.iter().position(|known| known == name);
        let at = match known {
            Some(at) => at,
            None if self.0.len() < MAX_COUNTERS => {
                self.0.push(name.to_owned());
                self.0.len() - 1
            }
            None => return None,
        };
        Some(MESSAGES | u32::try_from(at).ok()?)
    }
}

impl Timeline {
    /// A record of the task that runs, or of nobody.
    #[cold]
    pub(super) fn record<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        at: u32,
        record: Str<'_>,
    ) -> io::Result<()> {
        let format = self.world.format(at);
        let known = (format.as_ref(), &self.world.dictionary);
        let message = Message::of(known, at, record.0);
        self.message(context, message)
    }

    /// A record that says what its elements are.
    #[cold]
    pub(super) fn typed_record<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        no: u32,
        record: Str<'_>,
    ) -> io::Result<()> {
        let message = Message::of_elements(&self.world.dictionary, no, record.0);
        self.message(context, message)
    }

    fn message<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        message: Message,
    ) -> io::Result<()> {
        let Message { mark, text, counters, .. } = message;
        let scope = match self.task_scope(context.at.core) {
            Scope::Task(task) => Scope::Task(task),
            _ => Scope::Global,
        };
        let key = (scope, MESSAGES);
        self.name_records(key);
        match mark {
            Mark::Message => self.marker(context, key, Str(&text))?,
            Mark::Begin => self.span_begin(context, key, Str(&text))?,
            Mark::End => self.span_end(context, key)?,
        }
        for (name, value) in counters {
            let Some(number) = self.counters.number(&name) else { continue };
            let key = (Scope::Global, number);
            if let Some(marker) = self.world.value(key)
                && let Some(entry) = self.world.values.get_mut(marker)
            {
                entry.name.get_or_insert(name);
            }
            self.value(context, key, value)?;
        }
        Ok(())
    }

    fn name_records(&mut self, key: MarkerKey) {
        if let Some(marker) = self.world.marker(key)
            && let Some(entry) = self.world.markers.get_mut(marker)
        {
            entry.name.get_or_insert_with(|| "records".to_owned());
        }
    }
}
