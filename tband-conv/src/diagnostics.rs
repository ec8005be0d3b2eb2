//! Findings about a recording: kinds, places, counts.
//!
//! Every finding is counted under its [`Problem`] and only the first of each kind is kept, so memory does not grow with the
//! damage. Sinks see each finding as it happens.

use std::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the result is complete.
    Note,
    /// The target could not record everything.
    Loss,
    /// The recording is damaged or contradicts itself.
    Damage,
}

macro_rules! problems {
    ($($(#[doc = $doc:literal])+ $name:ident $severity:ident $title:literal;)*) => {
        /// The kinds of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Problem { $($(#[doc = $doc])+ $name,)* }

        impl Problem {
            /// Every kind, in the order in which summaries list them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// Returns its title, singular and in lower case.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }
        }
    };
}

problems! {
    /// Bytes between two zeros that are not an event.
    UndecodableFrame Damage "undecodable frame";
    /// Bytes that are not a packet, in a recording of packets.
    DamagedPacket Damage "run of bytes that is not a packet";
    /// Bytes that show how they were changed on the way, but could not be restored.
    BytesChanged Damage "run of bytes that was changed on the way";
    /// An event that neither this version nor the recording knows, in a frame.
    UnknownEvent Damage "unknown event";
    /// An unknown event in a packet, the rest of which is not read.
    UnknownInPacket Damage "packet cut off at an unknown event";
    /// The recording's schema of an event id is not used.
    BadSchema Damage "schema of an event that is not used";
    /// A FreeRTOS event in a recording that is read as bare-metal.
    WrongMode Damage "FreeRTOS event in bare-metal mode";
    /// Bytes in another recorder's recording that this recorder does not write.
    ForeignDamage Damage "damaged bytes in a recording of another recorder";
    /// The recording ends inside a frame.
    CutOff Damage "cut-off end";
    /// A core number that cannot be.
    CoreOutOfRange Damage "core id out of range";
    /// A timestamp is before the previous one.
    TimeStepBack Damage "timestamp that steps back";
    /// Files that are taken to be of one core have events of the same time.
    FilesOverlap Damage "files of one core that overlap in time";
    /// A single timestamp is far after those around it.
    TimeJump Damage "stray timestamp";
    /// The recorder did not read the timer often enough to notice wraps of the 32-bit timestamps in packets.
    UnseenTurns Damage "packet with a pause of unknown length";
    /// The timer is extended to 64 bits as if it were another one.
    FalseWraps Damage "timer that is extended wrongly";
    /// More events than are possible in this time.
    TimerNotRunning Damage "timer that does not run";
    /// Times disagree with the kernel's ticks.
    OffPace Damage "time that the kernel's ticks contradict";
    /// The timer stops now and then, by the kernel's ticks.
    TimerStops Damage "timer that stops now and then";
    /// A wait is shorter than its ticks, though neither is wrong elsewhere.
    ShortWait Damage "wait that is shorter than its ticks";
    /// The timer was set to 0 while recording, and extended as if it had wrapped.
    TimerSetBack Damage "timer that was set back";
    /// The timer counts ticks of the kernel, or little more.
    TimerIsTick Damage "timer as coarse as the kernel's tick";
    /// Times beyond what 63 bits of nanoseconds can hold.
    TimeOutOfRange Damage "time beyond 292 years, shown at the limit";
    /// Reports about the timestamps' frequency contradict each other.
    FrequencyConflict Damage "contradictory timestamp frequency";
    /// A task starts to run on a core while it runs on another one.
    TaskOnTwoCores Damage "task on two cores";
    /// A deleted task is used again.
    DeletedTask Damage "deleted task that lives on";
    /// An interrupt ends that did not begin.
    IsrExitWithoutEnter Damage "ISR exit without enter";
    /// An interrupt ends while a nested one is still open.
    IsrExitMissing Damage "missing ISR exit";
    /// A marker span ends that did not begin.
    SpanEndWithoutBegin Damage "span end without begin";
    /// A core's state at the start of a packet differs from the state after the events before it.
    StateDisagrees Damage "packet that begins in another state";
    /// More objects of a kind, or deeper nesting, than can be true.
    TooMany Damage "object beyond the limit";
    /// Nothing was recorded.
    NothingRecorded Damage "recording without an event";
    /// A stream was started, and the target's port refused its first bytes.
    StreamRefused Damage "stream that was refused at its start";
    /// The kernel is configured to be recorded, and no event came from it.
    SilentKernel Damage "kernel that records nothing";
    /// Events are missing that others of their class show to have happened.
    SilentHook Damage "trace macro of the kernel that does not record";
    /// Events arrived that the target counted as dropped.
    DropsReversed Damage "events counted as dropped that arrived";
    /// The names of tasks are not in the recording.
    NoMetadata Loss "recording without its metadata";
    /// The target dropped events.
    EventsLost Loss "gap of lost events";
    /// Packets of a core did not arrive, or only in part.
    PacketsLost Loss "gap of lost packets";
    /// The first packets of a core are missing, while another core begins with its first packet.
    FirstPacketsLost Loss "core whose first packets are missing";
    /// The target had no room for a core's events.
    EventsDiscarded Loss "gap of discarded events";
    /// The source was away while it was recorded.
    SourceGap Loss "gap while the source was away";
    /// Events are missing in a recording of another recorder, which does not count them.
    ForeignLoss Loss "gap in a recording of another recorder";
    /// Names were lost on the target since its metadata buffer was full.
    MetadataLost Loss "core with lost metadata";
    /// A ring whose oldest packet was overwritten in part.
    OverwrittenStart Note "oldest packet that was overwritten in part";
    /// The receiver was not to keep files here.
    NotKept Note "part of the recording that was not kept";
    /// Formats, names and places are of a program that did not make the recording.
    OtherProgram Note "program that has not made the recording";
    /// Packets that were changed on the way, and restored.
    BytesRestored Note "packet that was changed on the way, and restored";
    /// Text between packets.
    TextOnLine Note "text between packets";
    /// Bytes inserted between packets, such as telnet commands.
    BytesAdded Note "run of bytes that was put between packets";
    /// Zeros or FF where nothing was written.
    NeverWritten Note "unused part of a preallocated file";
    /// Events that only the recording describes.
    NewerEvents Note "event of a kind that this version does not know";
    /// Times disagree with the kernel's ticks by as little as clocks without a crystal do.
    OffPaceSlightly Note "time that the kernel's ticks contradict by a few per cent";
    /// A core had no tick and no other event for much longer than a tick.
    Halt Note "time without a tick: halted, or interrupts off";
    /// The longest names have the maximum length of the target.
    NameCut Note "name that seems to be cut off";
    /// An interrupt requests a switch at its end, but its handler does not report its begin.
    IsrNotEntered Note "interrupt that yields without an enter";
    /// The target's kernel could not create an object.
    CreateFailed Note "object that the kernel could not create";
    /// One of several files has no event.
    EmptyInput Note "file without an event";
    /// Recording was stopped and started again.
    StreamStart Note "later start of the recording";
    /// The target restarted within the recording.
    Restart Note "restart of the target";
    /// The target was reset while it wrote a packet or frame.
    CutByRestart Note "packet or frame that a restart cut off";
    /// The recording does not contain the frequency of its timestamps.
    NoResolution Loss "unknown frequency of the timestamps, times are in ticks";
    /// A recording of another recorder, read with others, does not contain the frequency of its timestamps.
    NoOwnResolution Loss "unknown frequency of an input's timestamps, shown with that of another input";
    /// Nothing is known to read the timer once per wrap: a longer pause would not show.
    TimeNotKept Note "timer that nothing is known to read once per wrap";
    /// The timer counts at another frequency than before.
    FrequencyChange Note "change of the timestamps' frequency";
}

impl Problem {
    /// Its amount is a number of missing events.
    #[must_use]
    pub const fn is_event_count(self) -> bool {
        matches!(self, Self::EventsLost | Self::EventsDiscarded)
    }

    /// A program or a line has changed bytes, or put some between them.
    #[must_use]
    pub const fn is_change_of_bytes(self) -> bool {
        matches!(
            self,
            Self::BytesChanged | Self::BytesRestored | Self::BytesAdded | Self::TextOnLine
        )
    }

    /// Events are missing between two recorded ones.
    #[must_use]
    pub(crate) const fn is_between_events(self) -> bool {
        matches!(self, Self::EventsLost | Self::EventsDiscarded | Self::PacketsLost)
    }

    /// Events are missing there: the states that they may have changed are unknown after it.
    #[must_use]
    pub const fn is_gap(self) -> bool {
        matches!(
            self,
            Self::EventsLost
                | Self::PacketsLost
                | Self::EventsDiscarded
                | Self::Restart
                | Self::CutByRestart
                | Self::UndecodableFrame
                | Self::ForeignDamage
                | Self::ForeignLoss
                | Self::UnknownInPacket
                | Self::CutOff
                | Self::CoreOutOfRange
                | Self::StreamStart
                | Self::SourceGap
                | Self::NotKept
                | Self::OverwrittenStart
        )
    }
}

/// Where a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Index of the input.
    pub input: usize,
    /// Offset of the frame in the recording, in bytes.
    pub offset: u64,
}

/// A [`Place`] that is computed on demand, because that is rare.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LazyOffset {
    pub input: usize,
    /// Offset of the end of the known part of the recording, in bytes.
    pub end: u64,
    /// Bytes before it.
    pub left: usize,
}

impl LazyOffset {
    pub const fn offset(self) -> u64 {
        self.end.wrapping_sub(self.left as u64)
    }

    pub const fn place(self) -> Place {
        Place { input: self.input, offset: self.offset() }
    }
}

impl From<Place> for LazyOffset {
    fn from(Place { input, offset }: Place) -> Self {
        Self { input, end: offset, left: 0 }
    }
}

/// One finding, as it happens.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// Its kind.
    pub problem: Problem,
    /// Where it is.
    pub place: Place,
    /// The amount: for losses the number of events, packets or names, otherwise 1.
    pub amount: u64,
    /// The detailed message.
    pub text: &'a str,
}

/// All findings of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Their kind.
    pub problem: Problem,
    /// How often it was found.
    pub count: u64,
    /// Sum of the amounts.
    pub amount: u64,
    /// The first place.
    pub place: Place,
    /// The message.
    pub text: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)?;
        let more = self.count.saturating_sub(1);
        if more > 0 {
            write!(f, " (and {more} more like it")?;
            if self.problem.severity() == Severity::Loss {
                write!(f, ", {} in all", self.amount)?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// The findings of a conversion, one entry a kind.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    entries: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Counts a finding.
    pub fn add(&mut self, finding: &Finding<'_>) {
        let known = self.entries.iter_mut().find(|entry| entry.problem == finding.problem);
        if let Some(entry) = known {
            entry.count = entry.count.saturating_add(1);
            entry.amount = entry.amount.saturating_add(finding.amount);
        } else {
            self.entries.push(Diagnostic {
                problem: finding.problem,
                count: 1,
                amount: finding.amount,
                place: finding.place,
                text: finding.text.to_owned(),
            });
        }
    }

    /// One entry a kind that was found, in the order of [`Problem::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        Problem::ALL.iter().filter_map(|problem| self.get(*problem))
    }

    /// The findings of one kind.
    #[must_use]
    pub fn get(&self, problem: Problem) -> Option<&Diagnostic> {
        self.entries.iter().find(|entry| entry.problem == problem)
    }

    /// How often a kind was found.
    #[must_use]
    pub fn count(&self, problem: Problem) -> u64 {
        self.get(problem).map_or(0, |entry| entry.count)
    }

    /// Returns the most severe finding; `None` if there is none.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.entries.iter().map(|entry| entry.problem.severity()).max()
    }

    /// Whether the recording has neither losses nor damage.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.worst().is_none_or(|worst| worst == Severity::Note)
    }
}
