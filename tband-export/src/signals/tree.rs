//! Signals in their scopes, in the order in which files name them.

use super::catalog::Catalog;
use super::source::Source;

/// A step through all scopes.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A scope begins.
    Scope(&'a str),
    /// The innermost scope ends.
    Up,
    /// A signal in the innermost scope, with its number and name.
    Signal(u32, Source, &'a str),
}

impl Catalog {
    /// All scopes and signals; all scopes are left in the end.
    pub fn tree(&self) -> Vec<Step<'_>> {
        let mut steps = Vec::new();
        let mut open: &[String] = &[];
        for (signal, source, path) in self.signals() {
            let scopes = path.scopes.as_slice();
            let common = open.iter().zip(scopes).take_while(|(one, other)| one == other).count();
            steps.extend(open.iter().skip(common).map(|_| Step::Up));
            steps.extend(scopes.iter().skip(common).map(|scope| Step::Scope(scope)));
            steps.push(Step::Signal(signal, source, &path.name));
            open = scopes;
        }
        steps.extend(open.iter().map(|_| Step::Up));
        steps
    }
}
