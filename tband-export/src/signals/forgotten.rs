//! What is not known any more, since events are missing.

use std::io;

use tband_conv::timeline::{At, Forgotten};

use super::follow::{Follow, Keep};
use super::source::Source;

impl<K: Keep> Follow<K> {
    /// A signal that was known is not.
    pub(super) fn forgotten(&mut self, at: At, forgotten: Forgotten) -> io::Result<()> {
        let ns = at.ns;
        match forgotten {
            Forgotten::Core => self.keep.gap(ns, Some(at.core)),
            Forgotten::Isr(isr) => self.closed(ns, Source::Isr(at.core, isr)),
            Forgotten::Level(queue) => self.clear(ns, Source::Level(queue)),
            Forgotten::Holder(queue) => {
                self.clear(ns, Source::Holder(queue))?;
                self.clear(ns, Source::Depth(queue))
            }
            Forgotten::Priority(task) => self.clear(ns, Source::Priority(task)),
            Forgotten::Span(marker) => self.closed(ns, Source::Open(marker)),
            Forgotten::StreamBuffer(buffer) => self.clear(ns, Source::Bytes(buffer)),
            Forgotten::EventGroup(group) => self.clear(ns, Source::Bits(group)),
            Forgotten::Timer(timer) => self.clear(ns, Source::Active(timer)),
            Forgotten::Callback(timer, _) => self.clear(ns, Source::Callback(timer)),
            Forgotten::Sleep => self.clear(ns, Source::Sleep(at.core)),
            _ => Ok(()),
        }
    }

    /// Nothing is known to be open.
    fn closed(&mut self, ns: i64, source: Source) -> io::Result<()> {
        let signal = self.catalog.find(source);
        if let Some(known) = signal.and_then(|it| self.known.get_mut(it as usize)) {
            known.open = 0;
        }
        self.clear(ns, source)
    }
}
