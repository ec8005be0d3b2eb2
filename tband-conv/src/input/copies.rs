//! Inputs that are copies of each other: their events would be there twice, as if the target had been restarted.

use std::io::{self, Read};

use crate::error::ConvError;
use crate::events::EventReader;
use crate::input::Input;
use crate::item::Mode;

/// Bytes by which most inputs differ.
const HEAD: u64 = 4096;
/// Bytes that are compared at once.
const BLOCK: u64 = 1 << 16;
/// Events with a time that a copy has at least. Metadata has no times and may be the same on all cores; so may the
/// first events of a short recording.
const TIMED: usize = 16;

/// Fails if one of these inputs contains all of another, or begins with it. An input that cannot be read is not a copy. Reads
/// the first 4096 bytes of each, and the rest only of inputs with the same first bytes. It must be possible to open the inputs
/// several times.
///
/// # Errors
/// [`ConvError::Copy`] or [`ConvError::Part`] for the first two such inputs.
pub fn refuse_copies<'i, 'a: 'i>(
    inputs: impl IntoIterator<Item = &'i Input<'a>>,
) -> Result<(), ConvError> {
    let inputs: Vec<&Input<'_>> = inputs.into_iter().collect();
    if inputs.len() < 2 {
        return Ok(());
    }
    let heads = inputs.iter().map(|input| head(input).unwrap_or_default());
    let all: Vec<(&Input<'_>, Vec<u8>)> = inputs.iter().copied().zip(heads).collect();
    for (index, (second, second_head)) in all.iter().enumerate() {
        for (first, first_head) in all.get(..index).unwrap_or_default() {
            let begin_alike =
                first_head.starts_with(second_head) || second_head.starts_with(first_head);
            if !begin_alike {
                continue;
            }
            let names = || (first.name(), second.name());
            match common(first, second) {
                Ok(CommonContent::Same) => {
                    let (first, second) = names();
                    return Err(ConvError::Copy { first, second });
                }
                Ok(CommonContent::Part) => {
                    let (first, second) = names();
                    return Err(ConvError::Part { first, second });
                }
                Ok(CommonContent::Nothing) | Err(_) => {}
            }
        }
    }
    Ok(())
}

fn read(input: &mut dyn Read, limit: u64, into: &mut Vec<u8>) -> io::Result<()> {
    into.clear();
    input.take(limit).read_to_end(into)?;
    Ok(())
}

fn open<'i>(input: &'i Input<'_>) -> io::Result<Box<dyn Read + 'i>> {
    input.open().map_err(io::Error::other)
}

fn head(input: &Input<'_>) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    read(&mut *open(input)?, HEAD, &mut head)?;
    Ok(head)
}

/// Common content of two inputs.
enum CommonContent {
    /// All of both.
    Same,
    /// All of the shorter one.
    Part,
    /// Neither contains all of the other, or the shorter one has too little content.
    Nothing,
}

fn common<'a>(first: &Input<'a>, second: &Input<'a>) -> io::Result<CommonContent> {
    let (mut first_reader, mut second_reader) = (open(first)?, open(second)?);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (shorter, common) = loop {
        read(&mut *first_reader, BLOCK, &mut ours)?;
        read(&mut *second_reader, BLOCK, &mut theirs)?;
        match (ours.len(), theirs.len()) {
            _ if !ours.starts_with(&theirs) && !theirs.starts_with(&ours) => {
                return Ok(CommonContent::Nothing);
            }
            (0, 0) => break (first, CommonContent::Same),
            (ours, theirs) if ours < theirs => break (first, CommonContent::Part),
            (ours, theirs) if ours > theirs => break (second, CommonContent::Part),
            _ => {}
        }
    };
    drop((first_reader, second_reader));
    Ok(if has_content(shorter)? { common } else { CommonContent::Nothing })
}

/// Whether there are enough timed events that no other recording has the same.
fn has_content(input: &Input<'_>) -> io::Result<bool> {
    let mut events = EventReader::new(open(input)?, input.core(), Mode::Auto);
    let mut timed = 0;
    while let Some(item) = events.next_item()? {
        timed += usize::from(item.event.is_ok_and(|it| it.ts.is_some_and(|ts| ts > 0)));
        if timed >= TIMED {
            return Ok(true);
        }
    }
    Ok(false)
}
