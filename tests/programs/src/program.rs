//! A program that runs, and waiting for it.

use std::io;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::time::Duration;

use wait4::Wait4 as _;

use crate::output::OutputReader;

/// Cost of a program, including its finished children.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Time of the processors.
    pub processor: Duration,
    /// The most memory that one process had. On Linux at least what the process has that starts it.
    pub peak_bytes: u64,
}

/// A program that a test has started. It is killed when this goes away.
#[derive(Debug)]
pub struct Program {
    child: Child,
    stdout: Option<OutputReader>,
    stderr: Option<OutputReader>,
    /// It has ended and its number may be another's now, which `child` does not know.
    gone: bool,
}

impl Program {
    /// With the signals and the outputs that the command has.
    #[expect(clippy::disallowed_methods, reason = "the one place that it is for")]
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let child = command.spawn()?;
        Ok(Self { child, stdout: None, stderr: None, gone: false })
    }

    pub(crate) fn start_piped(command: &mut Command) -> io::Result<Self> {
        Self::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// As [`start`](crate::start), with the signals of this program.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start_inheriting(command: &mut Command) -> io::Result<Self> {
        Self::start(command)
    }

    /// Number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its input, if that is a pipe; once.
    pub fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Reads no more of its stdout, which is a pipe.
    pub fn close_stdout(&mut self) {
        self.child.stdout = None;
    }

    /// The next line of stdout, which is a pipe, with its end; empty after the last.
    pub fn line(&mut self) -> String {
        self.read();
        self.stdout.as_mut().map(OutputReader::line).unwrap_or_default()
    }

    /// As [`line`](Self::line), of stderr.
    pub fn stderr_line(&mut self) -> String {
        self.read();
        self.stderr.as_mut().map(OutputReader::line).unwrap_or_default()
    }

    /// Its status, if it has ended.
    ///
    /// # Errors
    /// The system does not say.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// The system does not say.
    #[expect(clippy::disallowed_methods, reason = "the one place that it is for")]
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        // Otherwise it might wait for a reader.
        self.read();
        self.child.wait()
    }

    /// Waits for its end and gives what it printed to pipes, but for lines that were read.
    ///
    /// # Errors
    /// The system does not say.
    pub fn output(mut self) -> io::Result<Output> {
        let (stdout, stderr) = self.printed();
        Ok(Output { status: self.wait()?, stdout, stderr })
    }

    /// As [`output`](Self::output), with what it took.
    ///
    /// # Errors
    /// As `output`.
    pub fn output_and_cost(mut self) -> io::Result<(Output, Cost)> {
        let (stdout, stderr) = self.printed();
        let ended = self.child.wait4()?;
        self.gone = true;
        let usage = ended.rusage;
        let cost = Cost { processor: usage.utime + usage.stime, peak_bytes: usage.maxrss };
        Ok((Output { status: ended.status, stdout, stderr }, cost))
    }

    /// What it prints to pipes until it closes them.
    fn printed(&mut self) -> (Vec<u8>, Vec<u8>) {
        drop(self.stdin());
        self.read();
        let rest =
            |it: &Option<OutputReader>| it.as_ref().map(OutputReader::rest).unwrap_or_default();
        (rest(&self.stdout), rest(&self.stderr))
    }

    /// Reads the pipes from now on.
    fn read(&mut self) {
        if let Some(pipe) = self.child.stdout.take() {
            self.stdout = Some(OutputReader::new(pipe));
        }
        if let Some(pipe) = self.child.stderr.take() {
            self.stderr = Some(OutputReader::new(pipe));
        }
    }
}

impl Drop for Program {
    #[expect(clippy::disallowed_methods, reason = "a killed process ends")]
    fn drop(&mut self) {
        if self.gone {
            return;
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command without its environment, as messages show it.
#[must_use]
pub fn format_command(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str) -> Program {
        Program::start_piped(Command::new("sh").args(["-c", line])).unwrap()
    }

    #[test]
    fn a_dropped_program_is_killed() {
        let mut hangs = shell("echo so far; exec sleep 100000");
        assert_eq!(hangs.line(), "so far\n");
        let id = hangs.id().to_string();
        drop(hangs);
        let mut kill = Program::start_piped(Command::new("kill").args(["-0", &id])).unwrap();
        assert!(!kill.wait().unwrap().success());
    }

    #[test]
    fn lines_come_one_by_one_and_the_rest_at_the_end() {
        let mut talks = shell("echo one; echo two; echo 'three' >&2; printf four; exit 5");
        assert_eq!(talks.line(), "one\n");
        assert_eq!(talks.stderr_line(), "three\n");
        assert_eq!(talks.stderr_line(), "");
        let output = talks.output().unwrap();
        assert_eq!((output.status.code(), &*output.stdout), (Some(5), &b"two\nfour"[..]));
        assert!(output.stderr.is_empty());
    }

    #[test]
    fn processor_time_is_that_of_its_children_as_well() {
        let line = "(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); exit 3";
        let (output, busy) = shell(line).output_and_cost().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let (_, idle) = shell("sleep 0.1").output_and_cost().unwrap();
        assert!(busy.processor > 2 * idle.processor, "{busy:?}, {idle:?}");
        assert!(idle.peak_bytes > 0, "{idle:?}");
    }

    #[test]
    fn more_than_a_pipe_holds_is_read_on_both_outputs() {
        let line = "yes | head -c 300000; yes | head -c 300000 >&2";
        let output = shell(line).output().unwrap();
        assert_eq!((output.stdout.len(), output.stderr.len()), (300_000, 300_000));
        assert!(shell(line).wait().unwrap().success());
    }
}
