//! The link that shows a trace, with the actions of Perfetto's page once the trace is loaded.

use std::fmt::Write as _;

use serde_json::json;

use crate::page::PERFETTO;

/// Returns the page's actions for each trace; the web page requests the same (`web/perfetto.js`). Rows are shown in a separate
/// view, without the groups that Perfetto adds for Linux: cores, lost events, load, tasks and interrupts, and the groups of
/// objects, which are opened. Cores and lost events stay in view.
pub fn commands() -> serde_json::Value {
    const OBJECTS: &str = "Errors|Event groups|Interrupts|Kernel|Markers|Mutexes|Queues|Recorded events|Semaphores|\
                           Stream buffers|Timers";
    let rows = format!("^(CPU Scheduling|Load of core \\d+|{OBJECTS}|[^>]+ \\d+)$");
    let command = |id: &str, args: serde_json::Value| json!({"id": format!("dev.perfetto.{id}"), "args": args});
    json!([
        command("CopyTracksToWorkspaceByRegex", json!([rows, "tband", "path"])),
        command("SwitchWorkspace", json!(["tband"])),
        command("PinTracksByRegex", json!(["^CPU \\d+ Scheduling$", "name"])),
        command("PinTracksByRegex", json!(["^lost events$", "name"])),
        command("CollapseTracksByRegex", json!(["^CPU Scheduling$", "name"])),
        command("ExpandTracksByRegex", json!([format!("^({OBJECTS}|markers)$"), "name"])),
    ])
}

/// A time that gets a note, in ns, and its text.
pub type Note = (i64, String);

/// The link to a trace that is served under this name.
pub fn link(port: u16, name: &str, notes: &[Note]) -> String {
    let notes = notes.iter().map(|(ns, text)| {
        json!({"id": "dev.perfetto.AddNoteAtTimestamp", "args": [ns.to_string(), text]})
    });
    let mut commands = commands();
    if let Some(commands) = commands.as_array_mut() {
        commands.extend(notes);
    }
    let commands = encoded(&commands.to_string());
    format!("{PERFETTO}/#!/?url=http://127.0.0.1:{port}/{name}&startupCommands={commands}")
}

/// Returns a text with only the characters that a link may hold.
fn encoded(text: &str) -> String {
    let mut link = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                link.push(byte.into());
            }
            // Writing to a string does not fail.
            _ => drop(write!(link, "%{byte:02X}")),
        }
    }
    link
}

/// Returns how to reach the server from the machine with the browser, if this is a remote session without a browser. `env`
/// returns variables of the environment.
pub fn tunnel(port: u16, env: impl Fn(&str) -> Option<String>) -> Option<String> {
    let is_set = |name| env(name).is_some_and(|value| !value.is_empty());
    if ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].into_iter().any(is_set) {
        return None;
    }
    let is_remote = is_set("SSH_CONNECTION");
    if !is_remote && (cfg!(windows) || cfg!(target_os = "macos")) {
        return None;
    }
    // Client, its port, this machine's address, its port.
    let connection = env("SSH_CONNECTION").unwrap_or_default();
    let host = connection.split(' ').nth(2).filter(|host| !host.is_empty()).unwrap_or("HOST");
    let user = env("USER").filter(|user| !user.is_empty()).unwrap_or_else(|| "USER".to_owned());
    Some(format!(
        "no browser here? Where there is one: ssh -L {port}:127.0.0.1:{port} {user}@{host}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(link: &str) -> String {
        let mut bytes = Vec::new();
        let mut rest = link.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            if byte == b'%' {
                let (hex, after) = after.split_at(2);
                bytes.push(u8::from_str_radix(std::str::from_utf8(hex).unwrap(), 16).unwrap());
                rest = after;
            } else {
                bytes.push(byte);
            }
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn the_link_contains_the_view() {
        let link = link(9001, "t.pftrace", &[(460, "3 events lost & more".to_owned())]);
        let (url, commands) = link.split_once("&startupCommands=").unwrap();
        assert_eq!(url, "https://ui.perfetto.dev/#!/?url=http://127.0.0.1:9001/t.pftrace");
        assert!(
            commands.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte))
        );
        let commands: serde_json::Value = serde_json::from_str(&decoded(commands)).unwrap();
        let (own, notes) = commands.as_array().unwrap().split_at(6);
        assert_eq!(json!(own), super::commands());
        assert_eq!(
            notes,
            [
                json!({"id": "dev.perfetto.AddNoteAtTimestamp", "args": ["460", "3 events lost & more"]})
            ]
        );
    }

    #[test]
    fn the_web_page_asks_for_the_same() {
        let page = tband_recordings::project::text("web/perfetto.js");
        let (_, commands) = page.split_once("const SHOWN = ").unwrap();
        let (commands, _) = commands.split_once(";\n").unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(commands).unwrap(), super::commands());
    }

    #[test]
    fn another_machine_gets_the_address_of_this_one() {
        let with = |known: &'static [(&str, &str)]| {
            move |name: &str| known.iter().find(|it| it.0 == name).map(|it| it.1.to_owned())
        };
        let remote = with(&[("SSH_CONNECTION", "10.0.0.2 4000 10.0.0.9 22"), ("USER", "eve")]);
        let line = "no browser here? Where there is one: ssh -L 9001:127.0.0.1:9001 eve@10.0.0.9";
        assert_eq!(tunnel(9001, remote).as_deref(), Some(line));
        assert_eq!(tunnel(9001, with(&[("DISPLAY", ":0"), ("SSH_CONNECTION", "a 1 b 2")])), None);
        if cfg!(target_os = "linux") {
            let line = "no browser here? Where there is one: ssh -L 9002:127.0.0.1:9002 USER@HOST";
            assert_eq!(tunnel(9002, with(&[])).as_deref(), Some(line));
        }
    }
}
