//! Places where bytes may have been replaced: rules of translation that are undone by trying the possible originals.

/// A run of bytes that may replace others.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Where it begins, and its length.
    pub at: usize,
    pub len: usize,
    /// Its possible originals.
    pub options: &'static [&'static [u8]],
}

/// How bytes were translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Nothing,
    /// LF became CR LF.
    CrBeforeLf,
    /// LF became CR CR LF.
    TwoCrBeforeLf,
    /// CR became CR LF.
    LfAfterCr,
    /// LF, CR and CR LF became CR LF, as when lines are read and written again.
    AnyLineEnd,
    /// CR became LF.
    CrToLf,
    /// LF became CR.
    LfToCr,
    /// CR LF became LF.
    CrLfToLf,
    /// CR became CR and a zero.
    ZeroAfterCr,
    /// FF FF was taken for telnet's, and became FF.
    FfMerged,
    /// A tab became one to eight blanks.
    Tabs,
}

/// Blanks; the last of them may have been a tab.
const BLANKS: [&[&[u8]]; 8] = [
    &[b" ", b"\t"],
    &[b"  ", b"\t", b" \t", b"\t\t"],
    &[b"   ", b"\t", b" \t", b"  \t", b"\t\t"],
    &[b"    ", b"\t", b" \t", b"  \t", b"   \t", b"\t\t"],
    &[b"     ", b"\t", b" \t", b"  \t", b"\t\t"],
    &[b"      ", b"\t", b" \t", b"  \t", b"\t\t"],
    &[b"       ", b"\t", b" \t", b"  \t", b"\t\t"],
    &[b"        ", b"\t", b" \t", b"  \t", b"\t\t"],
];

impl Rule {
    /// Returns the site that these bytes begin with: its length, and its possible originals.
    fn site(self, bytes: &[u8]) -> Option<(usize, &'static [&'static [u8]])> {
        Some(match (self, bytes) {
            (Self::CrBeforeLf, [b'\r', b'\n', ..]) => (2, &[b"\n"]),
            (Self::TwoCrBeforeLf, [b'\r', b'\r', b'\n', ..]) => (3, &[b"\n"]),
            (Self::LfAfterCr, [b'\r', b'\n', ..]) => (2, &[b"\r", b"\r\n"]),
            (Self::AnyLineEnd, [b'\r', b'\n', ..]) => (2, &[b"\n", b"\r", b"\r\n"]),
            (Self::CrToLf, [b'\n', ..]) => (1, &[b"\n", b"\r"]),
            (Self::LfToCr, [b'\r', ..]) => (1, &[b"\r", b"\n"]),
            (Self::CrLfToLf, [b'\n', ..]) => (1, &[b"\n", b"\r\n"]),
            (Self::ZeroAfterCr, [b'\r', 0, ..]) => (2, &[b"\r"]),
            (Self::FfMerged, [0xFF, ..]) => (1, &[b"\xFF", b"\xFF\xFF"]),
            (Self::Tabs, [b' ', ..]) => {
                let len = bytes.iter().take(BLANKS.len()).take_while(|it| **it == b' ').count();
                (len, BLANKS.get(len - 1)?)
            }
            _ => return None,
        })
    }

    /// All sites, in order.
    pub fn sites(self, bytes: &[u8]) -> Vec<Site> {
        let (mut sites, mut at) = (Vec::new(), 0);
        if self == Self::Nothing {
            return sites;
        }
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            match self.site(rest) {
                Some((len, options)) => {
                    sites.push(Site { at, len, options });
                    at += len;
                }
                None => at += 1,
            }
        }
        sites
    }

    /// The last byte may be the first of a longer site.
    pub fn may_continue(self, bytes: &[u8]) -> bool {
        match self {
            Self::Nothing | Self::CrToLf | Self::LfToCr | Self::CrLfToLf | Self::FfMerged => false,
            Self::Tabs => bytes.last() == Some(&b' '),
            _ => bytes.last() == Some(&b'\r'),
        }
    }
}
