//! A target at the other end of a connection, which records events of a test, and executes commands.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::Duration;

use tband_conv::packets::Packer;
use tband_format::Event;
use tband_format::packet::command::Command;
use tband_format::trigger::{AT_LEAST, TriggerState};

use super::{Program, assert_fails, frame, ran};

/// A target: an event a tick, in frames or in packets.
pub struct Target {
    listener: TcpListener,
    stream: TcpStream,
    /// None: frames.
    packer: Option<Packer>,
    now: u64,
    /// Received bytes that are still unread.
    came: Vec<u8>,
    /// Numbers of executed commands: they are repeated until they are answered.
    pub executed: Vec<u16>,
    pub fired: u32,
    /// Events that were discarded.
    lost: u32,
}

/// Its first metadata.
pub const METADATA: [Event<'static>; 3] = [
    Event::TsResolutionNs { ns_per_ts: 1000 },
    Event::TaskName { task_id: 1, name: tband_format::Str(b"worker") },
    Event::ValmarkerName { valmarker_id: 1, name: tband_format::Str(b"level") },
];

fn packer() -> Packer {
    Packer::new(256).without_state().compact()
}

fn accepted(listener: &TcpListener) -> TcpStream {
    let stream = listener.accept().unwrap().0;
    stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    stream
}

impl Target {
    /// One that has accepted a connection, and begins to record.
    pub fn new(listener: TcpListener, has_packets: bool) -> Self {
        let packer = has_packets.then(packer);
        let stream = accepted(&listener);
        let (came, executed) = (Vec::new(), Vec::new());
        let mut target =
            Self { listener, stream, packer, now: 0, came, executed, fired: 0, lost: 0 };
        target.begin();
        target
    }

    fn begin(&mut self) {
        let frames: Vec<u8> = METADATA.into_iter().flat_map(|it| frame(0, it)).collect();
        // Packets contain their core; a stream of frames starts with it.
        let mut bytes = Vec::new();
        match &mut self.packer {
            Some(packer) => packer.metadata(0, &frames, &mut |_, it| bytes.extend_from_slice(it)),
            None => bytes = [frame(0, Event::CoreId { core_id: 0 }), frames].concat(),
        }
        self.sends(&bytes);
    }

    /// It is reset, and knows nothing of earlier commands.
    pub fn resets(&mut self) {
        // At this time a timer of fewer bits would wrap: the start of the stream shows the reset.
        let wraps = (self.now + 20).next_power_of_two();
        self.runs((wraps - 5 - self.now) as u32);
        self.now = 0;
        self.reset_keeping_timer();
    }

    /// Does the same, except for its timer, which continues.
    pub fn reset_keeping_timer(&mut self) {
        self.flushes();
        self.packer = self.packer.take().map(|_| packer());
        self.executed.clear();
        (self.fired, self.lost) = (0, 0);
        self.begin();
    }

    /// The connection breaks, and another one is opened.
    pub fn reconnect(&mut self) {
        self.flushes();
        self.stream.shutdown(Shutdown::Both).unwrap();
        self.stream = accepted(&self.listener);
        self.came.clear();
    }

    /// The connection may be closed.
    fn sends(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
    }

    /// Records on a core, and sends full packets.
    pub fn records_on(&mut self, core: u8, event: Event<'_>) {
        self.now += 1;
        let mut bytes = Vec::new();
        match &mut self.packer {
            Some(packer) => packer
                .push(core, self.now, &event, &mut |_, it| bytes.extend_from_slice(it))
                .unwrap(),
            None => bytes = frame(self.now, event),
        }
        self.sends(&bytes);
    }

    pub fn records(&mut self, event: Event<'_>) {
        self.records_on(0, event);
    }

    /// Records this many irrelevant events.
    pub fn runs(&mut self, count: u32) {
        for _ in 0..count {
            self.records(Event::TaskSwitchedIn { task_id: 1 });
        }
    }

    pub fn flushes(&mut self) {
        let mut bytes = Vec::new();
        if let Some(packer) = &mut self.packer {
            packer.flush(&mut |_, it| bytes.extend_from_slice(it));
        }
        self.sends(&bytes);
    }

    /// Loses this many events, which the next one reports.
    pub fn loses(&mut self, count: u32) {
        self.flushes();
        self.lost += count;
        let Some(packer) = &mut self.packer else {
            return self.records(Event::DroppedEvtCnt { cnt: self.lost });
        };
        for _ in 0..count {
            self.now += 1;
            let event = Event::TaskSwitchedIn { task_id: 1 };
            packer.push(0, self.now, &event, &mut |_, _| {}).unwrap();
        }
        packer.flush(&mut |_, _| {});
        self.runs(1);
        self.flushes();
    }

    /// Takes a command of this kind, with this first argument, and answers it.
    #[track_caller]
    pub fn execute(&mut self, (kind, argument): (u8, u32), is: i64) {
        let command = self.asked().expect("a command");
        assert_eq!((command.kind, command.arguments[0]), (kind, argument));
        self.answers(command.number, is);
    }

    pub fn answers(&mut self, number: u16, is: i64) {
        self.records(Event::Answer { n: number.into(), is });
        self.flushes();
    }

    /// Returns the next command that was not executed yet; it continues to record while it waits. `None`: the other end is
    /// closed.
    pub fn asked(&mut self) -> Option<Command> {
        loop {
            if let Some(end) = self.came.iter().position(|byte| *byte == 0) {
                let frame: Vec<u8> = self.came.drain(..=end).collect();
                if let Some(command) = Command::read(&frame[..end])
                    && !self.executed.contains(&command.number)
                {
                    self.executed.push(command.number);
                    return Some(command);
                }
                continue;
            }
            let mut some = [0; 256];
            match self.stream.read(&mut some) {
                Ok(0) => return None,
                Ok(len) => self.came.extend_from_slice(&some[..len]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    self.runs(10);
                    self.flushes();
                }
                Err(_) => return None,
            }
        }
    }

    /// A trigger that waits for a value of the marker 1 fires, followed by this many events.
    pub fn fires(&mut self, trigger: u8, after: u32) {
        self.fire_and_record(trigger, after);
        self.records(Event::Frozen { n: self.fired });
    }

    pub fn fire_and_record(&mut self, trigger: u8, after: u32) {
        self.records(Event::Valmarker { valmarker_id: 1, val: 7 });
        self.fired += 1;
        let fired = TriggerState { trigger, condition: AT_LEAST, event: 11, of: 1 };
        self.records(Event::Trigger { n: self.fired, is: fired.write() });
        self.runs(after);
    }

    /// Expects no commands until the recording program closes the connection, and ends with this code and these messages.
    #[track_caller]
    pub fn ends(&mut self, program: Program, code: i32, messages: &[&str]) {
        let asked = self.asked();
        assert!(asked.is_none(), "nothing has to be asked: {asked:?}");
        assert_fails(&ran(program.output().unwrap()), code, messages);
    }
}
