//! What is known of a recording while it comes: a conversion that is fed counts it.

use std::io;

use tband_conv::timeline::{At, Change, World};
use tband_conv::{ConvError, Conversion, Link, Mode, Options, Severity, Sink};

/// Counts what comes in.
#[derive(Debug, Default)]
pub struct Seen {
    /// Events and packets that are known to be missing.
    pub lost: u64,
    /// Pieces that are damaged.
    pub damaged: u64,
    /// The marker that is waited for, and whether it came.
    marker: Option<String>,
    has_marker: bool,
}

impl Sink for Seen {
    fn change(&mut self, world: &World, _: At, change: &Change<'_>) -> io::Result<()> {
        match change {
            Change::Finding(finding) => {
                let count = match finding.problem.severity() {
                    Severity::Note => return Ok(()),
                    Severity::Loss => &mut self.lost,
                    Severity::Damage => &mut self.damaged,
                };
                *count = count.saturating_add(finding.amount);
            }
            Change::Marker(marker, msg, _) | Change::SpanBegin(marker, msg, _) => {
                if let Some(wanted) = &self.marker {
                    let name = world.markers.get(*marker).and_then(|it| it.name.as_deref());
                    self.has_marker |= name == Some(wanted) || msg.0 == wanted.as_bytes();
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// What a recording has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Events that were read, metadata included.
    pub events: u64,
    /// Events and packets that are known to be missing.
    pub lost: u64,
    /// Pieces that are damaged.
    pub damaged: u64,
    /// Tasks that are known.
    pub tasks: usize,
    /// Time of the last event, in ns.
    pub last_ns: i64,
}

/// Counts a recording that is fed as it comes.
pub struct Counters {
    conversion: Option<Conversion<Seen>>,
    counts: Counts,
    has_marker: bool,
}

impl Counters {
    /// Counts a source of this name, and looks for a marker.
    pub fn new(name: &str, marker: Option<&str>) -> Self {
        let mut options = Options::default();
        options.mode = Mode::Auto;
        let seen = Seen { marker: marker.map(str::to_owned), ..Seen::default() };
        let conversion = Conversion::new([(name, 0)], &options, seen).ok();
        Self { conversion, counts: Counts::default(), has_marker: false }
    }

    /// Takes what has come.
    ///
    /// # Errors
    /// It cannot be counted on; said once.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ConvError> {
        let Some(conversion) = &mut self.conversion else { return Ok(()) };
        let fed = conversion.feed_all(bytes);
        let progress = conversion.progress();
        self.counts.events = progress.events;
        self.counts.last_ns = progress.last_ns;
        self.counts.tasks = conversion.world().map_or(0, |world| world.tasks.iter().count());
        if let Some(seen) = conversion.sink() {
            (self.counts.lost, self.counts.damaged) = (seen.lost, seen.damaged);
            self.has_marker = seen.has_marker;
        }
        if fed.is_err() {
            self.conversion = None;
        }
        fed
    }

    /// What it has come to.
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The marker came.
    pub const fn has_marker(&self) -> bool {
        self.has_marker
    }

    /// All has come. What packets say of the link, if there were any.
    ///
    /// # Errors
    /// It was no recording.
    pub fn finish(self) -> Result<(Counts, Option<Link>), ConvError> {
        let Some(conversion) = self.conversion else { return Ok((self.counts, None)) };
        let (summary, seen) = conversion.finish()?;
        let Seen { lost, damaged, .. } = seen;
        Ok((Counts { events: summary.events, lost, damaged, ..self.counts }, summary.link))
    }
}
