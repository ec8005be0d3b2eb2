//! A line that loses bytes: each command is answered in the end, and where none is, the reason is the right one.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::thread;

use tband_tests::random::Random;

use crate::board::RunningBoard;

/// Copies bytes, and drops one in so many (none if 0).
fn copy(mut from: TcpStream, mut to: TcpStream, one_in: u32, seed: u64) {
    let (mut random, mut some) = (Random::new(seed), [0; 4096]);
    while let Ok(len @ 1..) = from.read(&mut some) {
        let mut left = some[..len].to_vec();
        left.retain(|_| one_in == 0 || !random.one_in(one_in));
        if to.write_all(&left).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

/// Returns the port of a line to this port that loses one byte in so many, in both directions.
fn line(to: u16, one_in: u32) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for (number, host) in (1..).zip(listener.incoming()) {
            let host = host.expect("a connection");
            let target = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).expect("the UART");
            let [from, back] = [&host, &target].map(|it| it.try_clone().expect("a socket"));
            thread::spawn(move || copy(from, target, one_in, number));
            thread::spawn(move || copy(back, host, one_in, !number));
        }
    });
    port
}

#[test]
fn each_command_is_answered_over_a_line_that_loses_bytes() {
    let mut board = RunningBoard::new("-DALLOW");
    board.set_port(line(board.port(), 50));
    for _ in 0..12 {
        let (code, output, error) = board.command(&["info"]);
        assert!(code == Some(0) && output.starts_with("version "), "{error}");
    }
}

#[test]
fn distinguishes_a_lost_command_from_an_unsupported_one() {
    let mut board = RunningBoard::new("-DALLOW -DDEAF -fdata-sections");
    let to = board.port();
    for (one_in, cause, other) in
        [(0, "port/tband_commands.c", "bytes are lost"), (20, "bytes are lost", "tband_commands.c")]
    {
        board.set_port(line(to, one_in));
        let (code, _, output) = board.command_within("3s", &["info"]);
        assert_eq!(code, Some(2), "{output}");
        assert!(
            output.contains("no answer to info: it was sent ") && output.contains(" times in 3s"),
            "{output}"
        );
        assert!(output.contains(cause) && !output.contains(other), "{output}");
        let (_, _, once) = board.command_within("1s", &["user", "1"]);
        assert!(
            once.contains("sent once in 1s") && once.contains("may have been executed"),
            "{once}"
        );
        // The program tells it.
        let (_, _, output) = board.command_within("1s", &["--elf", "debugged.elf", "info"]);
        assert!(output.contains("debugged.elf has no tband_obey()"), "{output}");
    }
}
