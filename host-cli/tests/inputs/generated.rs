//! A source without a file: a generator of bytes goes through the library, the program and the web page, with one result.

use std::cell::RefCell;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::process::Stdio;
use std::thread;

use serde_json::json;
use tband_app::commands::Command;
use tband_app::exports::{Export, OutputKind, Settings};
use tband_app::options::RequestOptions;
use tband_conv::{Conversion, Input, Options};
use tband_format::Event;
use tband_recordings::two_tasks;
use tband_web::{Host, LivePage};

use crate::support::{RunOutput, cli, frame, ran, start};

const SWITCHES: u64 = 20_000;

/// Switches of two tasks, 100 ns apart. Each frame is computed when it is read.
struct Generator {
    next: u64,
    frame: Cursor<Vec<u8>>,
}

impl Generator {
    fn new() -> Self {
        Self { next: 1, frame: Cursor::new(two_tasks().0) }
    }
}

impl Read for Generator {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.frame.read(bytes)?;
        if len > 0 || bytes.is_empty() || self.next > SWITCHES {
            return Ok(len);
        }
        let task_id = if self.next.is_multiple_of(2) { 1 } else { 2 };
        self.frame = Cursor::new(frame(self.next * 10, Event::TaskSwitchedIn { task_id }));
        self.next += 1;
        self.frame.read(bytes)
    }
}

/// The library's inputs: the generator is opened for each pass.
fn inputs() -> Vec<Input<'static>> {
    vec![Input::new("generated", || Ok(Box::new(BufReader::new(Generator::new()))))]
}

/// Runs the program, with the generator at the other end of its standard input.
fn program(args: &[&str]) -> Vec<u8> {
    let mut command = cli(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = start(&mut command).unwrap();
    let mut stdin = program.stdin().unwrap();
    let writer = thread::spawn(move || {
        io::copy(&mut BufReader::new(Generator::new()), &mut stdin)?;
        stdin.flush()
    });
    let RunOutput { code, stdout, stderr } = ran(program.output().unwrap());
    writer.join().unwrap().unwrap();
    assert_eq!(code, Some(0), "{stderr}");
    stdout
}

/// The page's host without files. An earlier offset starts the generator again.
struct GeneratorHost {
    source: RefCell<(Generator, u64)>,
    output: RefCell<Vec<u8>>,
}

impl Host for GeneratorHost {
    fn read(&self, file: usize, offset: u64, bytes: &mut [u8]) -> io::Result<usize> {
        assert_eq!(file, 0);
        let (generator, position) = &mut *self.source.borrow_mut();
        if offset < *position {
            (*generator, *position) = (Generator::new(), 0);
        }
        *position += io::copy(&mut generator.by_ref().take(offset - *position), &mut io::sink())?;
        let mut len = 0;
        while let Some(rest @ [_, ..]) = bytes.get_mut(len..) {
            match generator.read(rest)? {
                0 => break,
                read => len += read,
            }
        }
        *position += len as u64;
        Ok(len)
    }

    fn write(&self, output: usize, bytes: &[u8]) -> io::Result<()> {
        assert_eq!(output, 0);
        self.output.borrow_mut().write_all(bytes)
    }

    fn append(&self, _: usize, _: usize) {
        unreachable!("outputs in parts are folders");
    }
}

/// Sends a request of the page, and returns the answer and the output.
fn page(command: &str, wanted: &str) -> (serde_json::Value, Vec<u8>) {
    let source = RefCell::new((Generator::new(), 0));
    let host = GeneratorHost { source, output: RefCell::default() };
    let request = json!({"command": command, "as": wanted, "inputs": [{"name": "generated"}]});
    let answer = tband_web::run(&request, &host);
    assert_eq!(answer["failed"], false, "{answer}");
    (answer, host.output.into_inner())
}

#[test]
fn an_export_is_the_same_by_library_program_and_page() {
    let OutputKind::Stream(write) = Export::usual().form else { panic!("a stream") };
    let mut trace = Vec::new();
    let made = write(&inputs(), &Options::default(), &Settings::default(), &mut trace).unwrap();
    assert_eq!(made.summary.events, SWITCHES + 3);
    assert!(made.summary.diagnostics.is_clean() && trace.len() as u64 > SWITCHES);
    let (answer, of_page) = page("conv", "perfetto");
    assert_eq!(answer["events"], SWITCHES + 3);
    assert!(of_page == trace, "{} and {} bytes", of_page.len(), trace.len());
    let of_program = program(&["conv", "-", "-o", "-"]);
    assert!(of_program == trace, "{} and {} bytes", of_program.len(), trace.len());
}

#[test]
fn a_command_reports_the_same_by_library_program_and_page() {
    let command = Command::named("dump").unwrap();
    let mut lines = Vec::new();
    let wanted = RequestOptions::default().wanted;
    let run = command.output(None).unwrap().run;
    run(&inputs(), &Options::default(), &wanted, &mut lines).unwrap();
    assert_eq!(lines.iter().filter(|it| **it == b'\n').count() as u64, SWITCHES + 3);
    assert!(page("dump", "").1 == lines);
    assert!(program(&["dump", "-"]) == lines);
}

/// A live source has no second pass: it feeds its events once.
#[test]
fn a_growing_source_is_fed_to_a_conversion_and_to_the_live_page() {
    let mut conversion = Conversion::new([("generated", 0)], &Options::default(), ()).unwrap();
    let (mut live, mut generator) = (LivePage::new(), Generator::new());
    let mut piece = [0; 777];
    loop {
        let len = generator.read(&mut piece).unwrap();
        if len == 0 {
            break;
        }
        conversion.feed_all(&piece[..len]).unwrap();
        live.feed(&piece[..len]);
    }
    let (summary, ()) = conversion.finish().unwrap();
    assert_eq!(summary.events, SWITCHES + 3);
    let counters = live.counters();
    assert_eq!(counters["tasks"], 2, "{counters}");
    assert_eq!(counters["damaged"], 0, "{counters}");
    assert!(counters["switches"].as_u64().unwrap() + 1 >= SWITCHES, "{counters}");
}
