//! Rules on the command line: each kind, bounds that are moved by one step, losses, damage, and each output.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use xtask::setup::python;

use crate::support::*;

/// Judges recordings in a folder by these rules.
#[track_caller]
fn assert_rules(folder: &Folder, rules: &str, args: &[&str]) -> RunOutput {
    folder.file("own.toml", rules.as_bytes());
    let args = [&["assert"][..], args].concat();
    finish(cli(&args).current_dir(&folder.0))
}

/// The results of one rule as JSON, with the built-in one about losses left out.
#[track_caller]
fn results(folder: &Folder, rule: &str, args: &[&str]) -> Vec<Value> {
    let rules = format!("rule = [\n  {{ {rule} }},\n]\n");
    let args = [&["--json", "-", "own.toml"][..], args].concat();
    let asserted = assert_rules(folder, &rules, &args);
    let value = asserted.json();
    assert_eq!(value["exit_code"].as_i64(), asserted.code.map(i64::from), "{rule}");
    let results = value["results"].as_array().unwrap();
    results.iter().filter(|it| it["line"] != 0).cloned().collect()
}

/// The verdict of a rule about one subject.
#[track_caller]
fn verdict(folder: &Folder, rule: &str, args: &[&str]) -> String {
    let results = results(folder, rule, args);
    assert_eq!(results.len(), 1, "{rule}: {results:?}");
    results[0]["verdict"].as_str().unwrap().to_owned()
}

/// The answer of a query that has one number.
#[track_caller]
fn number(folder: &Folder, sql: &str, input: &str) -> f64 {
    let ran = finish(cli(&["query", "--csv", sql, input]).current_dir(&folder.0));
    let text = ran.text();
    let line = text.lines().nth(1).unwrap_or_else(|| panic!("{sql}: {}", ran.stderr));
    line.parse().unwrap_or_else(|error| panic!("{sql}: {line}: {error}"))
}

/// Returns a query of complete activations.
fn activations(value: &str, rows: &str) -> String {
    format!("SELECT max({value}) FROM activations WHERE {rows} AND begin_seen AND end_seen")
}

/// Each metric has the value that another query finds, and its bounds flip the verdict when they move by one step.
#[test]
fn a_bound_moved_by_one_step_flips_the_verdict() {
    let folder = with_examples("assert-steps");
    let control = "task = 'control' AND kind = 'task'";
    let tasks = [
        ("response", "ended_ns - released_ns"),
        ("busy", "ended_ns - ready_ns"),
        ("start", "started_ns - ready_ns"),
        ("own", "own_ns"),
        ("preempted", "preempted_ns"),
        ("locked", "locked_ns"),
        ("inverted", "inverted_ns"),
        ("backlog", "backlog_ns"),
    ];
    let mut cases: Vec<(String, &str, String)> = tasks
        .iter()
        .map(|(metric, value)| {
            (format!("task = \"control\", {metric}"), "ns", activations(value, control))
        })
        .collect();
    let response = "ended_ns - released_ns";
    let own = |rule: &str, unit: &'static str, sql: &str| (rule.to_owned(), unit, sql.to_owned());
    cases.extend([
        own("interrupt = \"ADC\", duration", "ns", "SELECT max(end_ns - begin_ns) FROM interrupts WHERE isr = 'ADC'"),
        own("lock = \"bus\", duration", "ns", "SELECT max(end_ns - begin_ns) FROM holds WHERE lock = 'bus' AND begin_seen AND end_seen"),
        own("queue = \"samples\", level", "", "SELECT max(value) FROM levels WHERE object = 'samples'"),
        own("task = \"control\", count", "", "SELECT count(*) FROM activations WHERE task = 'control'"),
        own("interrupt = \"ADC\", count", "", "SELECT count(*) FROM interrupts WHERE isr = 'ADC'"),
        own("lock = \"bus\", count", "", "SELECT count(*) FROM holds WHERE lock = 'bus'"),
        own("marker = \"save\", count", "", "SELECT count(*) FROM markers WHERE marker = 'save'"),
        own("marker = \"save\", span", "ns", "SELECT max(end_ns - begin_ns) FROM markers WHERE marker = 'save' AND is_span"),
        own("heap_growth", "B", "SELECT max(free) - min(free) FROM heap"),
    ]);
    for (rule, unit, sql) in &cases {
        let expected = number(&folder, sql, "before.bin");
        let step = |by: f64| format!("{} {unit}", expected + by);
        for (sign, by, holds) in [
            ("<=", 0.0, true),
            ("<=", -1.0, false),
            ("<", 1.0, true),
            ("<", 0.0, false),
            ("=", 1.0, false),
        ] {
            let rule = format!("{rule} = \"{sign} {}\"", step(by).replace("-1 ", "0 "));
            if expected + by < 0.0 {
                continue;
            }
            let found = results(&folder, &rule, &["before.bin"]);
            let expected_verdict = if holds { "holds" } else { "broken" };
            assert_eq!(found[0]["verdict"], expected_verdict, "{rule}: {found:?}");
            if sign != "=" {
                assert_eq!(found[0]["value"].as_f64(), Some(expected), "{rule}: {found:?}");
            }
        }
    }
    // Least values.
    for (rule, unit, sql) in [
        (
            "task = \"logger\", stack",
            "B",
            "SELECT min(value) FROM levels WHERE object_kind = 'stack never used' AND object = 'logger'",
        ),
        ("task = \"control\", response", "ns", &*activations(&format!("-({response})"), control)),
        (
            "interrupt = \"ADC\", duration",
            "ns",
            "SELECT min(end_ns - begin_ns) FROM interrupts WHERE isr = 'ADC'",
        ),
    ] {
        let least = number(&folder, sql, "before.bin").abs();
        for (sign, by, expected) in [
            (">=", 0.0, "holds"),
            (">=", 1.0, "broken"),
            (">", -1.0, "holds"),
            (">", 0.0, "broken"),
        ] {
            let rule = format!("{rule} = \"{sign} {} {unit}\"", least + by);
            assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
        }
        let range =
            |low: f64| format!("{rule} = \"{} {unit} .. 1_000_000_000 {unit}\"", least + low);
        assert_eq!(verdict(&folder, &range(0.0), &["before.bin"]), "holds");
        assert_eq!(verdict(&folder, &range(1.0), &["before.bin"]), "broken");
    }
}

/// Percentiles, medians and sums are those that the engine finds, and need enough values.
#[test]
fn statistics_are_of_each_recording() {
    let folder = with_examples("assert-statistics");
    let whole = "FROM activations WHERE task = 'control' AND begin_seen AND end_seen";
    for (statistic, sql) in [
        ("p99", "quantile_disc(ended_ns - released_ns, 0.99)"),
        ("median", "median(ended_ns - released_ns)"),
        ("\"p12.5\"", "quantile_disc(ended_ns - released_ns, 0.125)"),
        ("max", "max(ended_ns - released_ns)"),
    ] {
        let value = number(&folder, &format!("SELECT {sql} {whole}"), "before.bin");
        for (by, expected) in [(0.0, "holds"), (-1.0, "broken")] {
            let rule = format!(
                "task = \"control\", response = {{ {statistic} = \"<= {} ns\" }}",
                value + by
            );
            assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
        }
    }
    let total = number(
        &folder,
        "SELECT sum(end_ns - begin_ns) FROM interrupts WHERE isr = 'ADC'",
        "before.bin",
    );
    for (by, expected) in [(0.0, "holds"), (-1.0, "broken")] {
        let rule =
            format!("interrupt = \"ADC\", duration = {{ total = \"<= {} ns\" }}", total + by);
        assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
    }
    // Of 34 values the 99th percentile is the longest: there are too few.
    let rule = "task = \"radio\", response = { p99 = \"<= 1 s\" }";
    assert_eq!(verdict(&folder, rule, &["before.bin"]), "not judged");
    let rule = "task = \"radio\", response = { p99 = \"<= 1 s\" }, at_least = 30";
    assert_eq!(verdict(&folder, rule, &["before.bin"]), "holds");
    let rule = "task = \"radio\", response = \"<= 1 s\", at_least = 100";
    assert_eq!(verdict(&folder, rule, &["before.bin"]), "not judged");
}

/// The load is that of `stats`, and windows add up to it.
#[test]
fn load_and_rates_are_those_of_stats() {
    let folder = with_examples("assert-load");
    let input = folder.path("before.bin");
    let stats = run(&["stats", "--json", &input]).json();
    let value = |rule: &str| {
        let found = results(&folder, rule, &["before.bin"]);
        assert_eq!(found.len(), 1, "{rule}: {found:?}");
        found[0]["value"].as_f64().unwrap_or_else(|| panic!("{rule}: {found:?}"))
    };
    let idle = "SELECT 100.0 * (sum(CASE WHEN is_idle THEN interrupted_ns ELSE end_ns - begin_ns END)) / sum(end_ns - begin_ns) FROM states \
                WHERE state = 'running'";
    let load = number(&folder, idle, "before.bin");
    let found = value("core = 0, load = \"<= 0 %\"");
    assert!((found - load).abs() < 1e-9, "{found} {load}");
    let tasks = stats["tasks"].as_array().unwrap();
    let length = number(&folder, "SELECT end_ns - begin_ns FROM recordings", "before.bin");
    for name in ["control", "filter", "radio", "logger"] {
        let task = tasks.iter().find(|task| task["name"] == name).unwrap();
        let sql = format!(
            "SELECT sum(end_ns - begin_ns - interrupted_ns) FROM states WHERE state = 'running' AND task = '{name}'"
        );
        let ran = number(&folder, &sql, "before.bin");
        assert!(task.to_string().contains(&format!("{}", ran as i64)), "{task} {ran}");
        let found = value(&format!("task = \"{name}\", load = \"<= 0 %\""));
        assert!((found - ran * 100.0 / length).abs() < 1e-9, "{name}: {found}");
        // The maximum of the windows is at least the mean, and at most 100 %.
        let most = value(&format!("task = \"{name}\", load = \"<= 0 %\", window = \"50 ms\""));
        assert!(most >= found && most <= 100.0, "{name}: {most} {found}");
    }
    let adc = number(
        &folder,
        "SELECT sum(end_ns - begin_ns) FROM interrupts WHERE isr = 'ADC'",
        "before.bin",
    );
    let found = value("interrupt = \"ADC\", load = \"<= 0 %\"");
    assert!((found - adc * 100.0 / length).abs() < 1e-9, "{found}");
    // Windows as another query cuts them.
    let sql = "SELECT max(c) FROM (SELECT count(*) AS c FROM interrupts, recordings r WHERE isr = 'ADC' GROUP BY (interrupts.begin_ns - \
               r.begin_ns) / 100000000)";
    let most = number(&folder, sql, "before.bin");
    for (by, expected) in [(0.0, "holds"), (-1.0, "broken")] {
        let rule =
            format!("interrupt = \"ADC\", count = \"<= {}\", window = \"100 ms\"", most + by);
        assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
    }
    assert!(
        (value("interrupt = \"ADC\", rate = \"<= 0 /s\", window = \"100 ms\"") - most * 10.0).abs()
            < 1e-9
    );
    let rate = value("interrupt = \"ADC\", rate = \"<= 0 /s\"");
    let count = number(&folder, "SELECT count(*) FROM interrupts WHERE isr = 'ADC'", "before.bin");
    assert!((rate - count * 1e9 / length).abs() < 1e-6, "{rate}");
    // In a window without any, the number is 0.
    let rule = "marker = \"save\", count = \">= 1\", window = \"1 ms\"";
    assert_eq!(verdict(&folder, rule, &["before.bin"]), "broken");
}

/// A reaction is the time to the first response; order and absence are judged by moments.
#[test]
fn reactions_and_orders_are_judged() {
    let folder = with_examples("assert-order");
    let rule = |within: f64| {
        format!(
            "after = \"interrupt ADC begins\", expect = \"task filter runs\", within = \"{within} ns\""
        )
    };
    let found = results(&folder, &rule(1.0), &["before.bin"]);
    let sql = "SELECT max((SELECT min(s.begin_ns) FROM states s WHERE s.task = 'filter' AND s.state = 'running' AND s.begin_ns >= \
               i.begin_ns) - i.begin_ns) FROM interrupts i WHERE isr = 'ADC'";
    let longest = number(&folder, sql, "before.bin");
    assert_eq!(found[0]["value"].as_f64(), Some(longest), "{found:?}");
    assert_eq!(verdict(&folder, &rule(longest), &["before.bin"]), "holds");
    assert_eq!(verdict(&folder, &rule(longest - 1.0), &["before.bin"]), "broken");
    let sql = "SELECT max(a.started_ns - i.begin_ns) FROM activations a JOIN interrupts i ON a.woken_by = i.isr AND a.ready_ns BETWEEN \
               i.begin_ns AND i.end_ns WHERE i.isr = 'ADC' AND a.begin_seen AND a.kind = 'task'";
    let wake = number(&folder, sql, "before.bin");
    for (by, expected) in [(0.0, "holds"), (-1.0, "broken")] {
        let rule = format!("interrupt = \"ADC\", wake = \"<= {} ns\"", wake + by);
        assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
    }
    for (rule, expected) in [
        ("never = \"task control runs\"", "broken"),
        ("before = \"task control runs\", never = \"marker save begins\"", "holds"),
        ("before = \"marker save begins\", never = \"task control runs\"", "broken"),
        ("before = \"interrupt SysTick ends\", never = \"interrupt SysTick begins\"", "broken"),
        ("before = \"interrupt SysTick begins\", never = \"interrupt SysTick ends\"", "holds"),
        (
            "after = \"queue samples is sent\", expect = \"queue samples is received\", within = \"1 s\"",
            "holds",
        ),
        (
            "after = \"lock bus is taken\", expect = \"lock bus is given\", within = \"1 ns\"",
            "broken",
        ),
        (
            "after = \"task control is released\", expect = \"task control ends\", within = \"1 s\"",
            "holds",
        ),
        (
            "after = \"task control wakes\", expect = \"task control runs\", within = \"1 s\"",
            "holds",
        ),
    ] {
        assert_eq!(verdict(&folder, rule, &["before.bin"]), expected, "{rule}");
    }
}

/// Findings are those of `check`: the pipeline has an inversion, late ticks and a low stack, the mended one all but the
/// inversion.
#[test]
fn findings_are_judged() {
    let folder = with_examples("assert-findings");
    for (rule, before, mended) in [
        ("findings = \"= 0\"", "broken", "broken"),
        ("findings = \"= 3\"", "holds", "broken"),
        ("findings = \"<= 2\"", "broken", "holds"),
        ("findings = [\"inversion\"]", "broken", "holds"),
        ("findings = [\"stack-low\"]", "broken", "broken"),
        ("findings = [\"deadlock\"]", "holds", "holds"),
    ] {
        let found = ["before.bin", "after.bin"].map(|file| verdict(&folder, rule, &[file]));
        assert_eq!(found, [before, mended], "{rule}");
    }
    let found = results(&folder, "findings = [\"deadlock\", \"inversion\"]", &["before.bin"]);
    let verdicts: Vec<_> = found
        .iter()
        .map(|it| (it["rule"].as_str().unwrap(), it["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(
        verdicts[..2],
        [("deadlock: findings = 0", "holds"), ("inversion: findings = 0", "broken")],
        "{found:?}"
    );
}

/// The period is from the kernel's own numbers; jitter is that of the releases.
#[test]
fn periods_are_judged() {
    let folder = with_examples("assert-periods");
    // The task waits for 5 ticks of 1 ms each time, by the program's source.
    let period = "task = \"control\", period";
    for (bound, expected) in [
        ("5 ms .. 5 ms", "holds"),
        ("= 5 ms", "holds"),
        ("<= 4.999999 ms", "broken"),
        (">= 5.000001 ms", "broken"),
    ] {
        assert_eq!(verdict(&folder, &format!("{period} = \"{bound}\""), &["before.bin"]), expected);
    }
    let steps = "FROM (SELECT released_ns - lag(released_ns) OVER (ORDER BY released_ns) AS step FROM activations WHERE task = 'control' AND \
                 begin_seen AND release = 'tick') WHERE step IS NOT NULL";
    let jitter = number(&folder, &format!("SELECT max(abs(step - 5000000)) {steps}"), "before.bin");
    // The residuals of the releases against a grid of 5 ms, none of which is missed.
    let residual = format!(
        "SELECT max(r, 0) - min(l, 0) FROM (SELECT max(s) AS r, min(s) AS l FROM (SELECT sum(step - 5000000) OVER (ROWS UNBOUNDED \
         PRECEDING) AS s {steps}))"
    );
    let release_jitter = number(&folder, &residual, "before.bin");
    for (metric, value) in [("jitter", jitter), ("release_jitter", release_jitter)] {
        for (by, expected) in [(0.0, "holds"), (-1.0, "broken")] {
            let rule = format!("task = \"control\", {metric} = \"<= {} ns\"", value + by);
            let found = results(&folder, &rule, &["before.bin"]);
            assert_eq!(found[0]["verdict"], expected, "{rule}: {found:?}");
        }
    }
    // It is found for an interrupt.
    let found = results(&folder, "interrupt = \"SysTick\", period = \"<= 1 s\"", &["before.bin"]);
    assert!(
        found[0]["value"].as_f64().is_some_and(|ns| ns > 500_000.0 && ns < 3_000_000.0),
        "{found:?}"
    );
    // A task without a period is not a subject.
    let rule = "task = \"logger\", period = \"<= 1 s\"";
    assert_eq!(verdict(&folder, rule, &["before.bin"]), "not judged");
}

/// Among a number of consecutive values, a given number may be too long, and not more.
#[test]
fn allowed_violations_are_counted_among_neighbours() {
    let folder = with_examples("assert-allow");
    let sql = "SELECT group_concat(ended_ns - released_ns, ' ') FROM (SELECT * FROM activations WHERE task = 'filter' AND begin_seen AND \
               end_seen ORDER BY released_ns)";
    let text = finish(cli(&["query", "--csv", sql, "before.bin"]).current_dir(&folder.0)).text();
    let values: Vec<i64> =
        text.lines().nth(1).unwrap().split(' ').map(|it| it.parse().unwrap()).collect();
    let bound = 2_000_000;
    for of in [5, 20, 100] {
        let close = |window: &[i64]| window.iter().filter(|it| **it > bound).count();
        let most = values.windows(of).map(close).max().unwrap();
        assert!(most > 0 && most < of, "{of}: {most}");
        let rule = |allow: usize| {
            format!("task = \"filter\", response = \"<= {bound} ns\", allow = \"{allow} of {of}\"")
        };
        assert_eq!(verdict(&folder, &rule(most), &["before.bin"]), "holds");
        assert_eq!(verdict(&folder, &rule(most - 1), &["before.bin"]), "broken");
    }
}

/// Conditions leave out the described values.
#[test]
fn conditions_leave_out_values() {
    let folder = with_examples("assert-conditions");
    let first = "SELECT min(released_ns - begin_ns) FROM activations, recordings WHERE task = 'control' AND ended_ns - released_ns = \
                 (SELECT max(ended_ns - released_ns) FROM activations WHERE task = 'control')";
    let at = number(&folder, first, "before.bin");
    for (after, expected) in [(at, "broken"), (at + 1.0, "holds")] {
        let rule =
            format!("task = \"control\", response = \"<= 5 ms\", after_start = \"{after} ns\"");
        assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
    }
    let number_of = number(
        &folder,
        "SELECT number FROM activations WHERE task = 'control' ORDER BY ended_ns - released_ns DESC LIMIT 1",
        "before.bin",
    );
    for (sign, expected) in [("=", "broken"), ("<>", "holds")] {
        let rule = format!(
            "task = \"control\", response = \"<= 5 ms\", where = \"number {sign} {number_of} -- x\""
        );
        assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
    }
    for (object, expected) in [("samples", "broken"), ("nothing", "not judged")] {
        let rule =
            format!("task = \"filter\", response = \"<= 1 ns\", starts = \"queue {object}\"");
        assert_eq!(verdict(&folder, &rule, &["before.bin"]), expected, "{rule}");
    }
}

/// In a damaged recording violations count; other rules are not judged, with the amount of the losses.
#[test]
fn damage_is_reported() {
    let folder = with_examples("assert-damage");
    // The demo with a piece cut out.
    let mut bytes = std::fs::read(folder.path("before.bin")).unwrap();
    let middle = bytes.len() / 2;
    bytes.drain(middle..middle + 3000);
    folder.file("cut.bin", &bytes);
    let rules = "rule = [\n { task = \"control\", response = \"<= 1 s\" },\n { task = \"control\", response = \"<= 1 ns\" },\n { losses = \"<= \
                 1_000_000\" },\n { task = \"control\", count = \">= 3\" } ]";
    let asserted = assert_rules(&folder, rules, &["--all", "own.toml", "cut.bin"]).assert_code(1);
    let text = asserted.text();
    let lines: Vec<_> = text.lines().collect();
    let open = lines.iter().find(|line| line.starts_with('?')).unwrap();
    assert!(open.contains("no violation is seen, ") && open.contains(" are whole, but "), "{open}");
    assert!(lines.iter().any(|line| line.starts_with("FAIL  own.toml:3")), "{}", asserted.text());
    // Each file without a rule about losses has the rule that there are none.
    let rules = "rule = [ { task = \"control\", count = \">= 3\" } ]";
    let asserted = assert_rules(&folder, rules, &["own.toml", "cut.bin"]);
    assert_eq!(asserted.code, Some(1), "{}", asserted.text());
    assert!(asserted.text().contains("FAIL  built in  losses = 0"), "{}", asserted.text());
    // Without violations, exit code 3.
    let rules = "rule = [ { task = \"control\", response = \"<= 1 s\" }, { gaps = \"<= 1000\" } ]";
    assert_eq!(assert_rules(&folder, rules, &["own.toml", "cut.bin"]).code, Some(3));
    // An activation that is cut and already too long breaks the rule.
    let longest = "SELECT max(ended_ns - released_ns - unknown_ns) FROM activations WHERE NOT end_seen AND kind = 'task'";
    let cut = number(&folder, longest, "cut.bin");
    for (by, expected) in [(0.0, 0), (-1.0, 1)] {
        let rule =
            format!("task = \"*\", response = \"<= {} ns\", where = \"NOT end_seen\"", cut + by);
        let found = results(&folder, &rule, &["cut.bin"]);
        let broken = found.iter().filter(|it| it["verdict"] == "broken").count();
        assert_eq!(broken, expected, "{rule}: {found:?}");
        assert!(found.iter().all(|it| it["verdict"] != "holds"), "{rule}: {found:?}");
    }
}

/// Relative bounds refer to a file or to recordings, and move with them.
#[test]
fn relative_bounds_refer_to_a_baseline() {
    let folder = with_examples("assert-baseline");
    let rules = "rule = [ { task = \"control\", response = \"<= +10 %\" }, { task = \"filter\", own = { median = \"<= +200 us\" } } ]";
    let args = ["--write-baseline", "base.json", "own.toml", "after.bin"];
    assert_eq!(assert_rules(&folder, rules, &args).code, Some(3));
    for baseline in ["base.json", "after.bin"] {
        let args = ["--baseline", baseline, "own.toml"];
        let same = assert_rules(&folder, rules, &[&args[..], &["after.bin"]].concat());
        assert_eq!(same.code, Some(0), "{baseline}: {}{}", same.text(), same.stderr);
        let worse = assert_rules(&folder, rules, &[&args[..], &["before.bin"]].concat());
        assert_eq!(worse.code, Some(1), "{baseline}: {}", worse.text());
        assert!(worse.text().contains("control: response <= +10 %"), "{}", worse.text());
    }
    // The longest value, exactly.
    let sql = activations("ended_ns - released_ns", "task = 'control'");
    let (old, new) = (number(&folder, &sql, "after.bin"), number(&folder, &sql, "before.bin"));
    for (by, expected) in [(0.0, "holds"), (-1.0, "broken")] {
        let rule = format!("task = \"control\", response = \"<= +{} ns\"", new - old + by);
        let args = ["--baseline", "base.json", "before.bin"];
        assert_eq!(verdict(&folder, &rule, &args), expected, "{rule}");
    }
    let found = results(
        &folder,
        "task = \"*\", start = \"<= +10 %\"",
        &["--baseline", "base.json", "before.bin"],
    );
    assert!(found.iter().all(|it| it["verdict"] == "not judged"), "{found:?}");
    assert!(found[0]["reason"].as_str().unwrap().contains("the baseline has no value of"));
}

/// Learned rules hold for their recordings, and fail with bounds that are a fifth lower.
#[test]
fn learned_rules_hold() {
    let folder = with_examples("assert-learn");
    let learned = assert_rules(&folder, "", &["--learn", "after.bin", "before.bin"]).assert_code(0);
    assert!(learned.text().contains("in 2 recordings, longest"), "{}", learned.text());
    for input in ["after.bin", "before.bin"] {
        let asserted = assert_rules(&folder, &learned.text(), &["own.toml", input]);
        assert_eq!(asserted.code, Some(0), "{}", asserted.text());
    }
    let both =
        assert_rules(&folder, &learned.text(), &["--each", "own.toml", "after.bin", "before.bin"]);
    assert_eq!(both.code, Some(0), "{}", both.text());
    let one = assert_rules(&folder, "", &["--learn", "after.bin"]);
    let asserted =
        assert_rules(&folder, &one.text(), &["--each", "own.toml", "after.bin", "before.bin"]);
    assert_eq!(asserted.code, Some(1));
    assert!(asserted.text().contains(" of before.bin"), "{}", asserted.text());
}

/// Also of recordings whose longest activation is not whole: their end, or a part of them, is not recorded.
#[test]
fn learned_rules_hold_for_recordings_of_others() {
    let folder = Folder::new("assert-learn-others");
    for (name, is_whole) in [
        ("systemview/default.bin", true),
        ("systemview/overflow.bin", false),
        ("systemview/postmortem.bin", true),
        ("percepio/4.10-snapshot.bin", true),
        ("percepio/4.11-ring-stop.bin", true),
        ("percepio/4.11-stream-losses.psf", false),
    ] {
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../tband-import/tests/recordings");
        folder.file("in.gz", &std::fs::read(format!("{place}/{name}.gz")).unwrap());
        let learned = assert_rules(&folder, "", &["--learn", "in.gz"]);
        assert!(learned.text().contains(" in 1 recording, longest "), "{name}: {}", learned.text());
        let asserted = assert_rules(&folder, &learned.text(), &["own.toml", "in.gz"]);
        // Without a part of the events, some rules cannot be judged.
        let code = if is_whole { 0 } else { 3 };
        assert_eq!(asserted.code, Some(code), "{name}: {}", asserted.text());
        assert!(!asserted.text().contains("FAIL"), "{name}: {}", asserted.text());
        let rules = "rule = [ { task = \"*\", response = \"<= +1 %\" } ]";
        let again = assert_rules(&folder, rules, &["--baseline", "in.gz", "own.toml", "in.gz"]);
        // The rule that is built in finds the losses.
        let is_broken = |line: &str| line.starts_with("FAIL") && line.contains("own.toml");
        assert!(!again.text().lines().any(is_broken), "{name}: {}", again.text());
    }
}

/// The guide's file has the output that the page shows, and its other rules are rules.
#[test]
fn rules_of_the_guide_are_rules() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/guide/viewing/rules.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, file) = page.split_once("```toml\n").unwrap();
    let (file, _) = file.split_once("```").unwrap();
    let folder = with_examples("assert-guide");
    folder.file("rules.toml", file.as_bytes());
    let ran =
        finish(cli(&["assert", "rules.toml", "before.bin"]).current_dir(&folder.0)).assert_code(1);
    let shown: String = String::from_utf8(ran.stdout)
        .unwrap()
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect();
    assert!(page.contains(&shown), "{shown}");
    let mut count = 0;
    for rule in page.lines().filter_map(|line| line.strip_prefix("    { ")?.strip_suffix(" }")) {
        results(&folder, rule, &["before.bin"]);
        count += 1;
    }
    assert_eq!(count, 5);
}

/// The SELECT of each rule runs separately.
#[test]
fn explained_rules_are_queries() {
    let folder = with_examples("assert-explain");
    let rules = "rule = [\n { task = \"control\", response = \"<= 2 ms\" },\n { core = 0, load = \"<= 9 %\", window = \"1 ms\" } ]";
    let explained = assert_rules(&folder, rules, &["--explain", "own.toml"]).assert_code(0);
    let text = explained.text();
    let statements: Vec<_> = text.split(";\n").filter(|it| !it.trim().is_empty()).collect();
    assert_eq!(statements.len(), 3);
    assert!(
        statements[0].starts_with("-- own.toml:2: control: response <= 2 ms\nWITH "),
        "{}",
        statements[0]
    );
    for sql in statements {
        let ran = finish(cli(&["query", "--json", sql, "before.bin"]).current_dir(&folder.0));
        assert_eq!(ran.code, Some(0), "{sql}: {}", ran.stderr);
        assert!(String::from_utf8_lossy(&ran.stdout).contains("\"judged\":"), "{sql}");
    }
}

/// A report is valid by the schema of its format.
#[track_caller]
fn are_valid(folder: &Folder, junit: &str, sarif: &str) {
    const SCRIPT: &str = "\
import json, sys, jsonschema, xmlschema
junit_schema, sarif_schema, junit, sarif = sys.argv[1:]
xmlschema.XMLSchema(junit_schema).validate(junit)
jsonschema.validate(json.load(open(sarif)), json.load(open(sarif_schema)))
";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = python::USUAL.python(&root).unwrap_or_else(|error| panic!("{error:#}"));
    let schemas = xtask::kernel::schemas(&root).unwrap_or_else(|error| panic!("{error:#}"));
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).args(schemas).args([junit, sarif]).current_dir(&folder.0);
    finish(&mut command).assert_code(0);
}

/// Each output has all results: one test case or row for each rule and subject.
#[test]
fn outputs_have_each_result() {
    let folder = with_examples("assert-outputs");
    let rules = "rule = [\n  { task = \"control\", response = \"<= 2 ms\" },\n  { task = \"x\", response = \"<= 2 ms\" },\n  { task = \"*\", inverted = \
                 \"<= 1 ms\", severity = \"warning\" },\n]";
    let args = [
        "--junit",
        "r.xml",
        "--sarif",
        "r.sarif",
        "--json",
        "r.json",
        "--markdown",
        "r.md",
        "--github",
        "own.toml",
        "before.bin",
    ];
    let asserted = assert_rules(&folder, rules, &args).assert_code(1);
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    let json: Value = serde_json::from_str(&read("r.json")).unwrap();
    let results = json["results"].as_array().unwrap();
    assert!(results.len() > 7, "{}", results.len());
    let advice = "make bus a mutex";
    assert!(results[0]["advice"].as_str().unwrap().contains(advice));
    assert_eq!((&json["broken"], &json["not_judged"]), (&Value::from(2), &Value::from(1)));
    // JUnit: as many cases as results; the counts of the suite are those of its cases.
    let xml = read("r.xml");
    assert_eq!(xml.matches("<testcase ").count(), results.len());
    assert_eq!((xml.matches("<failure").count(), xml.matches("<skipped").count()), (1, 2), "{xml}");
    let counts = format!("tests=\"{}\" skipped=\"2\" errors=\"0\" failures=\"1\"", results.len());
    assert!(xml.contains(&format!("<testsuite name=\"own.toml\" {counts}")), "{xml}");
    assert!(
        xml.contains("classname=\"own.toml\"")
            && xml.contains(advice)
            && xml.contains("waited for bus, held by logger")
    );
    are_valid(&folder, "r.xml", "r.sarif");
    // SARIF: the members that its users read.
    let sarif: Value = serde_json::from_str(&read("r.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "tband-cli");
    let ids: Vec<_> =
        run["tool"]["driver"]["rules"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    let found = run["results"].as_array().unwrap();
    assert_eq!(found.len(), 3);
    let mut fingerprints = std::collections::HashSet::new();
    for result in found {
        assert!(ids.contains(&&result["ruleId"]), "{result}");
        assert!(
            ["error", "warning", "note"].contains(&result["level"].as_str().unwrap()),
            "{result}"
        );
        assert!(result["message"]["text"].is_string(), "{result}");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "own.toml");
        assert!((2..=4).contains(&place["region"]["startLine"].as_u64().unwrap()), "{result}");
        assert!(
            fingerprints.insert(result["partialFingerprints"]["ruleAndSubject/v1"].to_string())
        );
    }
    // Annotations and the table.
    let text = asserted.text();
    let annotations: Vec<_> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), 3, "{}", asserted.text());
    assert!(annotations[0].starts_with("::error file=own.toml,line=2,title=broken%3A control"));
    assert!(annotations[1].starts_with("::warning file=own.toml,line=3,title=not judged%3A x"));
    let table = read("r.md");
    assert_eq!(
        table.lines().filter(|line| line.starts_with("| ") && line.contains("own.toml:")).count(),
        3,
        "{table}"
    );
    // At most 10 annotations of a level.
    let many =
        format!("rule = [\n{}]", "  { task = \"control\", response = \"<= 2 ms\" },\n".repeat(15));
    let asserted = assert_rules(&folder, &many, &["--github", "own.toml", "before.bin"]);
    assert_eq!(asserted.text().matches("::error ").count(), 10);
}

/// A folder of tables is judged as the recordings are.
#[cfg(feature = "parquet")]
#[test]
fn a_folder_of_tables_has_the_same_verdicts() {
    let folder = with_examples("assert-folder");
    finish(cli(&["ingest", "fleet", "before.bin", "after.bin"]).current_dir(&folder.0))
        .assert_code(0);
    let rules = "task = \"*\", response = \"<= 2 ms\", load = \"<= 20 %\", stack = \">= 128 B\"";
    let of_recordings = results(&folder, rules, &["--each", "before.bin", "after.bin"]);
    let of_folder = results(&folder, rules, &["fleet"]);
    assert!(of_folder.len() > 10);
    for (one, other) in of_recordings.iter().zip(&of_folder) {
        for member in ["rule", "subject", "verdict", "value", "judged", "violations"] {
            assert_eq!(one[member], other[member], "{one} {other}");
        }
        // Of two equal values another recording may come first.
        assert!(one["at_ns"] == other["at_ns"] || one["rule"].as_str().unwrap().contains("stack"));
    }
    let asserted = assert_rules(
        &folder,
        "rule = [ { losses = \"= 0\" } ]",
        &["own.toml", "fleet", "before.bin"],
    );
    assert_eq!(asserted.code, Some(2));
}
