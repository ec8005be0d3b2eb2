//! The events before and after a trigger of the firmware fires, each time in a separate file.

mod arm;
mod known;
mod losses;
mod pre_trigger;
mod units;

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use anyhow::bail;
use tband_format::Event;
use tband_format::packet::METADATA_STREAM;
use tband_format::trigger::TriggerState;

use super::store::{Store, name_of};
use crate::args::{RecordArgs, sources};
use crate::gaps::SOURCE_GAP;
use arm::Arm;
use known::KnownState;
use losses::Losses;
use pre_trigger::PreTriggerBuffer;
use tband_conv::counted;
use units::{Splitter, Unit};

/// In place of a condition: triggers that the firmware has armed.
pub const FIRMWARE: &str = "firmware";
/// How long packets of other cores are awaited, which were open when the recording was frozen.
const OTHER_CORES: Duration = Duration::from_secs(1);
/// Number of events beyond twice the requested ones after which the report of the frozen recording counts as lost.
const FROZEN_IS_LOST: u64 = 1000;
/// The same limit after a loss if the requested number is unknown.
const FROZEN_MAY_BE_LOST: u64 = 100_000;

/// Waits for triggers, and keeps the bytes around them.
pub struct TriggeredRecording {
    path: PathBuf,
    count: u32,
    /// None: the firmware arms them.
    arm: Option<Arm>,
    splitter: Splitter,
    held: PreTriggerBuffer,
    losses: Losses,
    /// The last trigger that was seen to fire, of whomever it is.
    seen: Option<u32>,
    /// A trigger whose events are all recorded, but which was not seen to fire: another core's packet may report that before
    /// its own does.
    ended: Option<u32>,
    /// Events were lost since then.
    has_lost: bool,
    /// Time up to which each core's packets were received, in ticks.
    reached: Vec<(u8, u64)>,
    /// The next file.
    next: Option<Store>,
    file: Option<TriggerFile>,
    files: Vec<PathBuf>,
    /// Number of triggers that have fired and are completely recorded.
    done: u32,
    /// Pending messages.
    messages: Vec<String>,
}

/// The file of a trigger that has fired.
struct TriggerFile {
    store: Store,
    /// The trigger's number.
    n: u32,
    what: String,
    bytes: u64,
    /// Events were lost after the trigger.
    has_lost: bool,
    /// Remaining events until it ends in any case; `None` if the requested number is unknown.
    left: Option<u64>,
    frozen: Option<FreezeState>,
}

/// The target has recorded all.
struct FreezeState {
    /// The last trigger that has its events in the file.
    n: u32,
    since: Instant,
    /// Cores whose packets have not come up to a time, in ticks.
    missing: Vec<u8>,
    at: u64,
}

/// Relevant events in the received bytes.
enum TriggerNotice {
    Answer(u32, i64),
    Fired(u32, TriggerState),
    Frozen(u32),
}

impl TriggeredRecording {
    /// Creates the user's triggers; `to_send`: the channel to the target, if there is one. With formats of the program's
    /// records, as frames.
    ///
    /// # Errors
    /// A condition is invalid, or cannot be requested; a file exists already.
    pub fn new(
        args: &RecordArgs,
        path: &Path,
        to_send: Option<Sender<Vec<u8>>>,
        formats: &[Vec<u8>],
    ) -> anyhow::Result<Self> {
        let is_firmware = args.trigger.iter().any(|text| text == FIRMWARE);
        let arm = match to_send {
            _ if is_firmware && args.trigger.len() > 1 => {
                bail!("--trigger {FIRMWARE} is every trigger already: leave out the others")
            }
            _ if is_firmware && args.after.is_some() => {
                bail!(
                    "with --trigger {FIRMWARE} the firmware sets the number of events that follow: leave --after out"
                )
            }
            _ if is_firmware => None,
            Some(to_send) => Some(Arm::new(&args.trigger, args.after, to_send)?),
            None => bail!(
                "--trigger: commands go over {}, and this source is none of them; arm the trigger in the firmware, and write --trigger {FIRMWARE}",
                sources::sources_with_commands()
            ),
        };
        let next = if args.count == 1 {
            Store::new(path, None)?
        } else {
            let mut names = (1..=args.count).map(|number| name_of(path, number));
            if let Some(name) = names.find(|name| name.exists()) {
                bail!("{} is there already; name another file with -o", name.display());
            }
            Store::numbered(path, 1)?
        };
        let mut known = KnownState::default();
        for frame in formats {
            Unit::Frame.each(frame, |event| known.learn(event));
        }
        Ok(Self {
            path: path.to_owned(),
            count: args.count,
            arm,
            splitter: Splitter::default(),
            held: PreTriggerBuffer::new(args.before, known),
            losses: Losses::default(),
            seen: None,
            ended: None,
            has_lost: false,
            reached: Vec::new(),
            next: Some(next),
            file: None,
            files: Vec::new(),
            done: 0,
            messages: Vec::new(),
        })
    }

    /// A connection was opened, the first one or another.
    pub fn opened(&mut self) {
        if let Some(arm) = &mut self.arm {
            arm.opened();
        }
    }

    /// The connection was closed.
    pub fn closed(&mut self) {
        if let Some(arm) = &mut self.arm {
            arm.closed();
        }
    }

    /// The received bytes show that the target was reset: it has no armed triggers, and counts triggers from 1 on.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn restarted(&mut self) -> anyhow::Result<()> {
        (self.seen, self.ended) = (None, None);
        self.reached.clear();
        if let Some(file) = self.file.as_mut().filter(|file| file.frozen.is_none()) {
            file.what += "; the target was reset before its end";
            file.has_lost = false;
        }
        self.end_file()?;
        if let Some(arm) = &mut self.arm
            && arm.restarted()
        {
            self.messages
                .push("the target was reset; it is asked for its triggers again".to_owned());
        }
        Ok(())
    }

    /// Takes received bytes.
    ///
    /// # Errors
    /// It cannot be written, or the firmware refuses.
    pub fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.splitter.feed(bytes).iter().try_for_each(|(unit, bytes)| self.unit(*unit, bytes))
    }

    /// Something may be missing from here on.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn gap(&mut self) -> anyhow::Result<()> {
        self.rest()?;
        if self.held.has_packets() { Ok(()) } else { self.unit(Unit::Other, SOURCE_GAP) }
    }

    /// Nothing follows the received bytes. A part that is cut off there is not a loss.
    fn rest(&mut self) -> anyhow::Result<()> {
        for (unit, bytes) in self.splitter.take() {
            if unit != Unit::Other {
                self.unit(unit, &bytes)?;
                continue;
            }
            self.held.add(unit, &bytes, Instant::now());
            self.write(&bytes)?;
        }
        Ok(())
    }

    fn unit(&mut self, unit: Unit, bytes: &[u8]) -> anyhow::Result<()> {
        self.held.add(unit, bytes, Instant::now());
        let (mut news, mut events) = (Vec::new(), 0_u64);
        unit.each(bytes, |event| {
            events += 1;
            match *event {
                Event::Answer { n, is } => news.push(TriggerNotice::Answer(n, is)),
                Event::Trigger { n, is } => {
                    news.push(TriggerNotice::Fired(n, TriggerState::read(is)))
                }
                Event::Frozen { n } => news.push(TriggerNotice::Frozen(n)),
                _ => {}
            }
        });
        if self.losses.has(unit, bytes) {
            self.lost();
        }
        self.write(bytes)?;
        if let Some(file) = &mut self.file {
            file.left = file.left.map(|left| left.saturating_sub(events));
        }
        self.advance_to(unit);
        for news in news {
            match news {
                TriggerNotice::Answer(number, is) => {
                    let messages =
                        self.arm.as_mut().map(|arm| arm.handle_answer(number, is)).transpose()?;
                    self.messages.extend(messages.flatten());
                }
                TriggerNotice::Fired(n, fired) => self.fired(n, fired)?,
                TriggerNotice::Frozen(n) => self.frozen(n, unit)?,
            }
        }
        let ends = self.file.as_ref().is_some_and(|file| {
            file.left == Some(0) || file.frozen.as_ref().is_some_and(|it| it.missing.is_empty())
        });
        if ends { self.end_file() } else { Ok(()) }
    }

    /// Writes received bytes to the open file, if there is one. A file that cannot be written is given up: later bytes are only
    /// the target's answers to disarming.
    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let added = file.add(bytes);
        if added.is_err() {
            self.file = None;
        }
        added
    }

    /// Events are missing: they may have reported that a trigger has fired, or that the recording is frozen.
    fn lost(&mut self) {
        self.has_lost = true;
        if let Some(file) = self.file.as_mut().filter(|file| file.frozen.is_none()) {
            file.has_lost = true;
            file.left.get_or_insert(FROZEN_MAY_BE_LOST);
        }
        if let Some(arm) = &mut self.arm {
            arm.recheck();
        }
    }

    /// A core's packets were received up to the end of this one.
    fn advance_to(&mut self, unit: Unit) {
        let Unit::Packet(header) = unit else { return };
        if header.stream == METADATA_STREAM {
            return;
        }
        match self.reached.iter_mut().find(|(core, _)| *core == header.stream) {
            Some((_, reached)) => *reached = header.end,
            None => self.reached.push((header.stream, header.end)),
        }
        if let Some(frozen) = self.file.as_mut().and_then(|file| file.frozen.as_mut())
            && header.end >= frozen.at
        {
            frozen.missing.retain(|core| *core != header.stream);
        }
    }

    /// A trigger has fired.
    fn fired(&mut self, n: u32, fired: TriggerState) -> anyhow::Result<()> {
        self.seen = Some(n);
        self.has_lost = false;
        let is_wanted = self.arm.as_mut().is_none_or(|arm| arm.has_fired(&fired));
        let what = format!("trigger {n}: {fired}");
        match self.file.as_mut().filter(|file| file.n == n) {
            _ if !is_wanted => {}
            Some(file) => file.what = what,
            None => self.begin_file(n, what)?,
        }
        self.ended.take_if(|ended| *ended == n);
        Ok(())
    }

    /// Creates the file of a trigger, which begins with the held bytes.
    fn begin_file(&mut self, n: u32, what: String) -> anyhow::Result<()> {
        // Others that fire before it is frozen have their events in the same file.
        let is_in = |file: &TriggerFile| file.frozen.as_ref().is_none_or(|it| is_up_to(n, it.n));
        if self.file.as_ref().is_some_and(is_in) || self.is_done() {
            return Ok(());
        }
        if self.file.is_some() {
            self.end_file()?;
        }
        let Some(store) = self.next.take() else { return Ok(()) };
        let after = self.arm.as_ref().map(Arm::after);
        let left = after.map(|after| 2 * u64::from(after) + FROZEN_IS_LOST);
        let ended = self.ended.filter(|ended| is_up_to(n, *ended));
        let frozen =
            ended.map(|n| FreezeState { n, since: Instant::now(), missing: Vec::new(), at: 0 });
        let mut file = TriggerFile { store, n, what, bytes: 0, has_lost: false, left, frozen };
        let (names, parts) = self.held.recording();
        file.add(&names)?;
        parts.iter().try_for_each(|part| file.add(part))?;
        self.file = Some(file);
        Ok(())
    }

    /// The events to be recorded are recorded.
    fn frozen(&mut self, n: u32, unit: Unit) -> anyhow::Result<()> {
        let is_open = self.file.as_ref().is_some_and(|file| file.frozen.is_none());
        // The trigger was not seen: it fired before the connection, or its report is lost.
        let is_seen = self.seen.replace(n) == Some(n);
        let is_lost = !is_seen && std::mem::take(&mut self.has_lost);
        if !is_open && is_lost && self.arm.as_ref().is_none_or(Arm::may_have_fired) {
            self.begin_file(n, format!("trigger {n}: what it fired at is lost"))?;
        }
        self.ended = (!is_seen).then_some(n);
        let Some(file) = self.file.as_mut().filter(|file| file.frozen.is_none()) else {
            return Ok(());
        };
        let (mut missing, mut at) = (Vec::new(), 0);
        if let Unit::Packet(header) = unit {
            at = header.end;
            let before = self.reached.iter().filter(|(_, reached)| *reached < at);
            missing.extend(before.map(|(core, _)| *core));
        }
        file.frozen = Some(FreezeState { n, since: Instant::now(), missing, at });
        Ok(())
    }

    /// The file is complete.
    fn end_file(&mut self) -> anyhow::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        self.done += 1;
        if file.frozen.is_none() && file.left == Some(0) {
            file.what += "; its end is lost";
        } else if file.has_lost {
            file.what += "; events after it are lost";
        }
        let named = file.store.files();
        let shown = named.first().map_or("stdout".into(), |it| it.display().to_string());
        self.messages.push(format!("{shown}: {}, {}", counted(file.bytes, "byte"), file.what));
        self.files.extend(named);
        file.store.close()?;
        if self.is_done() {
            if let Some(arm) = &mut self.arm {
                arm.disarm_all();
            }
            return Ok(());
        }
        self.next = Some(Store::numbered(&self.path, self.done + 1)?);
        if let Some(arm) = &mut self.arm {
            arm.rearm_fired();
        }
        Ok(())
    }

    /// Whether a command is on its way to the target.
    pub fn is_asking(&self) -> bool {
        self.arm.as_ref().is_some_and(Arm::is_asking)
    }

    /// Does the periodic work. `may_ask`: no other command to the target is on its way.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn look(&mut self, may_ask: bool) -> anyhow::Result<()> {
        self.messages.extend(self.arm.as_mut().and_then(|arm| arm.look(may_ask)));
        let frozen = self.file.as_ref().and_then(|file| file.frozen.as_ref());
        if frozen.is_some_and(|frozen| frozen.since.elapsed() >= OTHER_CORES) {
            self.end_file()?;
        }
        Ok(())
    }

    /// Undoes all requests to the firmware. Returns true while commands are needed for that.
    pub fn undo_requests(&mut self) -> bool {
        self.arm.as_mut().is_some_and(|arm| {
            if !arm.has_ended() {
                arm.disarm_all();
            }
            arm.is_busy()
        })
    }

    /// Takes the messages since the last call.
    pub fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// As many have fired as are wanted.
    pub const fn is_done(&self) -> bool {
        self.done >= self.count
    }

    /// How many have fired, and have a file.
    pub const fn done(&self) -> u32 {
        self.done
    }

    /// No more will come. The files, in order.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(&mut self) -> anyhow::Result<Vec<PathBuf>> {
        self.rest()?;
        if let Some(file) = &mut self.file {
            // The events after it are incomplete.
            if file.frozen.is_none() {
                file.what += ", cut off";
            }
            self.end_file()?;
        }
        if let Some(next) = self.next.take() {
            next.close()?;
        }
        Ok(std::mem::take(&mut self.files))
    }
}

/// Whether trigger `n` fired before the last one, or is the last. The report of the frozen recording has the number of the
/// last.
const fn is_up_to(n: u32, last: u32) -> bool {
    last.wrapping_sub(n) < 1 << 31
}

impl TriggerFile {
    fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        self.store.add(bytes)
    }
}
