//! Changes of programs and lines to the bytes of a recording.

use std::fmt;

/// A change of a recording's bytes between the target and the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Change {
    /// A CR was put before each LF.
    CrAdded,
    /// CR and LF were translated into each other.
    LineEnds,
    /// CR was removed.
    CrRemoved,
    /// XON and XOFF were removed.
    FlowControl,
    /// Zero bytes were removed.
    ZerosRemoved,
    /// FF was doubled, or commands of telnet were put in.
    Telnet,
    /// The bytes were written as text in UTF-8 or UTF-16.
    TextEncoding,
    /// Bytes that are not valid text in some encoding were replaced.
    Replaced,
    /// The upper bit of each byte was lost.
    SevenBits,
    /// Tabs were replaced with blanks.
    Tabs,
    /// Text was put between the bytes.
    Text,
    /// Ctrl-Z marks the end of a text.
    EndOfText,
    /// Bytes that were never written: zeros, or FF.
    Fill,
}

impl Change {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::CrAdded,
        Self::LineEnds,
        Self::CrRemoved,
        Self::FlowControl,
        Self::ZerosRemoved,
        Self::Telnet,
        Self::TextEncoding,
        Self::Replaced,
        Self::SevenBits,
        Self::Tabs,
        Self::Text,
        Self::EndOfText,
        Self::Fill,
    ];

    /// Its name for programs. It stays the same in later versions.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::CrAdded => "cr-added",
            Self::LineEnds => "line-ends",
            Self::CrRemoved => "cr-removed",
            Self::FlowControl => "flow-control",
            Self::ZerosRemoved => "zeros-removed",
            Self::Telnet => "telnet",
            Self::TextEncoding => "text-encoding",
            Self::Replaced => "characters-replaced",
            Self::SevenBits => "seven-bits",
            Self::Tabs => "tabs-expanded",
            Self::Text => "text-on-line",
            Self::EndOfText => "ctrl-z",
            Self::Fill => "fill",
        }
    }

    /// Returns the change, as a sentence without its full stop.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::CrAdded => {
                "a CR (0D) was put before LF (0A), as a terminal or a file in text mode does"
            }
            Self::LineEnds => "CR (0D) and LF (0A) were translated into each other",
            Self::CrRemoved => "CR (0D) was removed",
            Self::FlowControl => {
                "XON and XOFF (11 and 13) were removed, as a line with software flow control does"
            }
            Self::ZerosRemoved => "zero bytes were removed",
            Self::Telnet => "telnet doubled FF, or put its commands between the bytes",
            Self::TextEncoding => {
                "the bytes were written as text (UTF-8 or UTF-16), as > of PowerShell does"
            }
            Self::Replaced => "bytes that are not text were replaced with one character",
            Self::SevenBits => {
                "the upper bit of each byte was lost: the line has 7 data bits, or a parity bit"
            }
            Self::Tabs => "tabs (09) were replaced with blanks",
            Self::Text => "text was put between the bytes: something else prints on the same line",
            Self::EndOfText => "Ctrl-Z (1A) marks the end of a text",
            Self::Fill => "bytes were never written: the unused rest of a preallocated file",
        }
    }

    /// Returns how to avoid the change.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            Self::CrAdded | Self::LineEnds | Self::CrRemoved | Self::Tabs => {
                "set the terminal program to binary (raw) mode and open files in binary mode; tband-cli record reads \
                 the port without a terminal program"
            }
            Self::FlowControl => "switch software flow control (XON/XOFF, ixon) off at both ends",
            Self::ZerosRemoved => "record in binary (raw) mode: the program drops zero bytes",
            Self::Telnet => {
                "use a raw TCP port of the server instead of telnet, or set telnet to binary"
            }
            Self::TextEncoding | Self::Replaced => {
                "do not redirect binary output with > in PowerShell; use tband-cli record -o FILE, or cmd /c"
            }
            Self::SevenBits => "set the line to 8 data bits and no parity (8N1) at both ends",
            Self::Text => "print on another port than the recording",
            Self::EndOfText => "copy the file in binary mode (copy /b)",
            Self::Fill => "cut the file where the recording ends if you do not want the rest",
        }
    }

    /// Whether a packet with this change looks like one that was cut.
    pub(crate) const fn is_removal(self) -> bool {
        matches!(self, Self::CrRemoved | Self::FlowControl)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// How often a change was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangeCount {
    /// Packets that were restored. Their checks prove the result.
    pub restored: u64,
    /// Runs of bytes that show the change and could not be restored.
    pub not_restored: u64,
    /// Runs of bytes beside the packets, which cost nothing of the recording.
    pub beside: u64,
    /// Bytes of these runs.
    pub beside_bytes: u64,
}

/// How often each change was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes([ChangeCount; Change::ALL.len()]);

impl Changes {
    /// Those that were found, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Change, ChangeCount)> {
        let all = Change::ALL.into_iter().zip(self.0);
        all.filter(|(_, count)| *count != ChangeCount::default())
    }

    /// How often a change was found.
    #[must_use]
    pub fn get(&self, change: Change) -> ChangeCount {
        self.0.get(change as usize).copied().unwrap_or_default()
    }

    pub(crate) fn of(&mut self, change: Change) -> Option<&mut ChangeCount> {
        self.0.get_mut(change as usize)
    }

    /// Adds those of another input.
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(&other.0) {
            let ChangeCount { restored, not_restored, beside, beside_bytes } = more;
            for (sum, more) in [
                (&mut sum.restored, restored),
                (&mut sum.not_restored, not_restored),
                (&mut sum.beside, beside),
                (&mut sum.beside_bytes, beside_bytes),
            ] {
                *sum = sum.saturating_add(*more);
            }
        }
    }
}
