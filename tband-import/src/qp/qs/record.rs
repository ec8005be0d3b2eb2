//! A record with its fields.

use super::super::frame::Fields;
use super::sizes::Sizes;

/// Fields of one kind that a record has at most.
const MAX: usize = 2;

/// Numbers of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    all: [u64; MAX],
    count: usize,
}

impl Numbers {
    fn push(&mut self, number: u64) {
        if let Some(place) = self.all.get_mut(self.count) {
            *place = number;
            self.count += 1;
        }
    }

    /// The number at this place; 0 if the record has none.
    pub fn at(&self, index: usize) -> u64 {
        self.all.get(index).copied().unwrap_or(0)
    }
}

/// The fields of a record, by kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record<'a> {
    pub name: &'static str,
    pub time: Option<u64>,
    pub objects: Numbers,
    pub functions: Numbers,
    pub signal: u64,
    /// Counters: of queues, pools, time events, and event sizes.
    pub counters: Numbers,
    /// Numbers of one or two bytes.
    pub bytes: Numbers,
    pub text: &'a [u8],
}

impl<'a> Record<'a> {
    /// Reads a record of this name and layout. `None`: its data is not laid out like that.
    pub fn read(
        (name, layout): (&'static str, &'static str),
        data: &'a [u8],
        sizes: Sizes,
    ) -> Option<Self> {
        let mut fields = Fields(data);
        let mut it = Self { name, ..Self::default() };
        for letter in layout.bytes() {
            if letter == b'*' {
                return Some(it);
            }
            if letter == b'x' {
                it.text = fields.text()?;
                continue;
            }
            let number = fields.number(sizes.of(letter))?;
            match letter {
                b't' => it.time = Some(number),
                b'o' => it.objects.push(number),
                b'f' => it.functions.push(number),
                b's' => it.signal = number,
                b'1' | b'2' => it.bytes.push(number),
                _ => it.counters.push(number),
            }
        }
        fields.0.is_empty().then_some(it)
    }
}
