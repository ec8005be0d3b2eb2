//! Mapping files: what the events of a trace mean, in TOML.

use std::ops::Range;
use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::entry::{CtfMap, Entry, EventMeaning, FieldRole, MapError, PartSource};

/// An event as an example.
const EXAMPLE: &str =
    "[[rule]] with event = \"task_switched_in\", means = \"switch\", task = \"task\"";

type Value<'i> = Spanned<DeValue<'i>>;

impl CtfMap {
    /// Reads a mapping file. `file` is its name for messages.
    ///
    /// # Errors
    /// The first mistake, with its line and the correct form.
    pub fn read(file: &str, source: &str) -> Result<Self, MapError> {
        let reader = Reader { file, source };
        let document = DeTable::parse(source).map_err(|error| {
            reader.at(&error.span().unwrap_or(0..0), error.message().trim_end().to_owned())
        })?;
        let mut map = Self { file: file.to_owned(), ..Self::default() };
        for (key, value) in document.get_ref() {
            match key.get_ref().as_ref() {
                "rule" => {
                    for value in reader.array(value, EXAMPLE)?.iter() {
                        map.entries.push(reader.rule(value)?);
                    }
                }
                "tasks" => map.tasks = reader.names(value)?,
                "queues" => map.queues = reader.names(value)?,
                "interrupts" => map.isrs = reader.names(value)?,
                "idle" => {
                    for value in reader.array(value, "idle = [\"IDLE\"]")?.iter() {
                        map.idle.push(reader.text(value, "the name of an idle task")?);
                    }
                }
                "lowest-priority" => {
                    map.priorities_from = Some(reader.number(value, "lowest-priority = 255")?);
                }
                "core" => {
                    map.core = Some(reader.text(value, "core = \"cpu\", the name of a field")?)
                }
                "waits" => match &*reader.text(value, "waits = \"all\" or \"some\"")? {
                    "all" => map.has_all_waits = true,
                    "some" => {}
                    other => {
                        let text = format!("waits is \"{other}\"; it is \"all\" or \"some\"");
                        return Err(reader.at(&value.span(), text));
                    }
                },
                "built-in" => map.is_alone = !reader.boolean(value, "built-in = false")?,
                other => {
                    let text = format!(
                        "'{other}' is not a key of a mapping file: rule, tasks, queues, interrupts, idle, \
                         lowest-priority, core, waits, built-in"
                    );
                    return Err(reader.at(&key.span(), text));
                }
            }
        }
        Ok(map)
    }
}

struct Reader<'s> {
    file: &'s str,
    source: &'s str,
}

impl Reader<'_> {
    fn at(&self, span: &Range<usize>, text: impl Into<String>) -> MapError {
        let before = self.source.as_bytes().get(..span.start).unwrap_or_default();
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        MapError { file: self.file.to_owned(), line, text: text.into() }
    }

    fn array<'v, 'i>(
        &self,
        value: &'v Value<'i>,
        example: &str,
    ) -> Result<&'v DeArray<'i>, MapError> {
        match value.get_ref() {
            DeValue::Array(array) => Ok(array),
            _ => Err(self.at(&value.span(), format!("a list is needed: {example}"))),
        }
    }

    fn table<'v, 'i>(
        &self,
        value: &'v Value<'i>,
        example: &str,
    ) -> Result<&'v DeTable<'i>, MapError> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.at(&value.span(), format!("a table is needed: {example}"))),
        }
    }

    fn text(&self, value: &Value<'_>, example: &str) -> Result<Rc<str>, MapError> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.as_ref().into()),
            _ => Err(self.at(&value.span(), format!("a text is needed: {example}"))),
        }
    }

    fn number(&self, value: &Value<'_>, example: &str) -> Result<i64, MapError> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        number.ok_or_else(|| self.at(&value.span(), format!("a number is needed: {example}")))
    }

    fn boolean(&self, value: &Value<'_>, example: &str) -> Result<bool, MapError> {
        match value.get_ref() {
            DeValue::Boolean(is) => Ok(*is),
            _ => Err(self.at(&value.span(), format!("true or false is needed: {example}"))),
        }
    }

    /// Names by number.
    fn names(&self, value: &Value<'_>) -> Result<Vec<(u32, Rc<str>)>, MapError> {
        let example = "15 = \"SysTick\"";
        let mut names = Vec::new();
        for (key, value) in self.table(value, example)? {
            let number = self.id(key)?;
            names.push((number, self.text(value, example)?));
        }
        Ok(names)
    }

    /// A number as a key, also in hexadecimal.
    fn id(&self, key: &Spanned<DeString<'_>>) -> Result<u32, MapError> {
        let text = key.get_ref().as_ref();
        let number = match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => text.parse(),
        };
        number.map_err(|_| {
            self.at(
                &key.span(),
                format!("'{text}' is not a number of 32 bits, as 15 or 0x20002880"),
            )
        })
    }

    /// A field, a number, or a text that is the same for all events.
    fn part_source(&self, value: &Value<'_>) -> Result<PartSource, MapError> {
        match value.get_ref() {
            DeValue::String(field) => Ok(PartSource::Field(field.as_ref().into())),
            DeValue::Integer(_) => Ok(PartSource::Number(self.number(value, "")?)),
            DeValue::Boolean(is) => Ok(PartSource::Number((*is).into())),
            DeValue::Table(table) => match table.get("text") {
                Some(text) => Ok(PartSource::Text(self.text(text, "{ text = \"motor\" }")?)),
                None => Err(self.at(&value.span(), "a table here is a text: { text = \"motor\" }")),
            },
            _ => {
                let text = "the name of a field, a number, or { text = \"motor\" } is needed";
                Err(self.at(&value.span(), text))
            }
        }
    }

    fn rule(&self, value: &Value<'_>) -> Result<Entry, MapError> {
        let table = self.table(value, EXAMPLE)?;
        let (mut event, mut means, mut when, mut parts) = (None, None, Vec::new(), Vec::new());
        let mut line = self.at(&value.span(), "").line;
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "event" => {
                    line = self.at(&key.span(), "").line;
                    event = Some(self.text(value, EXAMPLE)?);
                }
                "means" => means = Some(self.meaning(value)?),
                "when" => {
                    for (field, value) in self.table(value, "when = { op = \"SEND\" }")? {
                        when.push((field.get_ref().as_ref().into(), self.part_source(value)?));
                    }
                }
                other => match FieldRole::ALL.iter().find(|(name, _)| *name == other) {
                    Some((_, part)) => parts.push((*part, self.part_source(value)?)),
                    None => {
                        let names: Vec<&str> =
                            FieldRole::ALL.iter().map(|(name, _)| *name).collect();
                        let text = format!(
                            "'{other}' is not part of a rule: event, means, when, {}",
                            names.join(", ")
                        );
                        return Err(self.at(&key.span(), text));
                    }
                },
            }
        }
        let missing = |key: &str| self.at(&value.span(), format!("'{key}' is missing: {EXAMPLE}"));
        let event = event.ok_or_else(|| missing("event"))?;
        let means = means.ok_or_else(|| missing("means"))?;
        Ok(Entry { event, when, means, parts, is_built_in: false, line })
    }

    fn meaning(&self, value: &Value<'_>) -> Result<EventMeaning, MapError> {
        let text = self.text(value, "means = \"switch\"")?;
        match EventMeaning::ALL.iter().find(|(name, ..)| **name == *text) {
            Some((_, means, _)) => Ok(*means),
            None => {
                let names: Vec<&str> = EventMeaning::ALL.iter().map(|(name, ..)| *name).collect();
                let text = format!("'{text}' is not a meaning of an event: {}", names.join(", "));
                Err(self.at(&value.span(), text))
            }
        }
    }
}
