//! Rules for the events of one trace: names of fields become slots.

use std::rc::Rc;

use super::entry::{CtfMap, Entry, EventMeaning, FieldRole, MapError, PartSource};
use super::known_tracer::KnownTracer;
use super::tband_events::TbandEvents;
use crate::ctf::model::class::{Labels, Range};
use crate::ctf::model::field::{Field, Int};
use crate::ctf::model::{EventClass, Model, Stream};

/// Names of fields that hold the number of the core, in the contexts, and among an event's own fields.
const CORE_IN_CONTEXT: [&str; 2] = ["cpu_id", "core_id"];
const CORE_IN_PAYLOAD: [&str; 2] = ["perf_cpu", "core_id"];

/// Where a part is.
#[derive(Clone, Debug)]
pub enum FieldScope {
    Number { slot: u32, is_signed: bool, labels: Option<Rc<Labels>> },
    Float { slot: u32, bits: u8 },
    Bytes(u32),
    Constant(i64),
    Text(Rc<str>),
}

/// A rule with the places of its parts.
#[derive(Clone, Debug)]
pub struct Rule {
    pub means: EventMeaning,
    /// Slots that have to have one of these values.
    pub when: Vec<(u32, bool, Vec<Range>)>,
    parts: Vec<(FieldRole, FieldScope)>,
}

impl Rule {
    /// Where a part is, if the rule has it.
    pub fn place(&self, part: FieldRole) -> Option<&FieldScope> {
        self.parts.iter().find(|(it, _)| *it == part).map(|(_, place)| place)
    }
}

/// The treatment of the events of a class.
#[derive(Clone, Debug)]
pub enum Handling {
    /// One of these rules, else it is shown as a marker.
    Rules(Vec<Rule>),
    /// An event of the registry.
    Own(u8),
    /// An event of this id that tband's recording describes.
    Described(u8),
}

/// What the events of a trace mean.
#[derive(Debug)]
pub struct Bound {
    pub known: KnownTracer,
    pub map: CtfMap,
    /// The kernel is one whose tasks can be parked: Linux 4.14 or later.
    pub has_parked: bool,
    /// By stream and event.
    classes: Vec<Vec<(Handling, Option<FieldScope>)>>,
    /// Some event is about a task.
    pub has_tasks: bool,
    /// By stream, where the context of a packet has the number of the core.
    packet_cores: Vec<Option<FieldScope>>,
    /// Rules of the user's map that no event of the trace has.
    pub unused: Vec<Rc<str>>,
}

impl Bound {
    /// The treatment of the events of a class, and where they have the number of their core.
    pub fn class(&self, stream: usize, event: usize) -> Option<&(Handling, Option<FieldScope>)> {
        self.classes.get(stream)?.get(event)
    }

    /// Where the context of a packet has the number of the core.
    pub fn packet_core(&self, stream: usize) -> Option<&FieldScope> {
        self.packet_cores.get(stream)?.as_ref()
    }
}

/// The number of the core in a context.
fn in_context(context: Option<&Field>) -> Option<FieldScope> {
    CORE_IN_CONTEXT.iter().find_map(|name| context?.find(name)).and_then(place)
}

/// Finds out what the events of a trace mean.
///
/// # Errors
/// [`MapError`], if a rule names a field that an event does not have.
pub fn bind(model: &Model, given: Option<&CtfMap>) -> Result<Bound, MapError> {
    let names = || model.streams.iter().flat_map(|it| &it.events).map(|it| &*it.name);
    let is_own = model.environment("tracer_name") == Some("tband");
    let known = if is_own { KnownTracer::Other } else { KnownTracer::of(names()) };
    let is_built_in = !given.is_some_and(|map| map.is_alone);
    let built_in = if is_built_in { known.map() } else { CtfMap::default() };
    let mut map = given.cloned().unwrap_or_default();
    map.priorities_from = map.priorities_from.or(built_in.priorities_from);
    map.idle.extend(built_in.idle.iter().cloned());
    let is_used = |entry: &&Entry| names().any(|name| entry.is_for(name));
    let unused = map.entries.iter().filter(|it| !is_used(it)).map(|it| Rc::clone(&it.event));
    let unused = unused.collect();
    let (mut classes, mut packet_cores) = (Vec::new(), Vec::new());
    for stream in &model.streams {
        let packet_core = in_context(stream.packet_context.as_ref());
        let has_core = packet_core.is_some();
        packet_cores.push(packet_core);
        let mut of_stream = Vec::with_capacity(stream.events.len());
        for event in &stream.events {
            let fields = Fields { stream, event };
            let core = match &map.core {
                Some(name) => fields.find(name).and_then(place),
                None => fields.core(has_core),
            };
            let own = is_own.then(|| tband_format::registry::by_name(&event.name)).flatten();
            let handling = match own {
                Some(def) if TbandEvents::is_known(def, event.payload.as_ref()) => {
                    Handling::Own(def.id)
                }
                // Records of the application's own have names of several words.
                None if is_own && event.id <= u8::MAX.into() && !event.name.contains(' ') => {
                    Handling::Described(event.id as u8)
                }
                _ => Handling::Rules(rules(&map, &built_in, &fields)?),
            };
            of_stream.push((handling, core));
        }
        classes.push(of_stream);
    }
    let is_of_task = |rule: &Rule| rule.place(FieldRole::Task).is_some();
    let has_tasks = classes.iter().flatten().any(|(handling, _)| match handling {
        Handling::Rules(rules) => rules.iter().any(is_of_task),
        Handling::Own(_) | Handling::Described(_) => true,
    });
    // By LTTng, and by perf.
    let release = model.environment("kernel_release").or_else(|| model.environment("release"));
    let has_parked = release.is_some_and(is_after_4_13);
    Ok(Bound { known, map, has_parked, has_tasks, classes, packet_cores, unused })
}

fn is_after_4_13(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok).unwrap_or(0);
    (next(), next()) > (4, 13)
}

fn rules(map: &CtfMap, built_in: &CtfMap, fields: &Fields<'_>) -> Result<Vec<Rule>, MapError> {
    let mut rules = Vec::new();
    for entry in map.entries.iter().filter(|it| it.is_for(&fields.event.name)) {
        match rule(entry, fields) {
            Ok(rule) => rules.push(rule),
            Err(text) => {
                let (file, line) = (map.file.clone(), entry.line);
                return Err(MapError { file, line, text });
            }
        }
    }
    if rules.is_empty() {
        let of_event = built_in.entries.iter().filter(|it| it.is_for(&fields.event.name));
        rules.extend(of_event.filter_map(|entry| rule(entry, fields).ok()).take(1));
    }
    Ok(rules)
}

fn rule(entry: &Entry, fields: &Fields<'_>) -> Result<Rule, String> {
    let mut parts = Vec::with_capacity(entry.parts.len());
    for (part, given) in &entry.parts {
        let found = match given {
            PartSource::Number(number) => Some(FieldScope::Constant(*number)),
            PartSource::Text(text) => Some(FieldScope::Text(Rc::clone(text))),
            PartSource::Field(name) => fields.find(name).and_then(place),
        };
        match found {
            Some(place) => parts.push((*part, place)),
            None if entry.is_built_in => {}
            None => return Err(fields.missing(given)),
        }
    }
    let needs = EventMeaning::ALL.iter().find(|(_, means, _)| *means == entry.means);
    for part in needs.map_or(&[][..], |(_, _, needs)| needs) {
        if !parts.iter().any(|(it, _)| it == part) {
            return Err(format!("'{}' is missing: name the field that has it", part.name()));
        }
    }
    let mut when = Vec::new();
    for (name, given) in &entry.when {
        let field = fields.find(name);
        let Some(Field::Int(Int { slot, is_signed, labels, .. })) = field else {
            return Err(fields.missing(&PartSource::Field(Rc::clone(name))));
        };
        let ranges = match given {
            PartSource::Number(number) => vec![(i128::from(*number), i128::from(*number))],
            PartSource::Text(label) | PartSource::Field(label) => {
                labels.as_ref().map(|it| it.ranges(label)).unwrap_or_default()
            }
        };
        if let (PartSource::Text(label) | PartSource::Field(label), true) =
            (given, ranges.is_empty())
        {
            return Err(format!("no value of '{name}' is called '{label}'"));
        }
        when.push((*slot, *is_signed, ranges));
    }
    Ok(Rule { means: entry.means, when, parts })
}

/// Where a field is, if it is a leaf.
fn place(field: &Field) -> Option<FieldScope> {
    match field {
        Field::Int(Int { slot, is_signed, labels, .. }) => {
            Some(FieldScope::Number { slot: *slot, is_signed: *is_signed, labels: labels.clone() })
        }
        Field::Float { slot, bits, .. } => Some(FieldScope::Float { slot: *slot, bits: *bits }),
        Field::Text { slot, .. } | Field::Bytes { slot, .. } => Some(FieldScope::Bytes(*slot)),
        Field::Struct(_) | Field::Array { .. } | Field::Variant { .. } => None,
    }
}

/// The fields of an event with those of its contexts.
struct Fields<'m> {
    stream: &'m Stream,
    event: &'m EventClass,
}

impl<'m> Fields<'m> {
    fn scopes(&self) -> [Option<&'m Field>; 4] {
        let Self { stream, event } = self;
        [
            event.payload.as_ref(),
            event.context.as_ref(),
            stream.event_context.as_ref(),
            stream.packet_context.as_ref(),
        ]
    }

    fn find(&self, name: &str) -> Option<&'m Field> {
        self.scopes().into_iter().flatten().find_map(|scope| scope.find(name))
    }

    /// The number of the event's core. In a packet of one core, a core among the event's own fields is what the event is about.
    fn core(&self, is_of_packet: bool) -> Option<FieldScope> {
        let in_payload = self.event.payload.as_ref().filter(|_| !is_of_packet).into_iter();
        let of_payload =
            in_payload.flat_map(|it| CORE_IN_PAYLOAD.iter().filter_map(|name| it.find(name)));
        let of_payload = of_payload.filter_map(place).next();
        // That of the packet is known before.
        let contexts = [self.event.context.as_ref(), self.stream.event_context.as_ref()];
        of_payload.or_else(|| contexts.into_iter().find_map(in_context))
    }

    fn missing(&self, given: &PartSource) -> String {
        let name = match given {
            PartSource::Field(name) | PartSource::Text(name) => name,
            PartSource::Number(_) => "",
        };
        let mut names: Vec<&str> = Vec::new();
        for scope in self.scopes().into_iter().flatten() {
            if let Field::Struct(structure) = scope {
                names.extend(structure.members.iter().map(|(name, _)| &**name));
            }
        }
        let event = &self.event.name;
        format!(
            "the event '{event}' has no field '{name}' that can be used; it has: {}",
            names.join(", ")
        )
    }
}
