//! Expressions of `#if`, some of whose operands may not be known.

use super::tokens::{Token, tokens};

/// A value; `None` if it is not known.
pub type Value = Option<i64>;

/// Parentheses and unary operators are nested so far.
const MAX_DEPTH: usize = 100;

/// Operators of two operands, by their precedence, the weakest first.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// It is not an expression.
struct Malformed;

struct Parser<'t> {
    tokens: &'t [Token],
    /// Names that are no macros: their values.
    name: &'t dyn Fn(&str) -> Value,
}

/// Returns the value of an expression whose macros were replaced. One that a compiler refuses is 0, as it is for the compiler after
/// its message. `name`: the value of a name that is not a macro.
pub fn evaluate(tokens: &[Token], name: &dyn Fn(&str) -> Value) -> Value {
    let mut parser = Parser { tokens, name };
    match parser.conditional(0) {
        Ok(value) if parser.tokens.is_empty() => value,
        _ if tokens.contains(&Token::Unsure) => None,
        _ => Some(0),
    }
}

/// Returns the value of an expression in C; `None` if it is not known, or the text is not an expression of integers. Casts do
/// not change values. `name`: the value of a name.
pub fn constant(text: &str, name: &dyn Fn(&str) -> Value) -> Value {
    let tokens = without_casts(&tokens(text));
    let mut parser = Parser { tokens: &tokens, name };
    parser.conditional(0).ok().flatten().filter(|_| parser.tokens.is_empty())
}

/// Leaves out names in parentheses that an operand follows.
fn without_casts(tokens: &[Token]) -> Vec<Token> {
    let (mut out, mut rest) = (Vec::new(), tokens);
    while let Some((first, after)) = rest.split_first() {
        rest = cast_end(rest).unwrap_or_else(|| {
            out.push(first.clone());
            after
        });
    }
    out
}

/// Returns the tokens after a cast, such as `(unsigned long)`, at the beginning.
fn cast_end(tokens: &[Token]) -> Option<&[Token]> {
    let (_, inside) = tokens.split_first().filter(|it| it.0.is("("))?;
    let len = inside.iter().take_while(|it| matches!(it, Token::Name(_))).count();
    let (_, after) = inside.get(len..)?.split_first().filter(|it| len > 0 && it.0.is(")"))?;
    let is_operand = |it: &Token| matches!(it, Token::Name(_) | Token::Number(_)) || it.is("(");
    after.first().is_some_and(is_operand).then_some(after)
}

impl Parser<'_> {
    fn take(&mut self, wanted: &[&'static str]) -> Option<&'static str> {
        let Some((Token::Punctuator(first), rest)) = self.tokens.split_first() else { return None };
        let found = wanted.iter().find(|it| *it == first).copied()?;
        self.tokens = rest;
        Some(found)
    }

    fn conditional(&mut self, depth: usize) -> Result<Value, Malformed> {
        let condition = self.binary(0, depth)?;
        if self.take(&["?"]).is_none() {
            return Ok(condition);
        }
        if depth > MAX_DEPTH {
            return Err(Malformed);
        }
        let then = self.conditional(depth + 1)?;
        self.take(&[":"]).ok_or(Malformed)?;
        let otherwise = self.conditional(depth + 1)?;
        Ok(condition.and_then(|it| if it != 0 { then } else { otherwise }))
    }

    fn binary(&mut self, level: usize, depth: usize) -> Result<Value, Malformed> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary(depth) };
        let mut left = self.binary(level + 1, depth)?;
        while let Some(operator) = self.take(operators) {
            let right = self.binary(level + 1, depth)?;
            left = apply(operator, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Result<Value, Malformed> {
        if depth > MAX_DEPTH {
            return Err(Malformed);
        }
        if let Some(operator) = self.take(&["!", "-", "+", "~"]) {
            let value = self.unary(depth + 1)?;
            return Ok(value.map(|it| match operator {
                "!" => i64::from(it == 0),
                "-" => it.wrapping_neg(),
                "~" => !it,
                _ => it,
            }));
        }
        if self.take(&["("]).is_some() {
            let value = self.conditional(depth + 1)?;
            self.take(&[")"]).ok_or(Malformed)?;
            return Ok(value);
        }
        let (first, rest) = self.tokens.split_first().ok_or(Malformed)?;
        let value = match first {
            Token::Number(value) => Some(*value),
            Token::Name(name) => (self.name)(name),
            Token::Unsure => None,
            Token::Punctuator(_) | Token::Text(_) | Token::Other => return Err(Malformed),
        };
        self.tokens = rest;
        Ok(value)
    }
}

fn apply(operator: &str, left: Value, right: Value) -> Value {
    match operator {
        "||" if left.is_some_and(|it| it != 0) || right.is_some_and(|it| it != 0) => {
            return Some(1);
        }
        "&&" if left == Some(0) || right == Some(0) => return Some(0),
        _ => {}
    }
    let (left, right) = (left?, right?);
    let truth = |it: bool| Some(i64::from(it));
    match operator {
        "||" => Some(0),
        "&&" => Some(1),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "==" => truth(left == right),
        "!=" => truth(left != right),
        "<=" => truth(left <= right),
        ">=" => truth(left >= right),
        "<" => truth(left < right),
        ">" => truth(left > right),
        "<<" => Some(left.wrapping_shl((right & 63) as u32)),
        ">>" => Some(left.wrapping_shr((right & 63) as u32)),
        "+" => Some(left.wrapping_add(right)),
        "-" => Some(left.wrapping_sub(right)),
        "*" => Some(left.wrapping_mul(right)),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn value(text: &str) -> Value {
        // Names that begin with U are not known.
        evaluate(&tokens(text), &|name| if name.starts_with('U') { None } else { Some(0) })
    }

    #[test]
    fn expressions_have_the_values_of_c() {
        for (text, expected) in [
            ("1 + 2 * 3 == 7 && !x", 1),
            ("(1 - - 1) == 2", 1),
            ("10 / 3 % 2 << 3", 8),
            ("1 ? 2 ? 3 : 4 : 5", 3),
            ("~0 & 0xFF", 255),
            ("-1 < 0 || y", 1),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        // A compiler reports these, and takes them for false.
        for text in ["1;", "", "(1", "1 +", "1 2", "\"a\" == 1"] {
            assert_eq!(value(text), Some(0), "{text}");
        }
    }

    #[test]
    fn constants_have_casts() {
        let names = |name: &str| (name == "zero").then_some(0);
        for (text, expected) in [
            ("0x0", Some(0)),
            ("( ( uint32_t ) 0U )", Some(0)),
            ("(unsigned long)(1 - 1)", Some(0)),
            ("((BaseType_t)zero) + 1", Some(1)),
            ("(zero)", Some(0)),
            ("(zero) - 1", Some(-1)),
            ("other", None),
            ("", None),
            ("1 2", None),
            ("\"a\"", None),
        ] {
            assert_eq!(constant(text, &names), expected, "{text}");
        }
    }

    #[test]
    fn operands_that_are_not_known_may_not_matter() {
        for text in ["U || 1", "1 || U"] {
            assert_eq!(value(text), Some(1), "{text}");
        }
        assert_eq!(value("U && 0"), Some(0));
        for text in ["U", "!U", "U + 1", "U || 0", "U && 1", "U ? 1 : 1", "1 / 0"] {
            assert_eq!(value(text), None, "{text}");
        }
        let deep = "(".repeat(100_000);
        assert_eq!(value(&deep), Some(0));
        assert_eq!(value(&"!".repeat(100_000)), Some(0));
    }
}
