//! Macros, and their replacement in an expression.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::Token;

/// Macros whose bodies have others are followed so far.
const MAX_DEPTH: usize = 30;
/// A longer replacement is not a condition that was written by hand.
const MAX_TOKENS: usize = 20_000;

/// A macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Macro {
    /// Of one that takes arguments.
    pub parameters: Option<Vec<String>>,
    pub body: Vec<Token>,
    /// File and line of its definition.
    pub place: (String, usize),
}

/// A name that was defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    Macro(Macro),
    /// It has one of several values, or none.
    Unsure,
}

pub type Macros = BTreeMap<String, Definition>;

/// Replaces macros until there are none.
pub struct Expansion<'m> {
    macros: &'m Macros,
    /// Macros that are being replaced, which are not replaced again.
    open: BTreeSet<String>,
    produced: usize,
}

impl<'m> Expansion<'m> {
    pub fn new(macros: &'m Macros) -> Self {
        Self { macros, open: BTreeSet::new(), produced: 0 }
    }

    pub fn expand(&mut self, tokens: &[Token]) -> Vec<Token> {
        let (mut out, mut rest) = (Vec::new(), tokens);
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            self.produced += 1;
            if self.produced > MAX_TOKENS || self.open.len() > MAX_DEPTH {
                return vec![Token::Unsure];
            }
            let Token::Name(name) = first else {
                out.push(first.clone());
                continue;
            };
            let definition = self.macros.get(name).filter(|_| !self.open.contains(name));
            let found = match definition {
                None => {
                    out.push(first.clone());
                    continue;
                }
                Some(Definition::Unsure) => {
                    out.push(Token::Unsure);
                    continue;
                }
                Some(Definition::Macro(found)) => found,
            };
            let body = match &found.parameters {
                None => pasted(&found.body),
                Some(parameters) => {
                    let Some((arguments, after)) = arguments(rest) else {
                        // A parenthesis that is not closed was searched for its end.
                        if rest.first().is_some_and(|it| it.is("(")) {
                            self.produced += rest.len();
                        }
                        out.push(first.clone());
                        continue;
                    };
                    rest = after;
                    self.with_arguments(found, parameters, &arguments)
                }
            };
            self.open.insert(name.clone());
            out.extend(self.expand(&body));
            self.open.remove(name);
        }
        out
    }

    /// Returns a body with arguments in place of its parameters. Those next to `##` are not expanded before.
    fn with_arguments(
        &mut self,
        found: &Macro,
        parameters: &[String],
        arguments: &[&[Token]],
    ) -> Vec<Token> {
        // Of two parameters of a name the first one counts.
        let indices: BTreeMap<&str, usize> =
            parameters.iter().enumerate().rev().map(|(at, it)| (it.as_str(), at)).collect();
        let mut out = Vec::new();
        for (at, token) in found.body.iter().enumerate() {
            let index = match token {
                Token::Name(name) => indices.get(name.as_str()).copied(),
                _ => None,
            };
            let Some(index) = index else {
                out.push(token.clone());
                continue;
            };
            let argument = arguments.get(index).copied().unwrap_or_default();
            let is_paste = |at: Option<usize>| {
                at.and_then(|at| found.body.get(at)).is_some_and(|it| it.is("##"))
            };
            if is_paste(at.checked_sub(1)) || is_paste(at.checked_add(1)) {
                self.produced += argument.len();
                if self.produced > MAX_TOKENS {
                    return vec![Token::Unsure];
                }
                out.extend_from_slice(argument);
            } else {
                out.extend(self.expand(argument));
            }
        }
        pasted(&out)
    }
}

/// Joins names on both sides of `##`.
fn pasted(tokens: &[Token]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut rest = tokens.iter();
    while let Some(token) = rest.next() {
        if !token.is("##") {
            out.push(token.clone());
            continue;
        }
        let joined = match (out.pop(), rest.next()) {
            (Some(Token::Name(left)), Some(Token::Name(right))) => Token::Name(left + right),
            (Some(Token::Name(left)), Some(Token::Number(right))) => {
                Token::Name(left + &right.to_string())
            }
            _ => Token::Unsure,
        };
        out.push(joined);
    }
    out
}

/// Splits the arguments from what follows them; `None` if there are none in parentheses.
fn arguments(tokens: &[Token]) -> Option<(Vec<&[Token]>, &[Token])> {
    let (first, inside) = tokens.split_first()?;
    if !first.is("(") {
        return None;
    }
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, token) in inside.iter().enumerate() {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") && depth > 0 {
            depth -= 1;
        } else if token.is(")") || (token.is(",") && depth == 0) {
            found.push(inside.get(start..at)?);
            start = at + 1;
            if token.is(")") {
                return Some((found, inside.get(start..)?));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;
    use crate::syntax::steps;

    #[test]
    fn names_are_joined_one_after_another() {
        let joined = |text: &str| pasted(&tokens(text));
        assert_eq!(joined("a ## b ## 1 + c"), tokens("ab1 + c"));
        assert_eq!(joined("a ## + ##"), [Token::Unsure]);
        let pairs: String = "a ## 1 + ".repeat(100);
        assert_eq!(joined(&pairs).len(), 200);
        steps::assert_linear(|size| {
            joined(&"a ## 1 + ".repeat(size));
        });
    }

    #[test]
    fn parentheses_that_are_not_closed_end_the_expansion() {
        let body =
            Macro { parameters: Some(Vec::new()), body: Vec::new(), place: Default::default() };
        let macros = Macros::from([("F".to_owned(), Definition::Macro(body))]);
        let open = tokens(&"F(".repeat(MAX_TOKENS / 10));
        assert_eq!(Expansion::new(&macros).expand(&open), [Token::Unsure]);
        assert_eq!(Expansion::new(&macros).expand(&tokens("F(")), tokens("F("));
        assert_eq!(Expansion::new(&macros).expand(&tokens("F() F")), tokens("F"));
    }
}
