//! Where a window lies, in ns.

use tband_format::{Decoded, Event};

use crate::clock::{Clock, MAX_NS};
use crate::error::ConvError;
use crate::input::Input;
use crate::layout::Layout;
use crate::moment::Moment;
use crate::options::Options;

/// The two ends of a window, which belong to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub from: i64,
    pub to: i64,
}

impl Bounds {
    /// Those that the options name. Moments in ticks have the frequency that is in force then, so all changes
    /// of it have to be known before.
    ///
    /// # Errors
    /// [`ConvError::Read`], and [`ConvError::EmptyWindow`] if the window ends before it begins.
    pub fn find(
        inputs: &[Input<'_>],
        options: &Options,
        (clock, layouts): (Clock, &[Layout]),
    ) -> Result<Self, ConvError> {
        let mut clock = clock;
        let has_ticks = |moment: Option<Moment>| !matches!(moment, None | Some(Moment::Ns(_)));
        if has_ticks(options.from) || has_ticks(options.to) {
            let mut reported = Vec::new();
            for (input, layout) in inputs.iter().zip(layouts) {
                let mut events = input.events(options.mode)?.with_schemas(&layout.schemas);
                let mut now = 0;
                while let Some(item) =
                    events.next_item().map_err(|error| input.read_error(error))?
                {
                    let Ok(Decoded { ts, event }) = item.event else { continue };
                    now = ts.filter(|_| !matches!(event, Event::CoreId { .. })).unwrap_or(now);
                    if let Event::TsFrequency { numerator, denominator } = event {
                        reported.push((now, Event::TsFrequency { numerator, denominator }));
                    } else if let Event::TsResolutionNs { ns_per_ts } = event {
                        reported.push((now, Event::TsResolutionNs { ns_per_ts }));
                    }
                }
            }
            reported.sort_by_key(|&(ticks, _)| ticks);
            for (ticks, event) in reported {
                clock.follow(ticks, &event);
            }
        }
        let mut ns = |moment: Moment| match moment {
            Moment::Ns(ns) => i64::try_from(ns).unwrap_or(MAX_NS).min(MAX_NS),
            Moment::Ticks(ticks) => clock.ns(ticks).unwrap_or(MAX_NS),
            Moment::TicksAndNs(ticks, ns) => {
                clock.ns(ticks).unwrap_or(MAX_NS).saturating_add(ns).clamp(0, MAX_NS)
            }
        };
        let bounds =
            Self { from: options.from.map_or(0, &mut ns), to: options.to.map_or(MAX_NS, ns) };
        if bounds.from > bounds.to {
            return Err(ConvError::EmptyWindow { from_ns: bounds.from, to_ns: bounds.to });
        }
        Ok(bounds)
    }
}
