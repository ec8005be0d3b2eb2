//! A line that loses bytes: each command is answered in the end, and where none is, the reason is the right one.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tband_tests::random::Random;

use crate::board::RunningBoard;

/// Copies bytes, drops one in so many (none if 0), and counts the zero bytes.
fn copy(mut from: TcpStream, mut to: TcpStream, one_in: u32, seed: u64, zeros: &AtomicUsize) {
    let (mut random, mut some) = (Random::new(seed), [0; 4096]);
    while let Ok(len @ 1..) = from.read(&mut some) {
        zeros.fetch_add(some[..len].iter().filter(|byte| **byte == 0).count(), Ordering::Relaxed);
        let mut left = some[..len].to_vec();
        left.retain(|_| one_in == 0 || !random.one_in(one_in));
        if to.write_all(&left).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

/// A line to this port that loses a byte in so many, in both directions: where it is, and how many zero bytes the host has sent. Each
/// command has two of them.
fn line(to: u16, one_in: u32) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let zeros = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&zeros);
    thread::spawn(move || {
        for (number, host) in (1..).zip(listener.incoming()) {
            let host = host.expect("a connection");
            let target = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).expect("the UART");
            let [from, back] = [&host, &target].map(|it| it.try_clone().expect("a socket"));
            let counted = Arc::clone(&counted);
            thread::spawn(move || copy(from, target, one_in, number, &counted));
            thread::spawn(move || copy(back, host, one_in, !number, &AtomicUsize::new(0)));
        }
    });
    (port, zeros)
}

const TIMES: usize = 12;

#[test]
fn each_command_is_answered_over_a_line_that_loses_bytes() {
    let mut board = RunningBoard::new("-DALLOW");
    let (port, zeros) = line(board.port(), 50);
    board.set_port(port);
    for _ in 0..TIMES {
        let (code, output, error) = board.command(&["info"]);
        assert!(code == Some(0) && output.starts_with("version "), "{error}");
    }
    // With tries that are answered as rarely as a whole packet comes it would be hundreds.
    let sent = zeros.load(Ordering::Relaxed) / 2;
    println!("{sent} commands for {TIMES} answers");
    assert!((TIMES..TIMES * 12).contains(&sent), "{sent}");
}

#[test]
fn distinguishes_a_lost_command_from_an_unsupported_one() {
    let mut board = RunningBoard::new("-DALLOW -DDEAF -fdata-sections");
    let to = board.port();
    for (one_in, cause, other) in
        [(0, "port/tband_commands.c", "bytes are lost"), (20, "bytes are lost", "tband_commands.c")]
    {
        board.set_port(line(to, one_in).0);
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
