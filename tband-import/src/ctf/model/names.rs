//! What fields are called, for those that refer to them.

use std::rc::Rc;

use super::class::{Labels, Path, Scope};

/// A number that others refer to.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub slot: u32,
    pub is_signed: bool,
    pub labels: Option<Rc<Labels>>,
}

/// A thing that has a name.
#[derive(Clone, Debug)]
pub enum Node {
    Leaf(Leaf),
    Struct(Vec<(Rc<str>, Node)>),
}

type Members = Vec<(Rc<str>, Node)>;

/// The names of the scopes so far.
#[derive(Debug, Default)]
pub struct Names {
    /// Scopes that are complete, and their members.
    scopes: Vec<(Scope, Members)>,
    scope: Option<Scope>,
    /// Structures that are being read, the innermost last.
    frames: Vec<Members>,
    /// The members of the structure that was closed last.
    closed: Members,
}

impl Names {
    /// A scope begins: it, and all that come after it, are forgotten.
    pub fn begin(&mut self, scope: Scope) {
        self.scopes.retain(|(it, _)| *it < scope);
        self.scope = Some(scope);
        self.frames.clear();
        self.closed.clear();
    }

    /// The scope ends with the structure that was closed last.
    pub fn end(&mut self) {
        if let Some(scope) = self.scope.take() {
            self.scopes.push((scope, std::mem::take(&mut self.closed)));
        }
    }

    /// A structure begins.
    pub fn open(&mut self) {
        self.frames.push(Vec::new());
    }

    /// A member is complete.
    pub fn add(&mut self, name: &Rc<str>, node: Option<Node>) {
        let node = match node {
            Some(Node::Struct(_)) => Some(Node::Struct(std::mem::take(&mut self.closed))),
            node => node,
        };
        if let (Some(frame), Some(node)) = (self.frames.last_mut(), node) {
            frame.push((Rc::clone(name), node));
        }
    }

    /// The structure ends.
    pub fn close(&mut self) {
        self.closed = self.frames.pop().unwrap_or_default();
    }

    /// The number at a path, if it comes before.
    pub fn find(&self, path: &Path) -> Option<Leaf> {
        let names = path.names.as_slice();
        match path.scope {
            Some(scope) if Some(scope) == self.scope => descend(self.frames.first()?, names),
            Some(scope) => {
                let (_, members) = self.scopes.iter().find(|(it, _)| *it == scope)?;
                descend(members, names)
            }
            None => {
                let around = self.frames.iter().rev();
                let before = self.scopes.iter().rev().map(|(_, members)| members);
                around.chain(before).find_map(|members| descend(members, names))
            }
        }
    }
}

fn descend(members: &[(Rc<str>, Node)], names: &[Rc<str>]) -> Option<Leaf> {
    let (first, rest) = names.split_first()?;
    // The last of a name is the nearest.
    let (_, node) = members.iter().rev().find(|(name, _)| name == first)?;
    match node {
        Node::Leaf(leaf) if rest.is_empty() => Some(leaf.clone()),
        Node::Leaf(_) => None,
        Node::Struct(members) => descend(members, rest),
    }
}
