//! State that becomes unknown because events are missing.

use std::io;

use tband_conv::timeline::{EventTime, ForgottenState};

use super::follower::{SignalFollower, SignalStore};
use super::source::Source;

impl<K: SignalStore> SignalFollower<K> {
    /// A signal that was known is not.
    pub(super) fn forgotten(&mut self, at: EventTime, forgotten: ForgottenState) -> io::Result<()> {
        let ns = at.ns;
        match forgotten {
            ForgottenState::Core => self.keep.gap(ns, Some(at.core)),
            ForgottenState::Isr(isr) => self.closed(ns, Source::Isr(at.core, isr)),
            ForgottenState::Level(queue) => self.clear(ns, Source::Level(queue)),
            ForgottenState::Holder(queue) => {
                self.clear(ns, Source::Holder(queue))?;
                self.clear(ns, Source::Depth(queue))
            }
            ForgottenState::Priority(task) => self.clear(ns, Source::Priority(task)),
            ForgottenState::Span(marker) => self.closed(ns, Source::Open(marker)),
            ForgottenState::StreamBuffer(buffer) => self.clear(ns, Source::Bytes(buffer)),
            ForgottenState::EventGroup(group) => self.clear(ns, Source::Bits(group)),
            ForgottenState::Timer(timer) => self.clear(ns, Source::Active(timer)),
            ForgottenState::Callback(timer, _) => self.clear(ns, Source::Callback(timer)),
            ForgottenState::Sleep => self.clear(ns, Source::Sleep(at.core)),
            _ => Ok(()),
        }
    }

    /// From here no item is known to be open.
    fn closed(&mut self, ns: i64, source: Source) -> io::Result<()> {
        let signal = self.catalog.find(source);
        if let Some(known) = signal.and_then(|it| self.known.get_mut(it as usize)) {
            known.open = 0;
        }
        self.clear(ns, source)
    }
}
