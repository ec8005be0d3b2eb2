//! The guide's files for Visual Studio Code are JSON, and their commands exist: commands and options of `tband-cli`, and the
//! script for GDB with its command.

use std::fs;
use std::process::Command;

use serde_json::Value;
use xtask::workspace_root;

fn guide() -> String {
    fs::read_to_string(workspace_root().join("docs/src/guide/start/vscode.md")).unwrap()
}

/// The files of the guide, in its order.
fn files() -> [Value; 2] {
    let guide = guide();
    let blocks = guide.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let files: Vec<Value> = blocks.map(|block| serde_json::from_str(block).unwrap()).collect();
    files.try_into().unwrap()
}

#[test]
fn tasks_run_what_there_is() {
    let [tasks, _] = files();
    assert_eq!(tasks["version"], "2.0.0");
    let tasks = tasks["tasks"].as_array().unwrap();
    assert!(tasks.len() >= 5);
    for task in tasks {
        assert!(task["label"].as_str().unwrap().starts_with("tband: "));
        assert_eq!(task["type"], "process");
        assert_eq!(task["command"], "tband-cli");
        let args: Vec<&str> =
            task["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        let (command, args) = args.split_first().unwrap();
        let mut tool = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        let help = tband_programs::output(tool.args([command, "--help"])).unwrap();
        assert!(help.status.success(), "{command}");
        let help = String::from_utf8(help.stdout).unwrap();
        for option in args.iter().filter(|arg| arg.starts_with('-')) {
            let printed = help
                .lines()
                .any(|line| line.split([' ', ',', '=', '[']).any(|word| word == *option));
            assert!(printed, "{command} has no {option}");
        }
    }
}

#[test]
fn the_debugger_has_the_script() {
    let [_, launch] = files();
    let configuration = &launch["configurations"][0];
    assert_eq!(configuration["type"], "cortex-debug");
    let source = configuration["preLaunchCommands"][0].as_str().unwrap();
    let script = source.strip_prefix("source ${workspaceFolder}/tband/").unwrap();
    let script = fs::read_to_string(workspace_root().join(script)).unwrap();
    assert!(guide().contains("`tband-save "));
    assert!(script.contains("define tband-save\n"));
}
