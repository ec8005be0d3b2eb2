//! C's `printf` for arguments of records.
//!
//! Where a format and its argument disagree, which compilers reject, the argument is shown in its default form.

use std::str::Utf8Chunk;

use super::values::Argument;
use crate::number::Number;

/// Maximum of widths and precisions; larger ones are damage, or would not be readable.
const MOST: usize = 4096;

/// A conversion, as `%-8.3lu`.
#[derive(Clone, Copy, Debug, Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// Bits that are left of an integer; 0 if all are.
    bits: u32,
    kind: u8,
}

/// Returns the output of a format with its arguments, and the arguments that have a name in the format: `name=%d`.
pub(super) fn print<'f>(
    format: &'f [u8],
    arguments: &[Argument],
) -> (Vec<u8>, Vec<(&'f str, usize)>) {
    let mut out = Vec::new();
    let mut named = Vec::new();
    let mut next = 0;
    let mut at = 0;
    while let Some(byte) = format.get(at) {
        if *byte != b'%' {
            out.push(*byte);
            at += 1;
            continue;
        }
        let (spec, end) = read(format, at + 1, arguments, &mut next);
        let Some(spec) = spec else {
            // It is not a conversion, so it is copied unchanged.
            out.extend_from_slice(format.get(at..end).unwrap_or_default());
            at = end;
            continue;
        };
        if spec.kind == b'%' {
            out.push(b'%');
        } else if let Some(argument) = arguments.get(next) {
            named.extend(name_before(format, at).map(|name| (name, next)));
            next += 1;
            spec.print(argument, &mut out);
        } else {
            // The record had no room for it.
            next += 1;
            out.extend_from_slice("…".as_bytes());
        }
        at = end;
    }
    (out, named)
}

/// Returns the name in front of a conversion and a `=`. If a name has letters other than those of ASCII, the part after them
/// does not count as a name.
fn name_before(format: &[u8], at: usize) -> Option<&str> {
    let before = format.get(..at)?.strip_suffix(b"=")?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let len = before.iter().rev().take_while(|byte| is_part(byte)).count();
    let (rest, name) = before.split_at_checked(before.len() - len)?;
    // As much as a character has.
    let last = rest.get(rest.len().saturating_sub(4)..)?.utf8_chunks().last();
    let is_in_word =
        |it: Utf8Chunk<'_>| it.invalid().is_empty() && it.valid().ends_with(char::is_alphanumeric);
    if last.is_some_and(is_in_word) {
        return None;
    }
    let name = str::from_utf8(name).ok()?;
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_').then_some(name)
}

/// Reads a conversion after its `%`, and where it ends. `*` takes an argument.
fn read(
    format: &[u8],
    mut at: usize,
    arguments: &[Argument],
    next: &mut usize,
) -> (Option<Conversion>, usize) {
    let mut spec = Conversion::default();
    while let Some(flag) = format.get(at) {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternative = true,
            b'0' => spec.zeros = true,
            b'\'' => {}
            _ => break,
        }
        at += 1;
    }
    let width = number(format, &mut at, arguments, next);
    spec.left |= width < 0;
    spec.width = usize::try_from(width.unsigned_abs()).unwrap_or(MOST).min(MOST);
    if format.get(at) == Some(&b'.') {
        at += 1;
        let precision = number(format, &mut at, arguments, next);
        // A negative one counts as missing.
        spec.precision = usize::try_from(precision).ok().map(|it| it.min(MOST));
    }
    while let Some(modifier) = format.get(at) {
        match modifier {
            b'h' if spec.bits == 16 => spec.bits = 8,
            b'h' => spec.bits = 16,
            b'l' | b'j' | b'z' | b't' | b'L' | b'q' => {}
            _ => break,
        }
        at += 1;
    }
    let kind = format.get(at).copied().unwrap_or(0);
    spec.kind = kind;
    let is_known = b"diouxXcsfFeEgGaAp%".contains(&kind);
    (is_known.then_some(spec), (at + usize::from(is_known)).min(format.len()))
}

/// Reads digits, or the argument of a `*`; 0 if there is none.
fn number(format: &[u8], at: &mut usize, arguments: &[Argument], next: &mut usize) -> i64 {
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        let value = arguments.get(*next).and_then(|it| it.integer());
        *next += 1;
        return value.map_or(0, |(value, _)| value as i32).into();
    }
    let mut value = 0_i64;
    while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add((digit - b'0').into());
        *at += 1;
    }
    value
}

impl Argument {
    /// The number that C would promote an integer to, and its bits.
    pub(super) fn integer(&self) -> Option<(i128, u32)> {
        Some(match *self {
            Self::Bool(value) => (value.into(), 32),
            Self::Char(value) => (value.into(), 32),
            Self::Signed(value, bits) => (value.into(), bits.max(32)),
            Self::Unsigned(value, bits) => (value.into(), bits.max(32)),
            Self::Constant(value) | Self::Named(value, _) => (value.into(), 32),
            _ => return None,
        })
    }

    /// Its value, if it is a number.
    pub(super) fn number(&self) -> Option<Number> {
        match *self {
            Self::Float(value) => Some(Number::Real(value.into())),
            Self::Double(value) => Some(Number::Real(value)),
            _ => self.integer().map(|(value, _)| Number::from_integer(value)),
        }
    }

    /// Returns the argument in its default form.
    pub(super) fn default_form(&self) -> Vec<u8> {
        match self {
            Self::Bool(value) => value.to_string().into_bytes(),
            Self::Char(value) => vec![value.cast_unsigned()],
            Self::Signed(value, _) => value.to_string().into_bytes(),
            Self::Unsigned(value, _) => value.to_string().into_bytes(),
            Self::Float(value) => value.to_string().into_bytes(),
            Self::Double(value) => value.to_string().into_bytes(),
            Self::Pointer(0) | Self::Function(0) => b"NULL".to_vec(),
            Self::Pointer(value) | Self::Function(value) => format!("0x{value:x}").into_bytes(),
            Self::Symbol(_, name) | Self::Named(_, name) => name.clone().into_bytes(),
            Self::Constant(value) => value.to_string().into_bytes(),
            Self::Text(text, is_whole) => [text, cut(*is_whole)].concat(),
            Self::Memory(memory, is_whole) => {
                let bytes: Vec<_> = memory.iter().map(|byte| format!("{byte:02x}")).collect();
                [bytes.join(" ").as_bytes(), cut(*is_whole)].concat()
            }
        }
    }
}

/// Returns the mark of a cut argument.
const fn cut(is_whole: bool) -> &'static [u8] {
    if is_whole { b"" } else { "…".as_bytes() }
}

impl Conversion {
    fn print(&self, argument: &Argument, out: &mut Vec<u8>) {
        match (self.kind, argument, argument.integer()) {
            (b'c', _, Some((value, _))) => {
                self.padded(out, (b"", &[value as u8]), false);
            }
            (b'd' | b'i' | b'u' | b'o' | b'x' | b'X', _, Some((value, bits))) => {
                self.integer(out, value, if self.bits > 0 { self.bits } else { bits });
            }
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', Argument::Float(value), _) => {
                self.float(out, (*value).into());
            }
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', Argument::Double(value), _) => {
                self.float(out, *value);
            }
            (b's', Argument::Text(text, is_whole), _) => {
                let len = self.precision.unwrap_or(usize::MAX);
                let text = match text.get(..len) {
                    Some(text) => text.to_vec(),
                    None => [text, cut(*is_whole)].concat(),
                };
                self.padded(out, (b"", &text), false);
            }
            _ => self.padded(out, (b"", &argument.default_form()), false),
        }
    }

    /// Sign or prefix and digits, with spaces around them, or zeros between them.
    fn padded(&self, out: &mut Vec<u8>, (prefix, digits): (&[u8], &[u8]), zeros: bool) {
        let missing = self.width.saturating_sub(prefix.len() + digits.len());
        let fill = |out: &mut Vec<u8>, with| out.resize(out.len() + missing, with);
        let with_zeros = zeros && self.zeros && !self.left;
        if !self.left && !with_zeros {
            fill(out, b' ');
        }
        out.extend_from_slice(prefix);
        if with_zeros {
            fill(out, b'0');
        }
        out.extend_from_slice(digits);
        if self.left {
            fill(out, b' ');
        }
    }

    const fn sign(&self, is_negative: bool) -> &'static [u8] {
        match (is_negative, self.plus, self.space) {
            (true, ..) => b"-",
            (_, true, _) => b"+",
            (_, _, true) => b" ",
            _ => b"",
        }
    }

    fn integer(&self, out: &mut Vec<u8>, value: i128, bits: u32) {
        let unsigned = value as u64 & (u64::MAX >> (64 - bits));
        let is_signed = matches!(self.kind, b'd' | b'i');
        let signed = (unsigned << (64 - bits)).cast_signed() >> (64 - bits);
        let mut digits = match self.kind {
            b'o' => format!("{unsigned:o}"),
            b'x' => format!("{unsigned:x}"),
            b'X' => format!("{unsigned:X}"),
            _ if is_signed => signed.unsigned_abs().to_string(),
            _ => unsigned.to_string(),
        };
        if unsigned == 0 && self.precision == Some(0) {
            digits.clear();
        }
        let mut least = self.precision.unwrap_or(0);
        if self.kind == b'o' && self.alternative && !digits.starts_with('0') {
            least = least.max(digits.len() + 1);
        }
        let digits = format!("{digits:0>least$}");
        let prefix: &[u8] = match self.kind {
            _ if is_signed => self.sign(signed < 0),
            b'x' if self.alternative && unsigned != 0 => b"0x",
            b'X' if self.alternative && unsigned != 0 => b"0X",
            _ => b"",
        };
        self.padded(out, (prefix, digits.as_bytes()), self.precision.is_none());
    }

    fn float(&self, out: &mut Vec<u8>, value: f64) {
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        let is_upper = self.kind.is_ascii_uppercase();
        let mut digits = match self.kind.to_ascii_lowercase() {
            _ if !value.is_finite() => (if value.is_nan() { "nan" } else { "inf" }).to_owned(),
            b'f' => self.fixed(magnitude, self.precision.unwrap_or(6)),
            b'e' => self.exponential(magnitude, self.precision.unwrap_or(6)),
            b'g' => self.general(magnitude),
            _ => self.hexadecimal(magnitude),
        };
        if is_upper {
            digits.make_ascii_uppercase();
        }
        let (mut prefix, mut digits) = (sign.to_vec(), digits.as_str());
        if matches!(self.kind, b'a' | b'A') && value.is_finite() {
            let (of_hex, rest) = digits.split_at(2);
            prefix.extend_from_slice(of_hex.as_bytes());
            digits = rest;
        }
        self.padded(out, (&prefix, digits.as_bytes()), value.is_finite());
    }

    fn fixed(&self, magnitude: f64, precision: usize) -> String {
        let point = if precision == 0 && self.alternative { "." } else { "" };
        format!("{magnitude:.precision$}{point}")
    }

    fn exponential(&self, magnitude: f64, precision: usize) -> String {
        let text = format!("{magnitude:.precision$e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let point = if precision == 0 && self.alternative { "." } else { "" };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}{point}e{sign}{:02}", exponent.unsigned_abs())
    }

    /// Formats the shorter of both forms, with this many digits.
    fn general(&self, magnitude: f64) -> String {
        let digits = self.precision.unwrap_or(6).max(1);
        let text = format!("{magnitude:.0$e}", digits - 1);
        let exponent: i64 = text.split_once('e').and_then(|(_, it)| it.parse().ok()).unwrap_or(0);
        let is_fixed = exponent >= -4 && exponent < digits as i64;
        let text = if is_fixed {
            let places = usize::try_from(digits as i64 - 1 - exponent).unwrap_or(0);
            self.fixed(magnitude, places)
        } else {
            self.exponential(magnitude, digits - 1)
        };
        if self.alternative {
            return text;
        }
        let (number, exponent) = text.find('e').map_or((&*text, ""), |at| text.split_at(at));
        let number = match number.contains('.') {
            true => number.trim_end_matches('0').trim_end_matches('.'),
            false => number,
        };
        format!("{number}{exponent}")
    }

    /// glibc's format: one digit in front of the point, which is 1 except for zero and subnormal numbers.
    fn hexadecimal(&self, magnitude: f64) -> String {
        const DIGITS: usize = 13;
        let bits = magnitude.to_bits();
        let (mut mantissa, field) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
        let exponent = match (field, mantissa) {
            (0, 0) => 0,
            (0, _) => -1022,
            _ => field - 1023,
        };
        if field > 0 {
            mantissa |= 1 << 52;
        }
        let places = self.precision.map_or(DIGITS, |it| it.min(DIGITS));
        let dropped = 4 * (DIGITS - places) as u32;
        let (kept, rest) = (mantissa >> dropped, mantissa & ((1 << dropped) - 1));
        let half = if dropped == 0 { u64::MAX } else { 1 << (dropped - 1) };
        let is_up = rest > half || (rest == half && kept & 1 == 1);
        let kept = kept + u64::from(is_up);
        let whole = kept >> (4 * places);
        let fraction = kept & ((1 << (4 * places)) - 1);
        let mut fraction =
            if places == 0 { String::new() } else { format!("{fraction:0places$x}") };
        match self.precision {
            None => fraction.truncate(fraction.trim_end_matches('0').len()),
            Some(precision) => fraction = format!("{fraction:0<precision$}"),
        }
        let point = if fraction.is_empty() && !self.alternative { "" } else { "." };
        format!("0x{whole:x}{point}{fraction}p{exponent:+}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(format: &str, arguments: &[Argument]) -> String {
        String::from_utf8(print(format.as_bytes(), arguments).0).expect("text")
    }

    /// Formats that compilers reject, and that no target sends.
    #[test]
    fn formats_mismatched_arguments_by_their_type() {
        let number = [Argument::Signed(-5, 32)];
        let text = [Argument::Text(b"abc".to_vec(), true)];
        for (format, arguments, expected) in [
            ("%s", &number[..], "-5"),
            ("%d", &text, "abc"),
            ("%f", &number, "-5"),
            ("%d", &[Argument::Double(1.5)], "1.5"),
            ("%p", &[Argument::Pointer(0x1234)], "0x1234"),
            ("%p", &[Argument::Pointer(0)], "NULL"),
            ("%p", &[Argument::Symbol(1, "table+1".to_owned())], "table+1"),
            ("%10p|", &[Argument::Pointer(0x1234)], "    0x1234|"),
            ("%d", &[Argument::Bool(true)], "1"),
            ("%s", &[Argument::Bool(true)], "true"),
            ("%d %d", &number, "-5 …"),
            ("%", &number, "%"),
            ("%-", &number, "%-"),
            ("%n|%k|%ls", &text, "%n|%k|abc"),
            ("%*d|", &[text[0].clone(), number[0].clone()], "-5|"),
            ("%*d", &number, "…"),
            (
                "%hd %hhd",
                &[Argument::Signed(0x1_8000, 32), Argument::Signed(0x180, 32)],
                "-32768 -128",
            ),
            ("%u", &number, "4294967291"),
            ("%.2s|", &[Argument::Text(b"abc".to_vec(), false)], "ab|"),
            ("%s|", &[Argument::Text(b"abc".to_vec(), false)], "abc…|"),
            // Here glibc is wrong.
            ("%#g", &[Argument::Double(999_999.5)], "1.00000e+06"),
            ("%.0a %.1a", &[Argument::Double(1.5), Argument::Double(1.96875)], "0x2p+0 0x2.0p+0"),
        ] {
            assert_eq!(printed(format, arguments), expected, "{format}");
        }
    }

    #[test]
    fn limits_large_widths() {
        let number = [Argument::Signed(i64::MAX, 64)];
        for format in [
            "%99999999999999999999d",
            "%.99999999999999999999d",
            "%.99999999999f",
            "%-0+9999999999d",
        ] {
            assert!(printed(format, &number).len() <= 2 * MOST, "{format}");
            assert!(printed(format, &[Argument::Double(f64::MAX)]).len() <= 2 * MOST, "{format}");
        }
        let widths = [
            Argument::Signed(i64::MIN, 64),
            Argument::Signed(i32::MIN.into(), 32),
            number[0].clone(),
        ];
        assert!(printed("%*.*d", &widths).len() <= 2 * MOST);
    }

    #[test]
    fn numbers_have_the_names_before_them() {
        let numbers = [Argument::Signed(1, 32), Argument::Signed(2, 32), Argument::Signed(3, 32)];
        let named = |format: &'static str| print(format.as_bytes(), &numbers).1;
        assert_eq!(named("speed=%d, a.b_1=%d %d"), [("speed", 0), ("a.b_1", 1)]);
        assert_eq!(named("=%d 1x=%d ä=%d"), []);
        // The end of a name would be another counter's.
        assert_eq!(named("größe=%d äb=%d 日本x=%d"), []);
        assert_eq!(named("→x=%d °y=%d ß z=%d"), [("x", 0), ("y", 1), ("z", 2)]);
        assert_eq!(named("w=%*d x=%%y=%d"), [("w", 1), ("y", 2)]);
    }
}
