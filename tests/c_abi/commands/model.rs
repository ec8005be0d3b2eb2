//! A model of the firmware's handling of the host's bytes, written independently from the guide and the layout of a command.

use std::collections::VecDeque;

use tband_format::packet::command::{COMMAND_KINDS, MAX_ARGUMENTS, MAX_COMMAND_FRAME};
use tband_format::packet::{of_hash, step};
use tband_format::{FORMAT_VERSION, cobs};

/// Bytes of the line that wait, and of the mailbox.
const RING: usize = 64;
pub const MAILBOX: usize = 2 * MAX_COMMAND_FRAME;
pub const PAGE: usize = 4096;

const REFUSED: i64 = -1;
const NOT_ALLOWED: i64 = -2;
const UNKNOWN: i64 = -3;
const WRONG: i64 = -4;

/// What the firmware lets the host do.
#[derive(Clone, Copy, Debug)]
pub struct Permissions {
    /// Anything but to ask for its version.
    pub anything: bool,
    /// The page that the allowed addresses are in.
    pub page: u32,
    pub first: u32,
    pub last: u32,
    /// So many values a command may write.
    pub most: u32,
}

impl Permissions {
    /// `count` values of `size` bytes.
    fn has(&self, size: u32, address: u32, count: u32) -> bool {
        let (size, address, count) = (u64::from(size), u64::from(address), u64::from(count));
        let (first, last) = (u64::from(self.first), u64::from(self.last));
        [1, 2, 4].contains(&size)
            && address.is_multiple_of(size)
            && (1..=u64::from(self.most)).contains(&count)
            && address >= first
            && address + size * count <= last + 1
    }
}

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandResult {
    This(i64),
    /// It was done or not, as the filters and triggers of the firmware are, which this does not follow.
    DoneOrNot,
}

impl CommandResult {
    pub fn may_be(self, answer: i64) -> bool {
        match self {
            Self::This(is) => is == answer,
            Self::DoneOrNot => matches!(answer, 0..7 | REFUSED | WRONG),
        }
    }
}

/// A command as it came: its kind, number, and arguments.
type ReceivedCommand = (u8, u16, Vec<u32>);

pub struct Model {
    allowed: Permissions,
    pub page: Vec<u8>,
    is_recording: bool,
    line: VecDeque<u8>,
    pub mailbox: [u8; MAILBOX],
    pub read: u32,
    pub write: u32,
    /// The frame that comes, and one byte more than there is room for where it is too long.
    frame: Vec<u8>,
    pub damaged: u32,
    executed: Option<(ReceivedCommand, CommandResult)>,
    object: (u32, u32),
    pub calls: u32,
    pub sum: u32,
    pub resets: u32,
    /// Bytes that the last call has looked at, and values that it has written.
    pub looked_at: u32,
    pub written: u32,
}

/// As the page is in the beginning.
fn filled() -> Vec<u8> {
    (0..PAGE).map(|at| (at * 7 + (at >> 8)) as u8).collect()
}

/// Returns the content of a frame, if it is a command.
fn command(frame: &[u8]) -> Option<ReceivedCommand> {
    let mut scratch = vec![0; frame.len()];
    let content = cobs::decode(frame, &mut scratch).ok()?;
    let (words, rest) = content.as_chunks::<4>();
    let (check, words) = words.split_last()?;
    let ([version, kind, low, high], arguments) = words.split_first()?;
    let hash = words.iter().fold(0, |hash, word| step(hash, u32::from_le_bytes(*word)));
    let is_one = rest.is_empty()
        && *version == 1
        && arguments.len() <= MAX_ARGUMENTS
        && u32::from_le_bytes(*check) == of_hash(hash);
    let arguments = arguments.iter().map(|word| u32::from_le_bytes(*word)).collect();
    is_one.then_some((*kind, u16::from_le_bytes([*low, *high]), arguments))
}

impl Model {
    /// Of firmware that records.
    pub fn new(allowed: Permissions) -> Self {
        Self {
            allowed,
            page: filled(),
            is_recording: true,
            line: VecDeque::new(),
            mailbox: [0; MAILBOX],
            read: 0,
            write: 0,
            frame: Vec::new(),
            damaged: 0,
            executed: None,
            object: (0, 0),
            calls: 0,
            sum: 0,
            resets: 0,
            looked_at: 0,
            written: 0,
        }
    }

    /// Adds received bytes. Returns `true` if they do not fit.
    pub fn received(&mut self, bytes: &[u8]) -> bool {
        let is_too_much = self.line.len() + bytes.len() > RING;
        if !is_too_much {
            self.line.extend(bytes);
        }
        is_too_much
    }

    /// The next byte, of the line before the mailbox.
    fn byte(&mut self) -> Option<u8> {
        let size = MAILBOX as u32;
        let byte = self.line.pop_front().or_else(|| {
            if self.read >= size || self.write >= size || self.read == self.write {
                return None;
            }
            let byte = self.mailbox[self.read as usize];
            self.read = (self.read + 1) % size;
            Some(byte)
        })?;
        self.looked_at += 1;
        Some(byte)
    }

    /// Makes one call. Returns whether a command was executed, and its answer, by its number.
    pub fn execute(&mut self) -> (bool, Option<(u16, CommandResult)>) {
        (self.looked_at, self.written) = (0, 0);
        let mut frames = 0;
        while let Some(byte) = self.byte() {
            if byte != 0 {
                if self.frame.len() <= MAX_COMMAND_FRAME {
                    self.frame.push(byte);
                }
                continue;
            }
            frames += 1;
            let frame = std::mem::take(&mut self.frame);
            if frame.len() <= MAX_COMMAND_FRAME
                && let Some(came) = command(&frame)
            {
                let number = came.1;
                let is = self.command(came);
                return (true, is.map(|is| (number, is)));
            }
            self.damaged += u32::from(!frame.is_empty() && self.damaged < 0xFFFF);
            if frames == RING {
                break;
            }
        }
        (false, None)
    }

    fn command(&mut self, came: ReceivedCommand) -> Option<CommandResult> {
        let before = self.executed.as_ref().filter(|(last, _)| *last == came).map(|(_, is)| *is);
        let was_recording = self.is_recording;
        let (kind, _, arguments) = &came;
        let is = before.unwrap_or_else(|| self.result(*kind, arguments));
        // It is answered before it ends what the answer is in.
        let is_stop = *kind == 3 && before.is_none() && is == CommandResult::This(0);
        let is_answered = if is_stop { was_recording } else { self.is_recording };
        self.executed = Some((came, is));
        is_answered.then_some(is)
    }

    fn result(&mut self, kind: u8, arguments: &[u32]) -> CommandResult {
        let Some(known) = COMMAND_KINDS.iter().find(|it| it.number == kind) else {
            return CommandResult::This(UNKNOWN);
        };
        if arguments.len() != known.arguments.len() {
            return CommandResult::This(WRONG);
        }
        if known.name == "info" {
            return CommandResult::This(i64::from(self.damaged << 8 | FORMAT_VERSION));
        }
        if !self.allowed.anything {
            return CommandResult::This(NOT_ALLOWED);
        }
        let is = match (known.name, arguments) {
            ("start", []) => {
                let is_on = std::mem::replace(&mut self.is_recording, true);
                if is_on { REFUSED } else { 0 }
            }
            ("stop", []) => {
                self.is_recording = false;
                0
            }
            // Frames have them once.
            ("names", []) => REFUSED,
            ("flush", []) => 0,
            ("user", [number, a, b, c]) => {
                let times = |it: &u32, factor| it.wrapping_mul(factor);
                let parts = [*number, times(a, 3), times(b, 5), times(c, 7)];
                self.sum = parts.into_iter().fold(times(&self.sum, 31), u32::wrapping_add);
                self.calls += 1;
                self.sum.into()
            }
            ("reset", []) => {
                self.resets += 1;
                0
            }
            ("read", [size, address]) => self.reads(*size, *address),
            ("write", [size, address, value]) => self.writes(*size, *address, *value, 1),
            ("fill", [size, address, value, count]) => self.writes(*size, *address, *value, *count),
            ("object", [address, size]) => {
                let memory = Permissions { most: u32::MAX, ..self.allowed };
                if memory.has(1, *address, *size) {
                    self.object = (*address, *size);
                    0
                } else {
                    WRONG
                }
            }
            ("peek", [size, offset]) => match self.in_object(*size, *offset, 1) {
                Some(address) => self.reads(*size, address),
                None => WRONG,
            },
            ("poke", [size, offset, value, count]) => {
                match self.in_object(*size, *offset, *count) {
                    Some(address) => self.writes(*size, address, *value, *count),
                    None => WRONG,
                }
            }
            ("send" | "notify", _) => NOT_ALLOWED,
            ("filter" | "filter object" | "trigger" | "rearm" | "disarm", _) => {
                return CommandResult::DoneOrNot;
            }
            other => panic!("{other:?}"),
        };
        CommandResult::This(is)
    }

    /// The address, if all of it is in the current object.
    fn in_object(&self, size: u32, offset: u32, count: u32) -> Option<u32> {
        let (address, len) = self.object;
        let end = u64::from(offset) + u64::from(size) * u64::from(count);
        (end <= u64::from(len)).then(|| address.wrapping_add(offset))
    }

    fn place(&self, address: u32) -> usize {
        (address - self.allowed.page) as usize
    }

    fn reads(&self, size: u32, address: u32) -> i64 {
        if !self.allowed.has(size, address, 1) {
            return WRONG;
        }
        let bytes = &self.page[self.place(address)..][..size as usize];
        bytes.iter().rev().fold(0, |value, byte| value << 8 | i64::from(*byte))
    }

    fn writes(&mut self, size: u32, address: u32, value: u32, count: u32) -> i64 {
        if !self.allowed.has(size, address, count) {
            return WRONG;
        }
        let place = self.place(address);
        for to in self.page[place..][..(size * count) as usize].chunks_mut(size as usize) {
            to.copy_from_slice(&value.to_le_bytes()[..to.len()]);
        }
        self.written = count;
        0
    }
}
