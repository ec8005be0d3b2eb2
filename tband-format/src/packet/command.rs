//! Commands from the host to the firmware: each in a COBS frame between zero bytes, with a number and a checksum.
//!
//! After any damage a receiver finds the next frame at a zero byte, and needs no more memory than one frame. Before COBS a
//! command consists of the version of this layout, its kind, its number (`u16`), its arguments (`u32`, at most
//! [`MAX_ARGUMENTS`]), and a checksum over all of that (`u32`), by the [steps](super::step) of the packets' checksum; all
//! little-endian.

use core::slice;

use super::check::{of_hash, step};
use crate::cobs;

/// The version of the layout.
const VERSION: u8 = 1;
/// Version, kind and number.
const HEAD: usize = 4;
/// Bytes of the check.
const CHECK: usize = 4;
/// A command has so many arguments at most.
pub const MAX_ARGUMENTS: usize = 6;
/// Bytes of the longest command before COBS.
const MAX_LEN: usize = HEAD + 4 * MAX_ARGUMENTS + CHECK;
/// Bytes of the longest frame of a command, with the zero byte that closes it.
pub const MAX_COMMAND_FRAME: usize = cobs::max_frame_len(MAX_LEN);

/// A kind of command: its number, its name, and its arguments' names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandKind {
    /// In the command.
    pub number: u8,
    /// What users call it.
    pub name: &'static str,
    /// One each.
    pub arguments: &'static [&'static str],
    /// Description of its effect.
    pub doc: &'static str,
}

macro_rules! kinds {
    ($($number:literal $name:literal ($($argument:literal),*) $doc:literal;)*) => {
        /// All kinds, by rising number. A number is never used for another kind.
        pub const COMMAND_KINDS: &[CommandKind] = &[$(
            CommandKind { number: $number, name: $name, arguments: &[$($argument),*], doc: $doc },
        )*];
    };
}

kinds! {
    1 "info" () "asks whether the target executes commands: the answer is the version of the events, and how many damaged commands came, times 256";
    2 "start" () "starts the recording";
    3 "stop" () "stops it; the answer comes before it does";
    4 "names" () "sends the names of what exists again";
    5 "flush" () "closes the open packets, so that they are sent";
    6 "user" ("number", "a", "b", "c") "calls tband_configON_COMMAND(), whose result is the answer";
    7 "read" ("size", "address") "reads 1, 2 or 4 bytes of memory";
    8 "write" ("size", "address", "value") "writes 1, 2 or 4 bytes";
    9 "fill" ("size", "address", "value", "count") "writes a value so many times, one after the other";
    10 "reset" () "calls tband_configON_RESET(), which resets the chip; the answer is recorded before";
    11 "filter" ("what", "of", "on") "calls tband_filter_choose(): records events, or leaves them out";
    12 "filter object" ("kind", "name", "name", "name", "name", "name") "the same by an object's name, of which each number has four bytes; 256 is added to the kind to record it";
    13 "object" ("address", "size") "chooses the current object: so many bytes from an address on";
    14 "peek" ("size", "offset") "reads 1, 2 or 4 bytes of the current object";
    15 "poke" ("size", "offset", "value", "count") "writes a value so many times into it, one after the other";
    16 "send" ("queue", "item", "item", "item", "item", "item") "sends an item, of as many bytes of the numbers as the queue's have, to a queue of FreeRTOS; gives a semaphore";
    17 "notify" ("task", "value", "action") "notifies a task of FreeRTOS; the action is 0 none, 1 set bits, 2 increment, 3 set the value, 4 set it unless one waits";
    18 "trigger" ("condition", "of", "value", "value_high", "nth", "after") "calls tband_trigger_arm(): the recording is frozen after what it waits for; the answer is the trigger's number";
    19 "rearm" ("trigger") "arms a trigger again, as it was set last";
    20 "disarm" ("trigger") "takes a trigger back";
}

/// Reasons why a command was not executed: the answer to it, below 0.
pub const COMMAND_ERRORS: &[(i8, &str, &str)] = &[
    (-1, "refused", "it cannot be done now, as a start while recording is on"),
    (
        -2,
        "not allowed",
        "the firmware does not allow it (tband_configALLOW_...), or was built without what it needs",
    ),
    (-3, "unknown", "the firmware does not know this command"),
    (-4, "wrong arguments", "it has other arguments, or what they name does not exist"),
];

/// A command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Number by which the answer identifies the command.
    pub number: u16,
    /// See [`COMMAND_KINDS`].
    pub kind: u8,
    /// The arguments; only the first `count` are valid.
    pub arguments: [u32; MAX_ARGUMENTS],
    /// How many are given.
    pub count: u8,
}

impl Command {
    /// Writes the frame of the command, with the zero byte that closes it, and returns its length.
    pub fn frame(&self, out: &mut [u8; MAX_COMMAND_FRAME]) -> usize {
        let mut bytes = [0; MAX_LEN];
        let [low, high] = self.number.to_le_bytes();
        let arguments = self.arguments.iter().take(self.count.into());
        let words = arguments.flat_map(|argument| argument.to_le_bytes());
        let mut len = 0;
        for (to, from) in
            bytes.iter_mut().zip([VERSION, self.kind, low, high].into_iter().chain(words))
        {
            *to = from;
            len += 1;
        }
        let check = check(bytes.get(..len).unwrap_or_default()).to_le_bytes();
        for (to, from) in bytes.iter_mut().skip(len).zip(check) {
            *to = from;
            len += 1;
        }
        cobs::encode(bytes.get(..len).unwrap_or_default(), out).unwrap_or(0)
    }

    /// Decodes the command in a frame, without its zero byte; `None` if it is damaged or not a command.
    #[must_use]
    pub fn read(frame: &[u8]) -> Option<Self> {
        let mut arguments = [0; MAX_ARGUMENTS];
        let (number, kind, count) = Self::read_into(frame, |place, argument| {
            if let Some(to) = arguments.get_mut(place) {
                *to = argument;
            }
        })?;
        Some(Self { number, kind, arguments, count })
    }

    /// Like [`read`](Self::read), for targets: returns number, kind and number of arguments. Passes each argument, with an
    /// index below [`MAX_ARGUMENTS`], to a function, even if the frame then turns out to be invalid. It has no buffer, copies
    /// and clears no memory, and cannot panic.
    pub fn read_into(frame: &[u8], mut give: impl FnMut(usize, u32)) -> Option<(u16, u8, u8)> {
        let mut bytes = UnstuffedBytes { bytes: frame.iter(), left: 0, ends_with_zero: false };
        let [version, kind, low, high] = bytes.word()??.to_le_bytes();
        let mut hash = step(0, u32::from_le_bytes([version, kind, low, high]));
        let mut count = 0;
        // The last word is the checksum.
        let mut last = bytes.word()??;
        while let Some(word) = bytes.word()? {
            if usize::from(count) == MAX_ARGUMENTS {
                return None;
            }
            give(count.into(), last);
            count += 1;
            hash = step(hash, last);
            last = word;
        }
        let is_one = version == VERSION && last == of_hash(hash);
        is_one.then_some((u16::from_le_bytes([low, high]), kind, count))
    }
}

/// The bytes in a COBS frame, one after the other.
struct UnstuffedBytes<'a> {
    bytes: slice::Iter<'a, u8>,
    /// Bytes of the block up to the next code.
    left: u8,
    /// The block ends with a zero that is not written, unless the frame ends there.
    ends_with_zero: bool,
}

impl UnstuffedBytes<'_> {
    /// Returns the next byte, `Some(None)` at the end, or `None` if the frame is invalid.
    fn next(&mut self) -> Option<Option<u8>> {
        loop {
            if self.left > 0 {
                self.left -= 1;
                return match self.bytes.next() {
                    None | Some(0) => None,
                    Some(byte) => Some(Some(*byte)),
                };
            }
            let is_zero = self.ends_with_zero;
            let Some(code) = self.bytes.next() else { return Some(None) };
            self.left = code.checked_sub(1)?;
            self.ends_with_zero = *code != u8::MAX;
            if is_zero {
                return Some(Some(0));
            }
        }
    }

    /// Returns the next four bytes, `Some(None)` at the end, or `None` if the frame is invalid or ends within the word.
    fn word(&mut self) -> Option<Option<u32>> {
        let Some(first) = self.next()? else { return Some(None) };
        let [second, third, fourth] = [self.next()??, self.next()??, self.next()??];
        Some(Some(u32::from_le_bytes([first, second, third, fourth])))
    }
}

/// Returns the checksum over complete words.
fn check(content: &[u8]) -> u32 {
    let (words, _) = content.as_chunks::<4>();
    of_hash(words.iter().fold(0, |hash, word| step(hash, u32::from_le_bytes(*word))))
}
