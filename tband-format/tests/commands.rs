//! Commands of the host: a written command is read unchanged, and nothing else is accepted.

use proptest::prelude::*;
use tband_format::packet::command::{
    COMMAND_ERRORS, COMMAND_KINDS, Command, MAX_ARGUMENTS, MAX_COMMAND_FRAME,
};

fn commands() -> impl Strategy<Value = Command> {
    let arguments = prop::collection::vec(prop_oneof![any::<u32>(), 0..3_u32], 0..=MAX_ARGUMENTS);
    (any::<u16>(), any::<u8>(), arguments).prop_map(|(number, kind, given)| {
        let mut arguments = [0; MAX_ARGUMENTS];
        arguments[..given.len()].copy_from_slice(&given);
        Command { number, kind, arguments, count: given.len() as u8 }
    })
}

/// Without the zero byte that closes it.
fn frame(command: &Command) -> Vec<u8> {
    let mut out = [0; MAX_COMMAND_FRAME];
    let len = command.frame(&mut out);
    assert!(len > 0 && out[len - 1] == 0 && !out[..len - 1].contains(&0));
    out[..len - 1].to_vec()
}

proptest! {
    #[test]
    fn reading_inverts_writing(command in commands()) {
        prop_assert_eq!(Command::read(&frame(&command)), Some(command));
    }

    /// A disturbed line does not turn one command into another.
    #[test]
    fn no_bit_can_change(command in commands()) {
        let frame = frame(&command);
        for bit in 0..frame.len() * 8 {
            let mut other = frame.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            prop_assert_eq!(Command::read(&other), None, "{}", bit);
        }
    }

    #[test]
    fn refuses_missing_and_extra_bytes(command in commands(), byte in 1..=u8::MAX) {
        let frame = frame(&command);
        for len in 0..frame.len() {
            prop_assert_eq!(Command::read(&frame[..len]), None);
            prop_assert_eq!(Command::read(&frame[len + 1..]), None);
        }
        prop_assert_eq!(Command::read(&[&frame[..], &[byte]].concat()), None);
    }

    #[test]
    fn anything_may_come(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        if let Some(command) = Command::read(&bytes) {
            prop_assert!(usize::from(command.count) <= MAX_ARGUMENTS);
        }
    }

    /// The target reads COBS without a buffer, as the rest of the project reads it with one.
    #[test]
    fn refuses_commands_that_are_not_frames(command in commands(), at in any::<prop::sample::Index>(), byte: u8) {
        let mut bytes = frame(&command);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let mut scratch = [0; 80];
        if tband_format::cobs::decode(&bytes, &mut scratch).is_err() {
            prop_assert_eq!(Command::read(&bytes), None);
        }
    }
}

#[test]
fn kinds_and_errors_have_each_their_number() {
    assert!(COMMAND_KINDS.windows(2).all(|pair| pair[0].number < pair[1].number));
    assert!(COMMAND_KINDS.iter().all(|kind| kind.arguments.len() <= MAX_ARGUMENTS));
    assert!(COMMAND_ERRORS.windows(2).all(|pair| pair[0].0 > pair[1].0));
    assert!(COMMAND_ERRORS.iter().all(|error| error.0 < 0));
}
