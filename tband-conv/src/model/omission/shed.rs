//! Events that the target sheds when packets run out: classes in an order, the least important first.

use std::borrow::Cow;

use tband_format::classes::CLASSES;

/// A class of events that was shed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShedClass {
    /// Its bit in the flags of `trace_info`.
    pub class: u32,
    /// Events that were not recorded, as far as the recording contains their number.
    pub events: u64,
    /// How often it was shed.
    pub times: u64,
    /// For how long, in ns.
    pub ns: i64,
    /// Since when it is shed, in ns; `None`: it is recorded.
    pub since_ns: Option<i64>,
}

impl ShedClass {
    /// A class that was not shed so far.
    #[must_use]
    pub(crate) const fn new(class: u32) -> Self {
        Self { class, events: 0, times: 0, ns: 0, since_ns: None }
    }

    /// The name of a class, by its bit: `QUEUE`.
    #[must_use]
    pub fn name_of(class: u32) -> Cow<'static, str> {
        match CLASSES.iter().find(|it| it.flag.trailing_zeros() == class) {
            Some(it) => it.name.into(),
            None => class.to_string().into(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> Cow<'static, str> {
        Self::name_of(self.class)
    }
}
