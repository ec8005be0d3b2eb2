//! Faulty targets: they close the connection, answer late, never, or with bytes that are not a recording.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::process;
use std::thread;

use tband_format::packet::command::Command;
use tband_format::{Event, encode_frame, max_frame_len};
use tband_programs::output;

/// Returns the output of `tband-cli command info` for a target that does this with a connection.
fn run_info(wait: &str, does: impl FnOnce(TcpStream) + Send + 'static) -> (Option<i32>, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let source = format!("tcp:{}", listener.local_addr().expect("an address"));
    let server = thread::spawn(move || does(listener.accept().expect("a connection").0));
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(["command", "--wait", wait, &source, "info"])).expect("runs");
    server.join().expect("a thread");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (ran.status.code(), text(&ran.stdout) + &text(&ran.stderr))
}

/// The next command that comes.
fn command(stream: &mut TcpStream) -> Command {
    let (mut frame, mut byte) = (Vec::new(), [0]);
    loop {
        stream.read_exact(&mut byte).expect("a command");
        match byte {
            [0] if frame.is_empty() => {}
            [0] => return Command::read(&frame).expect("a command"),
            [byte] => frame.push(byte),
        }
    }
}

fn recording(events: &[Event<'_>]) -> Vec<u8> {
    let mut frames = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let mut frame = vec![0; max_frame_len(event, at as u64)];
        let len = encode_frame(event, at as u64, &mut frame).expect("a frame");
        frames.extend_from_slice(&frame[..len]);
    }
    tband_recordings::packed::packed(&frames, 256)
}

fn answer(command: &Command, is: i64) -> Vec<u8> {
    recording(&[Event::Answer { n: command.number.into(), is }])
}

const DONE: &str = "version 7 of the events, 2 damaged commands\n";

/// The last that comes is the answer, and then the connection is closed.
#[test]
fn an_answer_at_the_end() {
    let (code, printed) = run_info("600s", |mut stream| {
        let command = command(&mut stream);
        stream.write_all(&answer(&command, 0x207)).expect("sent");
    });
    assert_eq!((code, printed.as_str()), (Some(0), DONE));
}

/// Without an answer the host sends the command once more, with the same number.
#[test]
fn an_answer_that_was_lost() {
    let (code, printed) = run_info("600s", |mut stream| {
        let first = command(&mut stream);
        let second = command(&mut stream);
        assert_eq!(first, second);
        stream.write_all(&answer(&second, 0x207)).expect("sent");
        // As far as the other side reads.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    assert_eq!((code, printed.as_str()), (Some(0), DONE));
}

/// Answers to others are none, however many.
#[test]
fn answers_of_others() {
    let (code, printed) = run_info("600s", |mut stream| {
        let Command { number, .. } = command(&mut stream);
        let others = (1..200_u16)
            .map(|other| Event::Answer { n: number.wrapping_add(other).into(), is: -1 });
        stream.write_all(&recording(&others.collect::<Vec<_>>())).expect("sent");
    });
    assert!(code == Some(2) && printed.contains("no answer to info"), "{printed}");
}

#[test]
fn a_connection_that_is_closed_at_once() {
    let (code, printed) = run_info("600s", drop);
    assert!(code == Some(2) && !printed.contains("panicked"), "{printed}");
    assert!(
        printed.contains("no answer to info") || printed.contains("tcp:127.0.0.1:"),
        "{printed}"
    );
}

/// The received bytes are a log.
#[test]
fn a_target_that_sends_no_recording() {
    let (code, printed) = run_info("600s", |mut stream| {
        let log = "temperature 21 degrees, fan off, 3 errors\r\n".repeat(20_000);
        let _ = stream.write_all(log.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    });
    assert!(code == Some(2) && printed.contains("tcp:127.0.0.1:"), "{printed}");
    assert!(printed.contains("no recording") || printed.contains("no answer to info"), "{printed}");
}
