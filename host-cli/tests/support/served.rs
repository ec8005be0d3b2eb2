//! A server under test, with requests over a socket; a fake browser; lines as a user types them.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use tband_programs::connect;

use super::{Folder, Program, RunOutput, finish, piped, ran, signal, start};

/// A server, killed when the test ends, however it ends.
pub struct TestServer {
    pub program: Program,
    pub link: String,
    pub port: u16,
    pub name: String,
    /// The page's actions once the trace is loaded.
    pub commands: serde_json::Value,
}

pub struct Answer {
    pub head: String,
    pub body: Vec<u8>,
}

pub fn serve(command: &mut Command) -> TestServer {
    let mut program = start(piped(command)).unwrap();
    let link = program.line();
    let (page, url) = link.trim().split_once("/#!/?url=http://127.0.0.1:").unwrap();
    assert_eq!(page, "https://ui.perfetto.dev");
    let (url, commands) = url.split_once("&startupCommands=").unwrap();
    let commands = serde_json::from_slice(&percent_decoded(commands)).unwrap();
    let (port, name) = url.split_once('/').unwrap();
    TestServer { program, port: port.parse().unwrap(), name: name.to_owned(), commands, link }
}

/// As [`serve`], of the web page.
pub fn serve_page(command: &mut Command) -> TestServer {
    let mut program = start(piped(command)).unwrap();
    let link = program.line();
    let port = link.trim().strip_prefix("http://localhost:").and_then(|it| it.strip_suffix('/'));
    let port = port.unwrap().parse().unwrap();
    TestServer { program, port, name: String::new(), commands: serde_json::Value::Null, link }
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, plain) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).unwrap());
        bytes.extend(plain.as_bytes());
    }
    bytes
}

impl TestServer {
    pub fn ask(&self, method: &str, path: &str, headers: &[&str]) -> Answer {
        let mut stream = connect(self.port).unwrap();
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let own = headers.iter().any(|header| header.starts_with("Host:"));
        for header in headers.iter().copied().chain((!own).then_some(host.as_str())) {
            request += &format!("{header}\r\n");
        }
        write!(stream, "{request}\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer, and its end");
        let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap() + 4;
        let body = answer.split_off(end);
        Answer { head: String::from_utf8(answer).unwrap(), body }
    }

    pub fn get(&self, headers: &[&str]) -> Answer {
        self.ask("GET", &format!("/{}", self.name), headers)
    }

    /// Sends the request of Perfetto's page.
    pub fn load(&self) -> Answer {
        self.get(&["Origin: https://ui.perfetto.dev", "Sec-Fetch-Site: cross-site"])
    }

    /// Waits for the end; returns exit code and messages.
    pub fn end(self) -> (Option<i32>, String) {
        let ran = ran(self.program.output().unwrap());
        (ran.code, ran.stderr)
    }
}

impl Answer {
    #[track_caller]
    pub fn is(&self, status: &str, headers: &[&str]) {
        assert!(self.head.starts_with(&format!("HTTP/1.1 {status}")), "{}", self.head);
        for header in headers {
            assert!(self.head.contains(&format!("\r\n{header}\r\n")), "{header}: {}", self.head);
        }
    }
}

pub fn interrupt(served: &TestServer) {
    signal(&served.program, "-INT");
}

/// Creates a folder with a program in place of the browser: it notes the link.
pub fn browser(folder: &Folder) -> String {
    use std::os::unix::fs::PermissionsExt;
    let bin = folder.path("bin");
    fs::create_dir(&bin).unwrap();
    let note = folder.path("opened");
    let script =
        format!("#!/bin/sh\necho \"$1\" > '{note}.part'\n/bin/mv '{note}.part' '{note}'\n");
    let program = folder.file("bin/xdg-open", script.as_bytes());
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    bin
}

/// Runs a line of a help text or of the guide in a folder. From a server it requests the trace, then ends it with Ctrl-C if it
/// does not end automatically.
pub fn run_line(folder: &Folder, line: &str) -> RunOutput {
    let bin = folder.path("bin");
    if !folder.0.join("bin").exists() {
        browser(folder);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tband-cli"), format!("{bin}/tband-cli"))
            .unwrap();
    }
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    let words: Vec<&str> = line.split(' ').collect();
    let serves = words.iter().any(|word| ["serve", "--serve", "--open", "web"].contains(word));
    let mut command = Command::new("sh");
    // The program replaces the shell, so that it receives signals.
    let line = if serves { format!("exec {line}") } else { line.to_owned() };
    command.args(["-c", &line]).current_dir(&folder.0).stdin(Stdio::null());
    command.env("PATH", path).env_remove("NO_COLOR").env_remove("COLUMNS");
    if !serves {
        return finish(&mut command);
    }
    let served =
        if words.contains(&"web") { serve_page(&mut command) } else { serve(&mut command) };
    let answer = if words.contains(&"web") { served.get(&[]) } else { served.load() };
    answer.is("200", &[]);
    if !words.contains(&"--open") {
        interrupt(&served);
    }
    let (code, stderr) = served.end();
    RunOutput { code, stdout: Vec::new(), stderr }
}
