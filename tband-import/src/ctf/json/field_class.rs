//! Classes of fields in JSON.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use crate::ctf::model::class::{
    Class, IntClass, Labels, OptionClass, Order, Path, Range, Role, Scope, StructClass,
};

/// Levels of classes, at most: names let them nest deeper than the text does.
const MAX_DEPTH: usize = 48;

/// Classes that have a name, each with its levels.
#[derive(Debug, Default)]
pub struct Aliases(HashMap<String, (Class, usize)>);

/// A class, and its levels.
type ClassResult = Result<(Class, usize), String>;

impl Aliases {
    /// Takes a name in.
    pub fn add(&mut self, fragment: &Value) -> Result<(), String> {
        let name = fragment.get("name").and_then(Value::as_str).ok_or("an alias without a name")?;
        let class = fragment.get("field-class").ok_or("an alias without a class")?;
        let class = self.class(class).map_err(|error| format!("{name}: {error}"))?;
        self.0.insert(name.to_owned(), class);
        Ok(())
    }

    /// The structure of a header, a context or a payload.
    pub fn structure(&self, value: &Value, name: &str) -> Result<Class, String> {
        self.class(value).map(|(class, _)| class).map_err(|error| format!("{name}: {error}"))
    }

    fn class(&self, value: &Value) -> ClassResult {
        if let Some(name) = value.as_str() {
            let class = self.0.get(name).cloned();
            return class.ok_or_else(|| format!("'{name}' is not a class that comes before"));
        }
        let (class, levels) = self.inner(value)?;
        match levels {
            0..=MAX_DEPTH => Ok((class, levels)),
            _ => Err(format!("classes more than {MAX_DEPTH} levels deep")),
        }
    }

    fn inner(&self, value: &Value) -> ClassResult {
        let kind = value.get("type").and_then(Value::as_str).ok_or("a class without a type")?;
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let number = |name: &str| value.get(name).and_then(Value::as_u64);
        let element = || self.class(value.get("element-field-class").ok_or("an array of nothing")?);
        let least = align(value, "minimum-alignment")?;
        let unit = match text("encoding") {
            Some("utf-16be" | "utf-16le") => 2,
            Some("utf-32be" | "utf-32le") => 4,
            _ => 1,
        };
        let len = || number("length").ok_or_else(|| format!("a {kind} without a length"));
        let leaf = |class| Ok((class, 1));
        match kind {
            "fixed-length-bit-array"
            | "fixed-length-bit-map"
            | "fixed-length-boolean"
            | "fixed-length-unsigned-integer"
            | "fixed-length-signed-integer" => {
                let bits = bits(len()?)?;
                let mut int = IntClass { align: align(value, "alignment")?, ..IntClass::new(bits) };
                int.is_signed = kind == "fixed-length-signed-integer";
                int.order = order(value)?;
                if kind == "fixed-length-boolean" {
                    let labels =
                        vec![((0, 0), "false".into()), ((1, i128::from(u64::MAX)), "true".into())];
                    int.labels = Some(Rc::new(Labels(labels)));
                }
                leaf(Class::Int(with_facts(int, value)?))
            }
            "variable-length-unsigned-integer" | "variable-length-signed-integer" => {
                let mut int = IntClass { align: 8, is_variable: true, ..IntClass::new(64) };
                int.is_signed = kind == "variable-length-signed-integer";
                leaf(Class::Int(with_facts(int, value)?))
            }
            "fixed-length-floating-point-number" => match bits(len()?)? {
                bits @ (16 | 32 | 64) => {
                    leaf(Class::Float(bits, align(value, "alignment")?, order(value)?))
                }
                bits => Err(format!(
                    "a floating-point number of {bits} bits: 16, 32 and 64 are possible"
                )),
            },
            "null-terminated-string" => leaf(Class::Text(unit)),
            "static-length-string" => leaf(Class::SizedText(Ok(len()?))),
            "dynamic-length-string" => leaf(Class::SizedText(Err(path(value, "length")?))),
            "static-length-blob" => leaf(Class::Blob(Ok(len()?))),
            "dynamic-length-blob" => leaf(Class::Blob(Err(path(value, "length")?))),
            "structure" => self.members(value, least),
            "static-length-array" => {
                let (class, levels) = element()?;
                Ok((Class::Array(Rc::new(class), len()?, least), levels + 1))
            }
            "dynamic-length-array" => {
                let (class, levels) = element()?;
                Ok((Class::Sequence(Rc::new(class), path(value, "length")?, least), levels + 1))
            }
            "optional" => {
                let field = value.get("field-class").ok_or("an optional nothing")?;
                let (class, levels) = self.class(field)?;
                let chosen = match value.get("selector-field-ranges") {
                    Some(value) => ranges(value)?,
                    // A Boolean.
                    None => vec![(i128::from(i64::MIN), -1), (1, i128::from(u64::MAX))],
                };
                let option =
                    |ranges, class| OptionClass { name: "".into(), ranges: Some(ranges), class };
                let all = vec![(i128::from(i64::MIN), i128::from(u64::MAX))];
                let options = [option(chosen, Some(class)), option(all, None)];
                Ok((Class::Variant(Some(path(value, "selector")?), options.into()), levels + 1))
            }
            "variant" => {
                let (mut options, mut most) = (Vec::new(), 0);
                for option in array(value, "options") {
                    let field = option.get("field-class").ok_or("an option without a class")?;
                    let (class, levels) = self.class(field)?;
                    let name = option.get("name").and_then(Value::as_str).unwrap_or("");
                    let chosen =
                        option.get("selector-field-ranges").ok_or("an option without ranges")?;
                    let (ranges, class) = (Some(ranges(chosen)?), Some(class));
                    options.push(OptionClass { name: name.into(), ranges, class });
                    most = most.max(levels);
                }
                Ok((Class::Variant(Some(path(value, "selector")?), options.into()), most + 1))
            }
            other => Err(format!("'{other}' is not a class of CTF 2")),
        }
    }

    fn members(&self, value: &Value, align: u32) -> ClassResult {
        let (mut members, mut most) = (Vec::new(), 0);
        for member in array(value, "member-classes") {
            let name =
                member.get("name").and_then(Value::as_str).ok_or("a member without a name")?;
            let class = member.get("field-class").ok_or_else(|| format!("{name} has no class"))?;
            let (class, levels) = self.class(class).map_err(|error| format!("{name}: {error}"))?;
            members.push((name.into(), class));
            most = most.max(levels);
        }
        Ok((Class::Struct(Rc::new(StructClass { align, members })), most + 1))
    }
}

fn array<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn bits(len: u64) -> Result<u8, String> {
    match u8::try_from(len) {
        Ok(bits @ 1..=64) => Ok(bits),
        _ => Err(format!("a number of {len} bits: 1 to 64 are possible")),
    }
}

/// An alignment in bits, 1 unless it is there.
fn align(value: &Value, name: &str) -> Result<u32, String> {
    let Some(align) = value.get(name) else { return Ok(1) };
    let align = align.as_u64().and_then(|it| u32::try_from(it).ok());
    align.filter(|it| it.is_power_of_two()).ok_or_else(|| format!("{name} is not a power of two"))
}

fn order(value: &Value) -> Result<Option<Order>, String> {
    match value.get("byte-order").and_then(Value::as_str) {
        Some("little-endian") => Ok(Some(Order::Little)),
        Some("big-endian") => Ok(Some(Order::Big)),
        None => Ok(None),
        Some(other) => Err(format!("'{other}' is not a byte order")),
    }
}

fn ranges(value: &Value) -> Result<Vec<Range>, String> {
    let number =
        |value: &Value| value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    let range = |range: &Value| {
        let (low, high) = (number(range.get(0)?)?, number(range.get(1)?)?);
        Some((low, high))
    };
    let all = value.as_array().ok_or("ranges that are no array")?;
    all.iter().map(|it| range(it).ok_or_else(|| "a range without two numbers".to_owned())).collect()
}

/// Display base, roles and names of values.
fn with_facts(mut int: IntClass, value: &Value) -> Result<IntClass, String> {
    if let Some(base) = value.get("preferred-display-base").and_then(Value::as_u64) {
        int.base = u8::try_from(base).unwrap_or(10);
    }
    for role in array(value, "roles").iter().filter_map(Value::as_str) {
        int.role = match role {
            "packet-magic-number" => Some(Role::Magic),
            "data-stream-class-id" => Some(Role::StreamClass),
            "packet-total-length" => Some(Role::PacketSize),
            "packet-content-length" => Some(Role::ContentSize),
            "default-clock-timestamp" => Some(Role::Time),
            "packet-end-default-clock-timestamp" => Some(Role::EndTime),
            "discarded-event-record-counter-snapshot" => Some(Role::Discarded),
            "packet-sequence-number" => Some(Role::Sequence),
            "event-record-class-id" => Some(Role::EventId),
            _ => int.role,
        };
    }
    let mappings = value.get("mappings").and_then(Value::as_object);
    if let Some(mappings) = mappings.filter(|it| !it.is_empty()) {
        let mut labels = Vec::new();
        for (name, of) in mappings {
            labels.extend(ranges(of)?.into_iter().map(|range| (range, Rc::from(name.as_str()))));
        }
        int.labels = Some(Rc::new(Labels(labels)));
    }
    Ok(int)
}

/// Where a length or a selector is.
fn path(value: &Value, of: &str) -> Result<Path, String> {
    let location = value.get(format!("{of}-field-location"));
    let location = location.ok_or_else(|| format!("no {of}-field-location"))?;
    let scope = match location.get("origin").and_then(Value::as_str) {
        Some("packet-header") => Some(Scope::PacketHeader),
        Some("packet-context") => Some(Scope::PacketContext),
        Some("event-record-header") => Some(Scope::EventHeader),
        Some("event-record-common-context") => Some(Scope::StreamEventContext),
        Some("event-record-specific-context") => Some(Scope::EventContext),
        Some("event-record-payload") => Some(Scope::Payload),
        Some(other) => return Err(format!("'{other}' is not an origin")),
        None => None,
    };
    // A null is the structure around.
    let names: Vec<Rc<str>> =
        array(location, "path").iter().filter_map(Value::as_str).map(Rc::from).collect();
    if names.is_empty() {
        Err("a path without names".to_owned())
    } else {
        Ok(Path { scope, names })
    }
}
