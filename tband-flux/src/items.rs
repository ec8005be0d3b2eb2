//! The state of the items of a trace.

use crate::encoding::sample;
use crate::error::Error;

/// State of an item. The caller provides the memory; its previous contents are ignored.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Item {
    parent: u16,
    kind: u8,
    is_known: u8,
}

/// Value for a scope, in place of a signal's type.
const SCOPE: u8 = 0;

/// The items of a trace, by their numbers; without memory no state is stored.
#[derive(Debug)]
pub struct Items<'m>(pub &'m mut [Item]);

impl Items<'_> {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.fill(Item::default());
    }

    fn known(&self, item: u32) -> Option<&Item> {
        self.0.get(item as usize).filter(|it| it.is_known != 0)
    }

    /// Returns whether it can contain items: a scope, or the root.
    pub fn is_scope(&self, item: u32) -> bool {
        self.0.is_empty() || item == 0 || self.known(item).is_some_and(|it| it.kind == SCOPE)
    }

    /// Returns whether it may be opened.
    pub fn may_open(&self, item: u32) -> bool {
        item == 0 || self.known(item).is_some()
    }

    /// Checks whether it can be defined in this scope.
    #[inline(never)]
    pub fn may_define(&self, item: u32, parent: u32) -> Result<(), Error> {
        let is_new = self.0.is_empty() || self.known(item).is_none();
        if is_new && self.is_scope(parent) { Ok(()) } else { Err(Error::State) }
    }

    /// Defines it as a signal of a type, or as a scope.
    pub fn define(&mut self, item: u32, parent: u32, signal: Option<u8>) {
        if let Some(place) = self.0.get_mut(item as usize) {
            let kind = signal.unwrap_or(SCOPE);
            *place = Item { parent: parent as u16, kind, is_known: 1 };
        }
    }

    /// Checks whether it is a signal with data of this type.
    #[inline(never)]
    pub fn check_kind(&self, item: u32, kind: u8) -> Result<(), Error> {
        match self.known(item) {
            Some(it) if it.kind == kind && it.kind != SCOPE => Ok(()),
            Some(_) => Err(Error::Kind),
            None if self.0.is_empty() => Ok(()),
            None => Err(Error::State),
        }
    }

    /// Checks whether it is a signal of any type.
    pub fn check_signal(&self, item: u32) -> Result<(), Error> {
        const KINDS: [u8; 6] = [
            sample::EVENT,
            sample::INTEGER,
            sample::FLOAT,
            sample::TEXT,
            sample::BINARY,
            sample::STRUCT,
        ];
        let is_signal = |kind: &u8| self.check_kind(item, *kind).is_ok();
        if KINDS.iter().any(is_signal) { Ok(()) } else { Err(Error::State) }
    }

    /// Returns whether an item equals another one, or is inside it. An item is defined after its scope, so the loop
    /// ends; it is also bounded by the number of items.
    #[inline(never)]
    pub fn is_below(&self, item: u32, scope: u32) -> bool {
        let mut at = item;
        for _ in 0..=self.0.len() {
            if at == scope {
                return true;
            }
            match self.known(at) {
                Some(it) if at != 0 => at = it.parent.into(),
                _ => break,
            }
        }
        // All items are below the root, including unknown ones.
        scope == 0
    }
}
