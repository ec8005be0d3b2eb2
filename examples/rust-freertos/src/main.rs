//! rust-freertos: a FreeRTOS program in Rust that records itself into a file, and writes down what it
//! did, so that the recording can be checked.
//!
//! Order: tracing starts first, so that the creation of every object is recorded; the control task
//! stops it when all others have done their work; the files are finished when the scheduler has returned.

mod application;
mod interrupts;
mod kernel;
mod output;
mod truth;

use std::process::ExitCode;

const USAGE: &str = "usage: rust-freertos [--out trace.bin] [--truth truth.json] [--rounds N]\n\
                     Records itself for about N * 25 ms (N from 1 to 99, default 20).";

const FAILED: u8 = 1;
const WRONG_ARGUMENTS: u8 = 2;
const LOSSES: u8 = 3;

struct Arguments {
    out: String,
    truth: String,
    rounds: u32,
}

fn arguments() -> Result<Option<Arguments>, String> {
    let mut chosen =
        Arguments { out: "trace.bin".to_owned(), truth: "truth.json".to_owned(), rounds: 20 };
    let mut list = std::env::args().skip(1);
    while let Some(option) = list.next() {
        if option == "--help" {
            return Ok(None);
        }
        let mut value = || list.next().ok_or_else(|| format!("missing value: {option}"));
        match option.as_str() {
            "--out" => chosen.out = value()?,
            "--truth" => chosen.truth = value()?,
            "--rounds" => {
                let text = value()?;
                let number = text.parse().ok().filter(|number| (1..=99).contains(number));
                chosen.rounds = number.ok_or_else(|| format!("not a number of rounds: {text}"))?;
            }
            _ => return Err(format!("unknown argument: {option}")),
        }
    }
    Ok(Some(chosen))
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("rust-freertos: {problem}\n{USAGE}");
            return ExitCode::from(WRONG_ARGUMENTS);
        }
    };
    match run(&arguments) {
        Ok(0) => {
            let Arguments { out, truth, rounds } = arguments;
            println!("{rounds} rounds recorded into {out}, own record in {truth}");
            ExitCode::SUCCESS
        }
        Ok(lost) => {
            eprintln!("rust-freertos: the recording is incomplete: {lost} frames are missing");
            ExitCode::from(LOSSES)
        }
        Err(problem) => {
            eprintln!("rust-freertos: {problem}");
            ExitCode::from(FAILED)
        }
    }
}

/// Records a run of the application. Returns the number of frames that were lost.
fn run(arguments: &Arguments) -> Result<u32, String> {
    kernel::check_types()?;
    kernel::flush_recording_when_an_assertion_fails();

    output::open(&arguments.out).map_err(|e| format!("cannot open {}: {e}", arguments.out))?;
    tband::streaming::start().map_err(|e| format!("tracing did not start: {e}"))?;
    application::create(arguments.rounds).map_err(|e| format!("out of memory: {e:?}"))?;
    kernel::run_scheduler(); // until application's control task ends it
    output::close().map_err(|e| format!("cannot write {}: {e}", arguments.out))?;

    truth::write(&arguments.truth).map_err(|e| format!("cannot write {}: {e}", arguments.truth))?;
    Ok(output::refused_frames() + tband::dropped_metadata(0))
}
