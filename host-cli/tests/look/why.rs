//! `why`: the longest activations of a task, and the use of their time.

use serde_json::Value;

use crate::support::*;

fn why(args: &[&str]) -> RunOutput {
    let folder = with_examples("why");
    let mut command = cli(&[&["why"][..], args].concat());
    finish(command.current_dir(&folder.0))
}

fn json(args: &[&str]) -> Value {
    why(&[args, &["--json"]].concat()).assert_code(0).json()
}

/// The rows of each activation add up to it; details add up to the wait that they are part of.
#[test]
fn splits_add_up() {
    for task in ["control", "filter", "radio", "logger", "supervisor"] {
        let answer = json(&[task, "--worst", "1000", "before.bin"]);
        let worst = answer["worst"].as_array().unwrap();
        assert_eq!(Some(worst.len() as u64), answer["activations"].as_u64());
        for found in worst {
            let ns = |value: &Value| value["ns"].as_i64().unwrap();
            let (mut total, mut open, mut details) = (0, 0, 0);
            for row in found["split"].as_array().unwrap() {
                if row["is_detail"] == true {
                    details += ns(row);
                    continue;
                }
                assert_eq!(open, details, "{found}");
                (open, details) = (if row["lock"].is_null() { 0 } else { ns(row) }, 0);
                total += ns(row);
            }
            assert_eq!(open, details, "{found}");
            assert_eq!(Some(total), found["response_ns"].as_i64(), "{found}");
            let sums: i64 =
                found["sums"].as_object().unwrap().values().filter_map(Value::as_i64).sum();
            assert_eq!(sums, total);
        }
    }
}

#[test]
fn activations_are_chosen_by_length_time_and_number() {
    let all = json(&["control", "--worst", "1000", "before.bin"]);
    let all = all["worst"].as_array().unwrap();
    let lengths: Vec<_> = all.iter().map(|it| it["length_ns"].as_i64().unwrap()).collect();
    assert!(lengths.is_sorted_by(|a, b| a >= b));
    // A bound that one of them has exactly leaves it out; a bound of one less does not.
    let second = lengths[1];
    for (late, count) in [(second, 1), (second - 1, 2)] {
        let late = format!("{late}ns");
        let found = json(&["control", "--worst", "1000", "--late", &late, "before.bin"]);
        assert_eq!(found["worst"].as_array().unwrap().len(), count, "{late}");
    }
    let first = &all[0];
    let at = format!("{}ns", first["released_ns"]);
    let found = json(&["control", "--at", &at, "before.bin"]);
    assert_eq!(found["worst"], Value::from(vec![first.clone()]));
}

/// Each highlight of `check` names a command that works; that of an inversion shows the activation which has it.
#[test]
fn highlights_lead_to_their_explanation() {
    let folder = with_examples("why-highlights");
    let checked = finish(cli(&["check", "--json", "before.bin"]).current_dir(&folder.0)).json();
    let found = checked["highlights"].as_array().unwrap();
    assert_eq!(found.len(), 4);
    for it in found {
        let see = it["see"].as_str().unwrap().replace("INPUT", "before.bin");
        let args: Vec<_> = see.strip_prefix("tband-cli ").unwrap().split(' ').collect();
        let ran = finish(cli(&args).current_dir(&folder.0));
        let text = ran.text();
        assert_eq!(ran.code, Some(0), "{see}: {}", ran.stderr);
        let is_inversion = it["highlight"] == "priority inversion";
        assert!(!is_inversion || text.contains("<- priority inversion"), "{see}: {text}");
    }
}

/// The README and the guide show the command's output, and the README's first lines contain its purpose.
#[test]
fn pages_show_what_is_printed() {
    let text = why(&["control", "before.bin"]).text();
    let printed: Vec<&str> = text.lines().map(str::trim).collect();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for page in ["README.md", "docs/src/guide/viewing/why.md"] {
        let page_text = std::fs::read_to_string(root.join(page)).unwrap();
        assert!(page_text.contains("\n    tband-cli why control before.bin\n"), "{page}");
        let shown: Vec<&str> = page_text
            .lines()
            .skip_while(|line| !line.starts_with("    1. "))
            .take_while(|line| line.starts_with("    "))
            .map(str::trim)
            .collect();
        assert!(shown.len() >= 6, "{page}: {shown:?}");
        let mut rest = printed.iter();
        for line in shown {
            assert!(
                rest.any(|it| *it == line),
                "{page}: {line} is not in, or not in the order of:\n{text}"
            );
        }
    }
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let first = readme.lines().take(5).collect::<Vec<_>>().join(" ");
    assert!(first.contains("fails your CI when a deadline is missed"), "{first}");
}
