//! The figures of the viewer: its own functions, run by Node.js on the picture that a page contains.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tband_conv::{Input, Options, convert};
use tband_programs::output;
use tband_report::page::SCRIPTS;
use tband_report::timeline::ReportTimeline;
use tempfile::TempDir;

/// Reads the pictures of a case and prints the figures of each window.
const ASK: &str = r#"
const fs = require("fs"), asked = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const of = ({ head, bytes }) => {
  const picture = readPicture(head, Uint8Array.from(bytes)), cores = picture.rows.filter((row) => row.kind === "core" && row.lanes[0]);
  return asked.windows.map((window) => {
    const [from, to] = window.map((ns) => Number(BigInt(ns) - picture.start)), marked = statisticsOf(picture.rows, from, to);
    return {
      cores: marked.cores.map((it) => ({
        number: Number(it.row.name.replace("core ", "")), is_exact: it.isExact,
        times: [it.task, it.idle, it.isr + it.loneIsr, it.unknown, it.known],
        load: it.load.share === null ? null : [it.load.busy, it.load.known],
      })),
      tasks: picture.rows.filter((row) => row.kind === "task").map((row) => ({ id: row.id, ...taskTimes(row, from, to) })),
      shown: cores.length > 0 ? new Load(picture.rows).words(from, to) : null,
    };
  });
};
process.stdout.write(JSON.stringify(asked.pictures.map(of)));
"#;

/// A core of a window: its times (tasks, idle, interrupts, unknown, known), and its load, busy of known.
#[derive(Debug)]
pub struct ShownCore {
    pub number: u32,
    pub is_exact: bool,
    pub times: [f64; 5],
    pub load: Option<[f64; 2]>,
}

/// A task of a window.
#[derive(Debug)]
pub struct ShownTask {
    pub id: u32,
    pub is_exact: bool,
    pub runs: f64,
}

/// The figures of a window.
#[derive(Debug)]
pub struct ViewerFigures {
    pub cores: Vec<ShownCore>,
    pub tasks: Vec<ShownTask>,
    /// The words beside the graph.
    pub words: Option<String>,
}

/// The viewer's script in a folder.
pub struct Viewer(TempDir);

impl Viewer {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = format!("\"use strict\";\n{}\n{ASK}", SCRIPTS.concat());
        fs::write(folder.path().join("viewer.js"), script).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Of pictures of at most so many slices the figures of each window.
    pub fn ask(
        &self,
        bytes: &[u8],
        most: &[usize],
        windows: &[(i64, i64)],
    ) -> Vec<Vec<ViewerFigures>> {
        let picture = |most: &usize| {
            let mut picture = ReportTimeline::with_at_most(*most);
            let inputs = [Input::from_bytes("r", bytes)];
            convert(&inputs, &Options::default(), &mut picture).unwrap();
            let head: Value = serde_json::from_str(picture.head_text()).unwrap();
            json!({"head": head, "bytes": picture.bytes()})
        };
        let pictures: Vec<_> = most.iter().map(picture).collect();
        // Exact in text.
        let windows: Vec<_> =
            windows.iter().map(|(from, to)| [from.to_string(), to.to_string()]).collect();
        let asked = json!({"pictures": pictures, "windows": windows});
        fs::write(self.path("asked.json"), asked.to_string()).unwrap();
        let mut node = tband_programs::node();
        let ran = output(node.arg(self.path("viewer.js")).arg(self.path("asked.json")));
        let ran = ran.expect("Node.js, which `cargo xtask setup` installs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let all: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let shown = |of: &Value| list(of).iter().map(figures_of).collect();
        list(&all).iter().map(shown).collect()
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn figures_of(window: &Value) -> ViewerFigures {
    let core = |core: &Value| ShownCore {
        number: number(&core["number"]) as u32,
        is_exact: core["is_exact"] == true,
        times: std::array::from_fn(|at| number(&core["times"][at])),
        load: core["load"].as_array().map(|load| [number(&load[0]), number(&load[1])]),
    };
    let task = |task: &Value| ShownTask {
        id: number(&task["id"]) as u32,
        is_exact: task["isExact"] == true,
        runs: number(&task["runs"]),
    };
    ViewerFigures {
        cores: list(&window["cores"]).iter().map(core).collect(),
        tasks: list(&window["tasks"]).iter().map(task).collect(),
        words: window["shown"].as_str().map(str::to_owned),
    }
}
