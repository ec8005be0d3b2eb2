//! Possible changes to the bytes, one after the other: each is undone in the reverse order.

use std::sync::LazyLock;

use tband_format::packet::{MAGIC, MAX_LEN};

use super::change::Change;
use super::charset::Charset;
use super::charset_text::{self, Encoding};
use super::plain::RestoredInput;
use super::rule::Rule;
use super::solve::{Solution, solve};
use super::telnet;

/// Maximum bytes of the input for one packet: a third more than the longest packet, for inserted bytes.
const LIMIT: usize = MAX_LEN * 4 / 3;

/// Possible changes.
#[derive(Debug)]
pub struct Hypothesis {
    /// The bytes were read as text in this character set and written in this encoding.
    text: Option<(Encoding, Charset)>,
    /// They went through telnet; it may have put a zero after each CR.
    telnet: Option<bool>,
    rule: Rule,
    /// The changes. The second one is an additional change.
    pub changes: [Option<Change>; 2],
    /// The magic number of a packet after them.
    magic: Vec<u8>,
}

impl Hypothesis {
    fn new(
        text: Option<(Encoding, Charset)>,
        telnet: Option<bool>,
        rule: Rule,
        changes: [Option<Change>; 2],
    ) -> Self {
        let plain = MAGIC.to_le_bytes();
        let mut magic = Vec::new();
        match text {
            Some((encoding, charset)) => {
                plain.iter().for_each(|byte| encoding.write(charset.character(*byte), &mut magic))
            }
            None => magic.extend(plain),
        }
        Self { text, telnet, rule, changes, magic }
    }

    /// A packet may begin here.
    pub fn may_begin(&self, raw: &[u8]) -> bool {
        raw.starts_with(&self.magic)
    }

    /// Undoes them. `raw` is all there is if it `is_all`.
    pub fn undo(&self, raw: &[u8], is_all: bool) -> Solution {
        let plain = match self.text {
            Some((encoding, charset)) => charset_text::undo(raw, encoding, charset, LIMIT, is_all),
            None => RestoredInput::of(raw, LIMIT, is_all),
        };
        let plain = match self.telnet {
            Some(cr_has_zero) => telnet::undo(&plain, cr_has_zero),
            None => plain,
        };
        solve(&plain, self.rule)
    }
}

/// All of them, the most frequent first.
pub static ALL: LazyLock<Vec<Hypothesis>> = LazyLock::new(|| {
    use Change::{CrAdded, LineEnds, Tabs, Telnet, TextEncoding};
    let one = |rule, change| Hypothesis::new(None, None, rule, [Some(change), None]);
    let of_telnet =
        |zeros, rule, also| Hypothesis::new(None, Some(zeros), rule, [Some(Telnet), also]);
    let mut all = vec![
        one(Rule::CrBeforeLf, CrAdded),
        one(Rule::TwoCrBeforeLf, CrAdded),
        of_telnet(false, Rule::Nothing, None),
        of_telnet(true, Rule::Nothing, None),
        of_telnet(false, Rule::CrBeforeLf, Some(CrAdded)),
        of_telnet(true, Rule::CrBeforeLf, Some(CrAdded)),
        one(Rule::ZeroAfterCr, Telnet),
        one(Rule::FfMerged, Telnet),
        one(Rule::CrToLf, LineEnds),
        one(Rule::LfToCr, LineEnds),
        one(Rule::CrLfToLf, LineEnds),
        one(Rule::LfAfterCr, LineEnds),
        one(Rule::AnyLineEnd, LineEnds),
        one(Rule::Tabs, Tabs),
    ];
    for encoding in [Encoding::Utf16Le, Encoding::Utf8, Encoding::Utf16Be] {
        for charset in [Charset::Western, Charset::Cp437, Charset::Cp850] {
            for (rule, also) in [
                (Rule::Nothing, None),
                (Rule::CrBeforeLf, Some(CrAdded)),
                (Rule::AnyLineEnd, Some(LineEnds)),
            ] {
                let changes = [Some(TextEncoding), also];
                all.push(Hypothesis::new(Some((encoding, charset)), None, rule, changes));
            }
        }
    }
    all
});

/// Longest form of a magic number.
pub const LONGEST: usize = 12;

/// Which two bytes the magic number of a packet may begin with, after one of the changes.
pub fn starts() -> impl Iterator<Item = [u8; 2]> {
    ALL.iter().filter_map(|it| it.magic.first_chunk().copied())
}
