//! From declarations to fields: byte orders, what readers need, and the slots of what fields depend on.

use std::rc::Rc;

use super::class::{Class, IntClass, OptionClass, Order, Path, Role, Scope};
use super::field::{Choice, Count, Field, FieldUse, Int, Struct};
use super::names::{Leaf, Names, Node};
use super::plain;
use super::{Declaration, EventClass, MetadataError, Model, Stream, StreamDeclaration};

/// Fields of a trace, at most: a few lines can declare more than any memory has.
const MAX_FIELDS: usize = 1 << 17;
/// Structures inside of each other, at most.
const MAX_DEPTH: usize = 32;
/// The largest alignment in bits.
const MAX_ALIGN: u32 = 1 << 15;

/// A number that readers need.
#[derive(Clone, Copy, Debug)]
struct NeededNumber {
    role: Role,
    scope: Scope,
    slot: u32,
    bits: u8,
}

/// Resolves a declaration.
///
/// # Errors
/// [`MetadataError`], with the line of the event that is wrong, or 0.
pub fn resolve(declaration: Declaration) -> Result<Model, MetadataError> {
    let order = declaration.order.unwrap_or(Order::Little);
    let mut resolver = Resolver {
        order,
        has_underscores: declaration.has_underscores,
        names: Names::default(),
        scope: Scope::PacketHeader,
        needed: Vec::new(),
        clock: None,
        slots: 0,
        fields: 0,
        depth: 0,
        line: 0,
    };
    let packet_header = resolver.scope(Scope::PacketHeader, declaration.packet_header.as_ref())?;
    let stream_class = resolver.needed(Role::StreamClass, None).map(|it| it.slot);
    let magic = resolver.needed(Role::Magic, None).map(|it| it.slot);
    let mut declared = declaration.streams;
    if declared.is_empty() {
        declared.push(StreamDeclaration::default());
    }
    let of_all = resolver.slots;
    let (mut most, mut streams) = (of_all, Vec::new());
    for stream in declared {
        resolver.slots = of_all;
        resolver.needed.clear();
        resolver.line = 0;
        let mut resolved = resolver.stream(&stream)?;
        let clock = resolver.clock.take().or(stream.clock);
        resolved.clock = match clock {
            Some(name) => declaration.clocks.iter().position(|clock| clock.name == name),
            None => (declaration.clocks.len() == 1).then_some(0),
        };
        let of_stream = resolver.slots;
        let is_of = |id: Option<u64>| id.is_none_or(|id| id == stream.id);
        for event in declaration.events.iter().filter(|event| is_of(event.stream)) {
            resolver.slots = of_stream;
            resolver.line = event.line;
            let context = resolver.scope(Scope::EventContext, event.context.as_ref())?;
            let payload = resolver.scope(Scope::Payload, event.payload.as_ref())?;
            most = most.max(resolver.slots);
            resolved.by_id.insert(event.id, resolved.events.len());
            let name = Rc::clone(&event.name);
            resolved.events.push(EventClass { name, id: event.id, context, payload });
        }
        most = most.max(resolver.slots);
        streams.push(resolved);
    }
    Ok(Model {
        version: declaration.version,
        order,
        environment: declaration.environment,
        clocks: declaration.clocks,
        packet_header,
        stream_class,
        magic,
        streams,
        slots: most as usize,
    })
}

struct Resolver {
    order: Order,
    has_underscores: bool,
    names: Names,
    scope: Scope,
    needed: Vec<NeededNumber>,
    /// The clock that the numbers of the stream name.
    clock: Option<Rc<str>>,
    slots: u32,
    fields: usize,
    depth: usize,
    line: usize,
}

impl Resolver {
    fn error(&self, text: impl Into<String>) -> MetadataError {
        MetadataError::new(self.line, text)
    }

    fn needed(&self, role: Role, scope: Option<Scope>) -> Option<NeededNumber> {
        let is_it =
            |it: &&NeededNumber| it.role == role && scope.is_none_or(|scope| it.scope == scope);
        self.needed.iter().find(is_it).copied()
    }

    fn stream(&mut self, stream: &StreamDeclaration) -> Result<Stream, MetadataError> {
        let packet_context = self.scope(Scope::PacketContext, stream.packet_context.as_ref())?;
        let event_header = self.scope(Scope::EventHeader, stream.event_header.as_ref())?;
        let event_context = self.scope(Scope::StreamEventContext, stream.event_context.as_ref())?;
        let of_packet = |role| self.needed(role, Some(Scope::PacketContext));
        let slot = |role| of_packet(role).map(|it| it.slot);
        let counter = |role| of_packet(role).map(|it| (it.slot, it.bits));
        Ok(Stream {
            id: stream.id,
            packet_context,
            event_header,
            event_context,
            packet_size: slot(Role::PacketSize),
            content_size: slot(Role::ContentSize),
            end: slot(Role::EndTime),
            discarded: counter(Role::Discarded),
            sequence: counter(Role::Sequence),
            has_time: self.needed(Role::Time, Some(Scope::EventHeader)).is_some(),
            clock: None,
            events: Vec::new(),
            by_id: Default::default(),
        })
    }

    /// Resolves all fields of a scope.
    fn scope(
        &mut self,
        scope: Scope,
        class: Option<&Class>,
    ) -> Result<Option<Field>, MetadataError> {
        self.scope = scope;
        self.names.begin(scope);
        let Some(class) = class else { return Ok(None) };
        if !matches!(class, Class::Struct(_)) {
            return Err(self.error("a header, a context or an event's fields are not a structure"));
        }
        let field = self.field(class, "")?;
        self.names.end();
        Ok(Some(field))
    }

    fn slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    fn align(&self, align: u32) -> Result<u32, MetadataError> {
        match align {
            1..=MAX_ALIGN if align.is_power_of_two() => Ok(align),
            _ => Err(self.error(format!(
                "an alignment of {align} bits: it has to be a power of two up to {MAX_ALIGN}"
            ))),
        }
    }

    /// Resolves a field, whose name is known where it is a member.
    fn field(&mut self, class: &Class, name: &str) -> Result<Field, MetadataError> {
        self.fields += 1;
        if self.fields > MAX_FIELDS {
            return Err(self.error(format!("more than {MAX_FIELDS} fields")));
        }
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("fields more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let field = self.inner(class, name);
        self.depth -= 1;
        field
    }

    fn inner(&mut self, class: &Class, name: &str) -> Result<Field, MetadataError> {
        Ok(match class {
            Class::Int(int) => Field::Int(self.int(int, name)?),
            Class::Float(bits, align, order) => Field::Float {
                slot: self.slot(),
                bits: *bits,
                align: self.align(*align)?,
                order: order.unwrap_or(self.order),
            },
            Class::Text(unit) => Field::Text { slot: self.slot(), unit: *unit },
            Class::Struct(structure) => {
                let mut align = self.align(structure.align.max(1))?;
                let mut members = Vec::with_capacity(structure.members.len());
                self.names.open();
                for (name, class) in &structure.members {
                    let field = self.field(class, name)?;
                    align = align.max(field.align());
                    self.names.add(name, node(&field, class));
                    members.push((self.display_name(name), field));
                }
                self.names.close();
                let plain = plain::of(align, &members);
                Field::Struct(Struct { align, members, plain })
            }
            Class::Array(element, count, align) => {
                self.array(element, Count::Fixed(*count), *align)?
            }
            Class::Sequence(element, path, align) => {
                let count = Count::Slot(self.find(path)?.slot);
                self.array(element, count, *align)?
            }
            Class::Blob(len) => self.bytes(len, false)?,
            Class::SizedText(len) => self.bytes(len, true)?,
            Class::Variant(selector, options) => self.variant(selector.as_ref(), options)?,
        })
    }

    fn bytes(&mut self, len: &Result<u64, Path>, is_text: bool) -> Result<Field, MetadataError> {
        let count = match len {
            Ok(len) => Count::Fixed(*len),
            Err(path) => Count::Slot(self.find(path)?.slot),
        };
        Ok(Field::Bytes { slot: self.slot(), count, is_text })
    }

    fn array(&mut self, element: &Class, count: Count, least: u32) -> Result<Field, MetadataError> {
        if let Class::Int(IntClass {
            bits: 8,
            align: 8,
            is_text,
            clock: None,
            is_variable: false,
            ..
        }) = element
            && least <= 8
        {
            return Ok(Field::Bytes { slot: self.slot(), count, is_text: *is_text });
        }
        let element = self.field(element, "")?;
        let align = self.align(least.max(1))?.max(element.align());
        Ok(Field::Array { count, align, element: Box::new(element) })
    }

    fn variant(
        &mut self,
        selector: Option<&Path>,
        options: &[OptionClass],
    ) -> Result<Field, MetadataError> {
        let Some(path) = selector else {
            return Err(self.error("a variant without a selector"));
        };
        let Leaf { slot, is_signed, labels } = self.find(path)?;
        let mut choices = Vec::with_capacity(options.len());
        for OptionClass { name, ranges, class } in options {
            let ranges = match ranges {
                Some(ranges) => ranges.clone(),
                None => labels.as_ref().map(|it| it.ranges(name)).unwrap_or_default(),
            };
            let field = class.as_ref().map(|class| self.field(class, name)).transpose()?;
            choices.push(Choice { ranges, field });
        }
        Ok(Field::Variant { slot, is_signed, options: choices })
    }

    fn int(&mut self, int: &IntClass, name: &str) -> Result<Int, MetadataError> {
        let slot = self.slot();
        if !(1..=64).contains(&int.bits) {
            return Err(self.error(format!("a number of {} bits: 1 to 64 are possible", int.bits)));
        }
        let role = int.role.or_else(|| self.role_of(int, name));
        let (scope, bits) = (self.scope, if int.is_variable { 64 } else { int.bits });
        if let Some(role) = role {
            self.needed.push(NeededNumber { role, scope, slot, bits });
        }
        if matches!(role, Some(Role::Time | Role::EndTime))
            && let Some(clock) = &int.clock
        {
            self.clock.get_or_insert_with(|| Rc::clone(clock));
        }
        let of = match role {
            Some(Role::Time) => FieldUse::Time,
            Some(Role::EventId) => FieldUse::Id,
            _ => FieldUse::Value,
        };
        let &IntClass { bits, is_signed, is_variable, base, ref labels, .. } = int;
        let (align, order) = (self.align(int.align)?, int.order.unwrap_or(self.order));
        let labels = labels.clone();
        Ok(Int { slot, bits, align, order, is_signed, is_variable, base, of, labels })
    }

    /// The role of a number of CTF 1.8, which follows from its name.
    fn role_of(&self, int: &IntClass, name: &str) -> Option<Role> {
        if !self.has_underscores {
            return None;
        }
        match (self.scope, name) {
            (Scope::PacketHeader, "magic") => Some(Role::Magic),
            (Scope::PacketHeader, "stream_id") => Some(Role::StreamClass),
            (Scope::PacketContext, "packet_size") => Some(Role::PacketSize),
            (Scope::PacketContext, "content_size") => Some(Role::ContentSize),
            (Scope::PacketContext, "timestamp_begin") => Some(Role::Time),
            (Scope::PacketContext, "timestamp_end") => Some(Role::EndTime),
            (Scope::PacketContext, "events_discarded") => Some(Role::Discarded),
            (Scope::PacketContext, "packet_seq_num") => Some(Role::Sequence),
            (Scope::EventHeader, "id") => Some(Role::EventId),
            (Scope::EventHeader, "timestamp") => Some(Role::Time),
            (Scope::EventHeader, _) if int.clock.is_some() => Some(Role::Time),
            _ => None,
        }
    }

    fn display_name(&self, name: &Rc<str>) -> Rc<str> {
        match name.strip_prefix('_') {
            Some(rest) if self.has_underscores && !rest.is_empty() => rest.into(),
            _ => Rc::clone(name),
        }
    }

    fn find(&self, path: &Path) -> Result<Leaf, MetadataError> {
        self.names.find(path).ok_or_else(|| {
            let names: Vec<&str> = path.names.iter().map(|it| &**it).collect();
            self.error(format!("no number '{}' before the field that needs it", names.join(".")))
        })
    }
}

/// What others can refer to of a field.
fn node(field: &Field, class: &Class) -> Option<Node> {
    match (field, class) {
        (Field::Int(Int { slot, is_signed, labels, .. }), _) => {
            Some(Node::Leaf(Leaf { slot: *slot, is_signed: *is_signed, labels: labels.clone() }))
        }
        (Field::Struct(_), _) => Some(Node::Struct(Vec::new())),
        _ => None,
    }
}
