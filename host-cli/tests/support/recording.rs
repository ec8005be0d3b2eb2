//! A running `record`, and the other end.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tband_conv::packets::{PacketPiece, PacketReader};
use tband_format::Event;
use tband_programs::until;

use super::{Folder, Program, RunOutput, cli, frame, piped, ran, signal, start};

/// Returns a recording of this many switches between two tasks, with names, in frames.
pub fn switches(count: u64) -> Vec<u8> {
    let name = tband_recordings::str;
    let mut bytes = [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
        frame(0, Event::TaskName { task_id: 1, name: name("one") }),
        frame(0, Event::TaskName { task_id: 2, name: name("two") }),
    ]
    .concat();
    for number in 1..=count {
        bytes
            .extend(frame(number * 10, Event::TaskSwitchedIn { task_id: 1 + (number % 2) as u32 }));
    }
    bytes
}

/// Returns the same in packets of 256 bytes.
pub fn packed(count: u64) -> Vec<u8> {
    tband_recordings::packed::packed(&switches(count), 256)
}

/// `record` as it runs.
pub struct Recording {
    pub program: Program,
    pub output: String,
}

impl Recording {
    pub fn start(folder: &Folder, args: &[&str]) -> Self {
        Self::start_in(folder, args, "r.bin")
    }

    pub fn start_in(folder: &Folder, args: &[&str], output: &str) -> Self {
        let all = [&["record", "-o", output], args].concat();
        let mut command = cli(&all);
        command.current_dir(&folder.0).stdin(Stdio::piped());
        let program = start(piped(&mut command)).unwrap();
        Self { program, output: folder.path(output) }
    }

    /// Returns its first message, that it records. For a listening one, with its port.
    pub fn read_address(&mut self) -> String {
        let line = self.program.stderr_line();
        assert!(line.starts_with("recording "), "{line}");
        line
    }

    pub fn port(&mut self) -> u16 {
        let line = self.read_address();
        let name = line.split(' ').nth(1).unwrap();
        name.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Waits until this many bytes are in the file.
    pub fn has(&mut self, len: usize) {
        until(|| {
            assert_eq!(self.program.try_wait().unwrap(), None);
            fs::metadata(&self.output).is_ok_and(|meta| meta.len() >= len as u64).then_some(())
        });
        assert_eq!(fs::metadata(&self.output).unwrap().len(), len as u64);
    }

    pub fn interrupt(mut self) -> RunOutput {
        // Its source does not end in that time.
        let stdin = self.program.stdin();
        signal(&self.program, "-INT");
        let ran = ran(self.program.output().unwrap());
        drop(stdin);
        ran
    }

    pub fn end(self) -> RunOutput {
        ran(self.program.output().unwrap())
    }

    pub fn bytes(folder: &Folder) -> Vec<u8> {
        fs::read(folder.path("r.bin")).unwrap()
    }
}

pub fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, format!("tcp:127.0.0.1:{port}"))
}

pub fn to(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

/// Both ends of a line.
pub fn line() -> (File, String) {
    let device = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&device).unwrap();
    unlockpt(&device).unwrap();
    let size = rustix::termios::Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&device, size).unwrap();
    let path = ptsname(&device, Vec::new()).unwrap().into_string().unwrap();
    (device.into(), path)
}

pub fn is_raw(device: &File) -> bool {
    use rustix::termios::{LocalModes, tcgetattr};
    !tcgetattr(device).unwrap().local_modes.contains(LocalModes::ICANON)
}

/// Checks that packets are consecutive, except for the last.
pub fn assert_whole(bytes: &[u8]) {
    let mut reader = PacketReader::new(bytes);
    let mut end = 0;
    while let Some(piece) = reader.next_piece().unwrap() {
        match piece {
            PacketPiece::Packet { offset, packet } => {
                assert_eq!(offset, end);
                end += packet.header().packet_len as u64;
            }
            PacketPiece::Damage { offset, len, .. } => {
                assert_eq!((offset, offset + len), (end, bytes.len() as u64));
            }
        }
    }
}
