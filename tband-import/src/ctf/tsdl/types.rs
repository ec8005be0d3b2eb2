//! Types of the language.

use std::rc::Rc;

use super::lexer::Token;
use super::parser::Parser;
use crate::ctf::model::MetadataError;
use crate::ctf::model::class::{Class, IntClass, OptionClass, Order, Path, StructClass};

/// Words of C that make one type together.
const C_WORDS: [&str; 12] = [
    "unsigned", "signed", "int", "long", "short", "char", "void", "float", "double", "const",
    "_Bool", "_Complex",
];

/// Dimensions of an array.
#[derive(Clone, Debug)]
enum Dimension {
    Count(u64),
    Field(Path),
}

/// A value of an attribute.
#[derive(Debug)]
pub enum Value {
    Number(i128),
    Text(Rc<str>),
    Names(Vec<Rc<str>>),
}

impl Value {
    /// As it is shown.
    pub fn text(&self) -> Rc<str> {
        match self {
            Self::Number(number) => number.to_string().into(),
            Self::Text(text) => Rc::clone(text),
            Self::Names(names) => names.join(".").into(),
        }
    }
}

impl Parser<'_> {
    /// The value after `=`.
    pub fn value(&mut self) -> Result<Value, MetadataError> {
        match self.peek()? {
            Token::Text(text) => {
                let mut text = text.to_string();
                self.take()?;
                // As in C, texts that follow each other are one.
                while let Token::Text(more) = self.peek()? {
                    text.push_str(more);
                    self.take()?;
                }
                Ok(Value::Text(text.into()))
            }
            Token::Word(_) => Ok(Value::Names(self.names()?)),
            _ => Ok(Value::Number(self.number()?)),
        }
    }

    /// Attributes in braces, each `name = value;`.
    fn attributes(
        &mut self,
        mut take: impl FnMut(&mut Self, &str, &Value) -> Result<(), MetadataError>,
    ) -> Result<(), MetadataError> {
        self.expect(b'{')?;
        while !self.has(b'}')? {
            let name = self.names()?.join(".");
            self.expect(b'=')?;
            let value = self.value()?;
            take(self, &name, &value)?;
            self.expect(b';')?;
        }
        Ok(())
    }

    /// A type with a name or without.
    pub fn type_specifier(&mut self) -> Result<Class, MetadataError> {
        let outer = self.begin_type()?;
        let (class, name) = self.type_inside()?;
        self.end_type(outer)?;
        if let Some(name) = name {
            self.name_type(name, class.clone(), 0);
        }
        Ok(class)
    }

    /// The type, and the name under which it is known to what follows.
    fn type_inside(&mut self) -> Result<(Class, Option<String>), MetadataError> {
        while self.has_word("const")? {}
        let word = self.word()?;
        let class = match &*word {
            "integer" => self.integer()?,
            "floating_point" => self.float()?,
            "string" => self.string()?,
            "struct" => return self.structure(),
            "variant" => return self.variant(),
            "enum" => return self.enumeration(),
            first if C_WORDS.contains(&first) => {
                let mut words = word.to_string();
                while let Token::Word(next) = self.peek()? {
                    if !C_WORDS.contains(&&**next) {
                        break;
                    }
                    if **next != *"const" {
                        words.push(' ');
                        words.push_str(next);
                    }
                    self.take()?;
                }
                self.type_named(&words)?
            }
            name => self.type_named(name)?,
        };
        while self.has_word("const")? {}
        Ok((class, None))
    }

    fn order(&self, value: &Value) -> Result<Option<Order>, MetadataError> {
        match &*value.text() {
            "le" => Ok(Some(Order::Little)),
            "be" | "network" => Ok(Some(Order::Big)),
            "native" => Ok(None),
            other => {
                self.error(format!("'{other}' is not a byte order: le, be, network or native"))
            }
        }
    }

    fn integer(&mut self) -> Result<Class, MetadataError> {
        let mut int = IntClass { align: 0, ..IntClass::new(0) };
        self.attributes(|parser, name, value| {
            match name {
                "size" => int.bits = parser.size(value)?,
                "align" => int.align = parser.align(value)?,
                "signed" => {
                    int.is_signed = match &*value.text() {
                        "true" | "TRUE" | "1" => true,
                        "false" | "FALSE" | "0" => false,
                        other => {
                            return parser.error(format!("signed is '{other}': true or false"));
                        }
                    };
                }
                "byte_order" => int.order = parser.order(value)?,
                "base" => {
                    int.base = match &*value.text() {
                        "16" | "hexadecimal" | "hex" | "x" | "X" | "p" => 16,
                        "8" | "octal" | "oct" | "o" => 8,
                        "2" | "binary" | "bin" | "b" => 2,
                        _ => 10,
                    };
                }
                "encoding" => int.is_text = !value.text().eq_ignore_ascii_case("none"),
                "map" => {
                    int.clock = match value {
                        Value::Names(names) => names.get(1).cloned(),
                        _ => None,
                    };
                }
                // Others are for other programs.
                _ => {}
            }
            Ok(())
        })?;
        if int.bits == 0 {
            return self.error("an integer without a size");
        }
        if int.align == 0 {
            int.align = if int.bits.is_multiple_of(8) { 8 } else { 1 };
        }
        Ok(Class::Int(int))
    }

    /// The size of a number in bits.
    fn size(&self, value: &Value) -> Result<u8, MetadataError> {
        match *value {
            Value::Number(bits @ 1..=64) => Ok(u8::try_from(bits).unwrap_or(64)),
            _ => self.error(format!("a size of '{}' bits: 1 to 64 are possible", value.text())),
        }
    }

    /// An alignment in bits.
    fn align(&self, value: &Value) -> Result<u32, MetadataError> {
        let align = match *value {
            Value::Number(align) => u32::try_from(align).ok().filter(|it| it.is_power_of_two()),
            _ => None,
        };
        match align {
            Some(align) => Ok(align),
            None => {
                self.error(format!("an alignment of '{}' bits is not a power of two", value.text()))
            }
        }
    }

    fn float(&mut self) -> Result<Class, MetadataError> {
        let (mut exponent, mut mantissa, mut align, mut order) = (0, 0, 8, None);
        self.attributes(|parser, name, value| {
            match name {
                "exp_dig" => exponent = parser.size(value)?,
                "mant_dig" => mantissa = parser.size(value)?,
                "align" => align = parser.align(value)?,
                "byte_order" => order = parser.order(value)?,
                _ => {}
            }
            Ok(())
        })?;
        match exponent + mantissa {
            bits @ (16 | 32 | 64) => Ok(Class::Float(bits, align, order)),
            bits => self.error(format!(
                "a floating-point number of {bits} bits: 16, 32 and 64 are possible"
            )),
        }
    }

    fn string(&mut self) -> Result<Class, MetadataError> {
        if *self.peek()? == Token::Sign(b'{') {
            self.attributes(|_, _, _| Ok(()))?;
        }
        Ok(Class::Text(1))
    }

    /// The name of a structure, if it has one.
    pub fn tag(&mut self, of: &str) -> Result<Option<String>, MetadataError> {
        match self.peek()? {
            Token::Word(word) if **word != *"align" => {
                let name = format!("{of} {word}");
                self.take()?;
                Ok(Some(name))
            }
            _ => Ok(None),
        }
    }

    fn structure(&mut self) -> Result<(Class, Option<String>), MetadataError> {
        let name = self.tag("struct")?;
        if *self.peek()? != Token::Sign(b'{') {
            let Some(name) = name else { return self.error("a structure without members") };
            return Ok((self.type_named(&name)?, None));
        }
        let mut structure = StructClass { align: 1, members: Vec::new() };
        self.members(&mut |name, class| structure.members.push((name, class)))?;
        if self.has_word("align")? {
            self.expect(b'(')?;
            let align = Value::Number(self.number()?);
            structure.align = self.align(&align)?;
            self.expect(b')')?;
        }
        Ok((Class::Struct(Rc::new(structure)), name))
    }

    /// Members in braces.
    fn members(&mut self, add: &mut dyn FnMut(Rc<str>, Class)) -> Result<(), MetadataError> {
        self.expect(b'{')?;
        while !self.has(b'}')? {
            if self.type_definition()? {
                continue;
            }
            let class = self.type_specifier()?;
            if self.has(b';')? {
                // It gives a structure a name, and is not a member.
                continue;
            }
            loop {
                let (name, class, _) = self.declarator(class.clone())?;
                add(name.into(), class);
                if !self.has(b',')? {
                    break;
                }
            }
            self.expect(b';')?;
        }
        Ok(())
    }

    fn variant(&mut self) -> Result<(Class, Option<String>), MetadataError> {
        let name = self.tag("variant")?;
        let selector = if self.has(b'<')? {
            let path = self.path()?;
            self.expect(b'>')?;
            Some(path)
        } else {
            None
        };
        if *self.peek()? != Token::Sign(b'{') {
            let Some(name) = name else { return self.error("a variant without options") };
            let class = self.type_named(&name)?;
            return Ok((with_selector(class, selector), None));
        }
        let mut options = Vec::new();
        self.members(&mut |name, class| {
            options.push(OptionClass { name, ranges: None, class: Some(class) });
        })?;
        Ok((Class::Variant(selector, options.into()), name))
    }

    /// `typealias`, `typedef`, or nothing of these.
    pub fn type_definition(&mut self) -> Result<bool, MetadataError> {
        if self.has_word("typealias")? {
            let class = self.type_specifier()?;
            let (class, dimensions) = match self.peek()? {
                Token::Becomes => (class, 0),
                _ => {
                    let (_, class, dimensions) = self.declarator(class)?;
                    (class, dimensions)
                }
            };
            if *self.peek()? != Token::Becomes {
                return self.error(format!("':=' is missing before {}", self.format_token()));
            }
            self.take()?;
            let name = self.alias_name()?;
            self.expect(b';')?;
            self.name_type(name, class, dimensions);
            return Ok(true);
        }
        if self.has_word("typedef")? {
            let class = self.type_specifier()?;
            loop {
                let (name, class, dimensions) = self.declarator(class.clone())?;
                self.name_type(name, class, dimensions);
                if !self.has(b',')? {
                    break;
                }
            }
            self.expect(b';')?;
            return Ok(true);
        }
        Ok(false)
    }

    /// The name of an alias, which may be several words.
    fn alias_name(&mut self) -> Result<String, MetadataError> {
        let mut name = self.word()?.to_string();
        loop {
            match self.peek()? {
                Token::Word(word) => {
                    name.push(' ');
                    name.push_str(word);
                }
                Token::Sign(b'*') => name.push_str(" *"),
                _ => return Ok(name),
            }
            self.take()?;
        }
    }

    /// A name, perhaps with the dimensions of an array, and how many these are.
    fn declarator(&mut self, class: Class) -> Result<(String, Class, usize), MetadataError> {
        while self.has(b'*')? {}
        let name = match self.peek()? {
            Token::Word(_) => self.word()?.to_string(),
            _ => String::new(),
        };
        let mut dimensions = Vec::new();
        while self.has(b'[')? {
            dimensions.push(match self.peek()? {
                Token::Word(_) => Dimension::Field(self.path()?),
                _ => {
                    let count = self.number()?;
                    let Ok(count) = u64::try_from(count) else {
                        return self.error(format!("an array of {count} elements"));
                    };
                    Dimension::Count(count)
                }
            });
            self.expect(b']')?;
            self.add_dimensions(dimensions.len())?;
        }
        let count = dimensions.len();
        let class = dimensions.into_iter().rev().fold(class, |class, dimension| match dimension {
            Dimension::Count(count) => Class::Array(Rc::new(class), count, 1),
            Dimension::Field(path) => Class::Sequence(Rc::new(class), path, 1),
        });
        Ok((name, class, count))
    }
}

fn with_selector(class: Class, selector: Option<Path>) -> Class {
    match class {
        Class::Variant(former, options) => Class::Variant(selector.or(former), options),
        other => other,
    }
}
