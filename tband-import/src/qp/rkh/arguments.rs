//! Arguments of events.

use super::super::frame::Fields;
use super::config::Config;

/// The arguments of an event, by kind.
#[derive(Debug, Default)]
pub struct Arguments<'a> {
    pub symbols: [u64; 4],
    pub signal: u64,
    /// Numbers, as they come.
    pub numbers: [u64; 6],
    /// Elements of a queue, or blocks of a pool.
    pub level: Option<u64>,
    pub text: &'a [u8],
}

impl<'a> Arguments<'a> {
    /// Reads the arguments of this layout. `None`: the frame does not end where they do.
    pub fn read(layout: &str, fields: &mut Fields<'a>, config: &Config) -> Option<Self> {
        let (mut all, mut symbols, mut numbers) = (Self::default(), 0, 0);
        for letter in layout.bytes() {
            match letter {
                b'*' => return Some(all),
                b'x' => {
                    all.text = fields.text()?;
                    continue;
                }
                _ => {}
            }
            let size = config.of(letter);
            let number = fields.number(size)?;
            let put = |places: &mut [u64], at: &mut usize| {
                if let Some(place) = places.get_mut(*at) {
                    *place = number;
                    *at += 1;
                }
            };
            match letter {
                b'p' | b'f' => put(&mut all.symbols, &mut symbols),
                b's' => all.signal = number,
                b'n' | b'k' => all.level = Some(number),
                b'm' | b'K' | b'r' => {}
                _ => put(&mut all.numbers, &mut numbers),
            }
        }
        fields.0.is_empty().then_some(all)
    }
}

/// A name without what casts it: `&RKH_UPCAST(RKH_SMA_T, me)->equeue` is `me->equeue`.
pub fn strip_casts(text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(text).into_owned();
    while let Some(start) = text.find("RKH_UPCAST(") {
        let inner = text.get(start..).unwrap_or_default();
        let (Some(comma), Some(end)) = (inner.find(','), inner.find(')')) else { break };
        let name = inner.get(comma + 1..end).unwrap_or_default().trim().to_owned();
        text.replace_range(start..=start + end, &name);
    }
    while let Some(end) = text.starts_with('(').then(|| text.find(')')).flatten() {
        text.replace_range(..=end, "");
    }
    text.trim_start_matches(['&', ' ']).to_owned()
}
