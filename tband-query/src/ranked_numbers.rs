//! Numbers, one of which is selected by its rank. Some are in memory, sorted runs of the others in a temporary file.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// Numbers in memory: 8 MiB.
const IN_MEMORY: usize = 1 << 20;

/// Any number of them.
#[derive(Debug)]
pub struct RankedNumbers {
    memory: Vec<i64>,
    most: usize,
    /// Runs of `most` numbers each, one after the other.
    runs: Option<(File, usize)>,
}

impl Default for RankedNumbers {
    fn default() -> Self {
        Self { memory: Vec::new(), most: IN_MEMORY, runs: None }
    }
}

impl RankedNumbers {
    /// How many there are.
    pub fn len(&self) -> usize {
        let runs = self.runs.as_ref().map_or(0, |(_, runs)| *runs);
        runs.saturating_mul(self.most).saturating_add(self.memory.len())
    }

    /// Adds one.
    pub fn push(&mut self, number: i64) -> io::Result<()> {
        self.memory.push(number);
        if self.memory.len() >= self.most { self.spill() } else { Ok(()) }
    }

    /// Puts those in memory into the file.
    fn spill(&mut self) -> io::Result<()> {
        self.memory.sort_unstable();
        let (file, runs) = match &mut self.runs {
            Some(there) => there,
            none => none.insert((tempfile::tempfile()?, 0)),
        };
        file.seek(SeekFrom::End(0))?;
        let mut out = BufWriter::new(file);
        for number in self.memory.drain(..) {
            out.write_all(&number.to_le_bytes())?;
        }
        out.flush()?;
        drop(out);
        *runs = runs.saturating_add(1);
        Ok(())
    }

    /// The number that has this many before it, in their order.
    pub fn nth(mut self, rank: usize) -> io::Result<Option<i64>> {
        if rank >= self.len() {
            return Ok(None);
        }
        self.memory.sort_unstable();
        // The least number for which enough are as small.
        let (mut low, mut high) = (i64::MIN, i64::MAX);
        while low < high {
            let middle = low.midpoint(high);
            // It rounds towards zero.
            let middle = if middle == high { middle.saturating_sub(1) } else { middle };
            if self.up_to(middle)? > rank {
                high = middle;
            } else {
                low = middle.saturating_add(1);
            }
        }
        Ok(Some(low))
    }

    /// How many are not greater than a number.
    fn up_to(&mut self, number: i64) -> io::Result<usize> {
        let mut count = self.memory.partition_point(|it| *it <= number);
        if let Some((file, runs)) = &mut self.runs {
            for run in 0..*runs {
                let begin = run.saturating_mul(self.most);
                let (mut low, mut high) = (0, self.most);
                while low < high {
                    let middle = low.midpoint(high);
                    if read(file, begin.saturating_add(middle))? <= number {
                        low = middle.saturating_add(1);
                    } else {
                        high = middle;
                    }
                }
                count = count.saturating_add(low);
            }
        }
        Ok(count)
    }
}

fn read(file: &mut File, place: usize) -> io::Result<i64> {
    file.seek(SeekFrom::Start((place as u64).saturating_mul(8)))?;
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(i64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_rank_is_that_of_the_sorted_numbers(
            numbers in prop::collection::vec(
                prop_oneof![any::<i64>(), -9_i64..9, Just(i64::MIN), Just(i64::MAX)], 1..40),
            most in 1_usize..9,
        ) {
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            for (rank, expected) in sorted.iter().enumerate() {
                let mut ranked = RankedNumbers { most, ..RankedNumbers::default() };
                numbers.iter().for_each(|number| ranked.push(*number).unwrap());
                prop_assert_eq!(ranked.len(), numbers.len());
                prop_assert_eq!(ranked.nth(rank).unwrap(), Some(*expected));
            }
        }
    }

    #[test]
    fn a_rank_beyond_the_last_has_no_number() {
        assert_eq!(RankedNumbers::default().nth(0).unwrap(), None);
    }
}
