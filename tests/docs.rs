//! The book: every page is in its summary, every link leads somewhere, every name of tband's that it uses exists, and
//! its blocks of C compile. Blocks that make up whole projects are run by the tests that [`BLOCKS`] names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use tband_tests::c::{Standard, compile_text};
use tband_tests::{read, root, temp_dir, write};

/// Pages with fenced blocks, and the test that runs or compiles them.
const BLOCKS: [(&str, &str); 25] = [
    ("guide/start/moving.md", "host-cli/tests/guide/commands.rs"),
    ("guide/viewing/ctf-traces.md", "host-cli/tests/inputs/foreign.rs"),
    ("guide/recording/filters.md", "tests/docs.rs"),
    ("guide/recording/triggers.md", "tests/docs.rs"),
    ("guide/firmware/records.md", "tests/docs.rs"),
    ("guide/start/vscode.md", "host-cli/tests/guide/vscode.rs"),
    ("guide/tables.md", "host-cli/tests/tables/ingest.rs"),
    ("guide/viewing/rules.md", "host-cli/tests/tables/assert.rs"),
    ("guide/tables/queries.md", "host-cli/tests/tables/query.rs"),
    ("guide/tables/python.md", "tests/python_wheel/guide.py"),
    ("guide/boards/esp-idf.md", "tests/boards/esp_idf.rs"),
    ("guide/boards/pico.md", "tests/boards/pico.rs"),
    ("guide/boards/stm32.md", "tests/boards/cubemx.rs"),
    ("guide/start/first-trace.md", "tests/docs.rs"),
    ("guide/firmware/instrumenting.md", "tests/docs.rs"),
    ("guide/firmware/cores.md", "tests/docs.rs"),
    ("guide/start/timing-bug.md", "tests/timing_bug.rs"),
    ("guide/link/commands.md", "tests/c_abi/senders.rs"),
    ("guide/link/senders.md", "tests/c_abi/senders.rs"),
    ("guide/start/installing.md", "tests/packages/installing/main.rs"),
    ("guide/firmware/memory-protection.md", "tests/mpu/main.rs"),
    ("guide/firmware/rust.md", "tests/in_rust/rust_guide.rs"),
    ("guide/firmware/flux.md", "tests/docs.rs"),
    ("reference/c-api.md", "tests/docs.rs"),
    ("reference/flux-api.md", "tests/docs.rs"),
];

/// Pages whose blocks are compiled here, fenced or indented, with the text before them.
const COMPILED: [(&str, &str); 12] = [
    ("guide/recording/filters.md", ""),
    ("guide/recording/triggers.md", ""),
    (
        "guide/firmware/records.md",
        "extern int position, number;\nextern unsigned count;\nextern double volts;\nextern const char *name;\nvoid run_job(int number);\nextern int table;\nenum { PHILO_STAT, TIMEOUT_SIG, MEAL_BEGIN, MEAL_END };",
    ),
    ("guide/start/tonbandgeraet.md", ""),
    ("guide/start/first-trace.md", ""),
    ("guide/firmware/instrumenting.md", "extern int bytes;"),
    ("guide/firmware/cores.md", ""),
    (
        "guide/recording/backends.md",
        "extern FILE *file;\nsize_t my_uart_send(const uint8_t *data, size_t len);",
    ),
    (
        "guide/recording/frames.md",
        "#include \"tband_ring.h\"\nextern FILE *file;\nsize_t my_uart_send(const uint8_t *data, size_t len);\n\
         extern tband_ring trace_ring;",
    ),
    ("guide/firmware/freertos.md", "extern int bytes;"),
    ("guide/firmware/flux.md", ""),
    (
        "guide/recording/packets.md",
        "void my_uart_send_dma(const uint8_t *data, size_t len);\n\
         void my_flash_append(const uint8_t *data, size_t len);",
    ),
];

/// A usual configuration, and one that has what packets have.
const USUAL: [&str; 3] = [
    "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
     #define tband_configFREERTOS_TRACE_ENABLE 0\n",
    "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_POST_MORTEM 1\n\
     #define tband_configPACKET_BUF_ATTRIBUTE\n\
     #define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configFREERTOS_TRACE_ENABLE 0\n",
    "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
     #define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configFREERTOS_TRACE_ENABLE 0\n",
];

fn book() -> PathBuf {
    root().join("docs/src")
}

/// All pages, by their paths below `docs/src`.
fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![book()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                let name = path.strip_prefix(book()).expect("inside").display().to_string();
                pages.insert(name, read(&path));
            }
        }
    }
    assert!(pages.len() > 20, "{:?}", pages.keys());
    pages
}

/// The text of a page without its blocks and its code.
fn prose(page: &str) -> String {
    let mut is_open = false;
    let mut out = String::new();
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        is_open ^= fence;
        if !fence && !is_open && !line.starts_with("    ") {
            // Text between backticks is left out.
            out.extend(line.split('`').step_by(2));
        }
        out.push('\n');
    }
    out
}

/// Where the links of a text lead.
fn links(text: &str) -> Vec<&str> {
    let parts = text.split("](").skip(1);
    parts.filter_map(|part| Some(part.split_once(')')?.0)).collect()
}

/// The name by which a link finds a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().replace(' ', "-")
}

fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

#[test]
fn every_page_is_in_the_summary_once() {
    let pages = pages();
    let summary = &pages["SUMMARY.md"];
    let mut listed = links(summary);
    listed.sort_unstable();
    let written: Vec<_> = pages.keys().filter(|name| *name != "SUMMARY.md").collect();
    assert_eq!(listed, written);
}

#[test]
fn every_link_leads_somewhere() {
    let mut texts: Vec<(PathBuf, String)> =
        pages().into_iter().map(|(name, text)| (book().join(name), text)).collect();
    for name in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"] {
        texts.push((root().join(name), read(root().join(name))));
    }
    for entry in fs::read_dir(root().join("examples")).expect("examples") {
        let path = entry.expect("an entry").path().join("README.md");
        texts.push((path.clone(), read(path)));
    }
    let mut count = 0;
    for (path, text) in &texts {
        let folder = path.parent().expect("a folder");
        let prose = prose(text).replace('\n', " ");
        // Links whose text is code: the backticks and the text between them are gone.
        for link in links(&prose).into_iter().chain(links(&text.replace('`', ""))) {
            if link.starts_with("https://") || link.contains(' ') {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { plain(&folder.join(file)) };
            assert!(target.exists(), "{}: {link} leads nowhere", path.display());
            if !heading.is_empty() {
                let found = anchors(&read(&target));
                assert!(found.contains(heading), "{}: {link}: {found:?}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 150, "only {count} links");
}

#[test]
fn nothing_is_left_to_do() {
    for (name, text) in pages() {
        for word in ["TODO", "FIXME", "XXX", "TBD", "to be written", "lorem ipsum"] {
            assert!(!text.contains(word), "{name} has {word}");
        }
    }
}

/// What the page of style has a plainer word for.
const NOT_PLAIN: [&str; 15] = [
    " is told",
    " are told",
    " was told",
    " were told",
    "told of",
    "ahead of",
    "stretch",
    "foretold",
    "stands still",
    "stand still",
    "believed",
    "tell them apart",
    "tells them apart",
    "told apart",
    "what stands",
];

/// Where people read: pages, help, and the code that is not of tests.
const READ: [&str; 16] = [
    "docs/src",
    "host-cli/src",
    "host-cli/tests/help",
    "include",
    "port",
    "freertos-hooks",
    "tband-app/src",
    "tband-conv/src",
    "tband-core/src",
    "tband-export/src",
    "tband-ffi/src",
    "tband-format/src",
    "tband-program/src",
    "tband-report/src",
    "tband-web/src",
    "xtask/src",
];

#[test]
fn words_are_those_of_the_page_of_style() {
    let mut folders: Vec<PathBuf> = READ.iter().map(|folder| root().join(folder)).collect();
    let (mut found, mut files) = (Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_text = path
                .extension()
                .is_some_and(|it| ["rs", "h", "c", "md", "txt"].iter().any(|known| it == *known));
            // It names these words.
            if !is_text || path.ends_with("changing.md") {
                continue;
            }
            files += 1;
            for (line, text) in (1..).zip(read(&path).to_lowercase().lines()) {
                for word in NOT_PLAIN.iter().filter(|word| text.contains(*word)) {
                    found.push(format!("{}:{line}: {word}", path.display()));
                }
            }
        }
    }
    assert!(files > 500, "{files}");
    assert!(found.is_empty(), "docs/src/changing.md, Words:\n{}", found.join("\n"));
}

/// Names of functions and macros: what begins as those of tband and is code.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let prefixes = [
        "tband_config",
        "tband_port",
        "tband_freertos_",
        "tband_evt",
        "tband_val",
        "tband_isr",
        "tband_get",
    ];
    words
        .filter(|word| prefixes.iter().any(|it| word.starts_with(it) && word.len() > it.len()))
        .collect()
}

#[test]
fn every_name_exists() {
    let mut sources = String::new();
    for folder in
        ["include", "port", "freertos-hooks", "cmake", "tests/mistakes", "xtask/header/src"]
    {
        let mut folders = vec![root().join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    sources.push_str(&read(path));
                }
            }
        }
    }
    let known = names(&sources);
    for (name, text) in pages() {
        let unknown: Vec<_> = names(&text)
            .into_iter()
            .filter(|word| {
                !known.contains(word)
                    && !known.iter().any(|it| word.ends_with('_') && it.starts_with(word))
            })
            .collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
}

/// Blocks of C of a page: those in fences, and those that are indented and look like it.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().peekable();
    let mut before = "";
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let block = lines.by_ref().take_while(|line| line.trim() != "```");
            let block: Vec<_> = block.map(|line| line.get(indent..).unwrap_or("")).collect();
            if language == "c" {
                blocks.push(block.join("\n"));
            }
        } else if before.is_empty() && line.starts_with("    ") {
            let mut block = vec![line.trim_start().to_owned()];
            while let Some(next) = lines.next_if(|next| next.starts_with("    ") || next.is_empty())
            {
                block.push(next.get(4..).unwrap_or("").to_owned());
            }
            let block = block.join("\n");
            let is_c = block.contains(';') || block.contains("#define");
            if is_c && !block.contains("(gdb)") && !block.contains("tband-cli") {
                blocks.push(block);
            }
        }
        before = line;
    }
    blocks
}

/// Compiles a text with its own configuration or the usual one.
fn compile(config: &str, text: &str) -> Result<(), String> {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config);
    let ports = root().join("port");
    compile_text(
        Standard::C11,
        &["-Wall", "-Wextra", "-Werror", "-Wno-unused"],
        &[folder.path(), &ports],
        text,
        &folder.path().join("block.o"),
    )
}

#[test]
fn the_blocks_of_c_compile() {
    let pages = pages();
    for (name, before) in COMPILED {
        let blocks = blocks(&pages[name]);
        assert!(!blocks.is_empty(), "{name} has no block");
        for block in blocks {
            let lines = block.lines().filter(|line| line.trim() != "...");
            let block: String = lines.map(|line| format!("{line}\n")).collect();
            // Blocks for tband_config.h, with the missing parts of one.
            if block.trim_start().starts_with("#define tband_config") {
                let lacks = USUAL[0].lines().filter(|line| {
                    let name = line.split(' ').nth(1).expect("a name");
                    let chooses = |text: &str| text.contains("USE_BACKEND_");
                    let has = block.contains(name) || (chooses(name) && chooses(&block));
                    !has
                });
                let config: String = lacks.map(|line| format!("{line}\n")).collect();
                compile(&(config + &block), "#include \"tband.h\"\n")
                    .unwrap_or_else(|output| panic!("{name}: {block}{output}"));
                continue;
            }
            let start = format!("#include <stdio.h>\n#include \"tband.h\"\n{before}\n");
            // Complete functions, or the content of one.
            let inside = format!("{start}void block(void);\nvoid block(void) {{\n{block}\n}}\n");
            let by_itself = format!("{start}{block}");
            let texts = [&by_itself, &inside];
            let output: Vec<String> = USUAL
                .iter()
                .flat_map(|config| texts.map(|text| compile(config, text)))
                .map_while(Result::err)
                .collect();
            assert!(
                output.len() < USUAL.len() * texts.len(),
                "{name}:\n{block}{}",
                output.concat()
            );
        }
    }
}

/// The prototypes of the reference are those of the headers: they are declared once more after them.
#[test]
fn the_prototypes_of_the_reference_are_those_of_the_headers() {
    let page = &pages()["reference/c-api.md"];
    let prototypes: Vec<_> =
        blocks(page).into_iter().filter(|block| block.ends_with(';')).collect();
    assert!(prototypes.len() > 40, "{}", prototypes.len());
    let text = format!("#include \"tband.h\"\n{}\n", prototypes.join("\n"));
    compile("#define tband_configENABLE 0\n", &text).expect("they agree");
}

/// The same for the emitter of flux.
#[test]
fn the_prototypes_of_the_reference_of_flux_are_those_of_the_headers() {
    let page = &pages()["reference/flux-api.md"];
    let prototypes: Vec<_> =
        blocks(page).into_iter().filter(|block| block.ends_with(';')).collect();
    assert!(prototypes.len() > 25, "{}", prototypes.len());
    let text = format!(
        "#define TBAND_FLUX_FILES\n#include \"tband_flux.h\"\n#include \"tband_flux_handlers.h\"\n{}\n",
        prototypes.join("\n")
    );
    compile("#define tband_configENABLE 0\n", &text).expect("they agree");
}

#[test]
fn every_block_has_a_test() {
    for (name, text) in pages() {
        let has = text.lines().any(|line| line.trim_start().starts_with("```"));
        let test = BLOCKS.iter().find(|(page, _)| *page == name);
        match test {
            Some((_, test)) => assert!(root().join(test).is_file(), "{test}"),
            None => assert!(!has, "{name} has blocks, and no test is named for them"),
        }
    }
}

/// Rows of the table after a line of a page, without its head: the cells.
fn table<'p>(page: &'p str, before: &str) -> Vec<Vec<&'p str>> {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("no {before}"));
    let rows = rest.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The costs on pages of the guide equal the measured ones.
#[test]
fn costs_are_those_that_were_measured() {
    let pages = pages();
    let cost = &pages["reference/cost.md"];
    let measured =
        ["frames", "packets"].map(|format| table(cost, &format!("<!-- bench: {format} -->")));
    let mut count = 0;
    let page = "guide/recording/choosing.md";
    for row in table(&pages[page], "<!-- cost: frames packets -->") {
        for (measured, output) in measured.iter().zip(&row[1..]) {
            let found = measured.iter().find(|measured| measured[0] == row[0]);
            assert_eq!(found.map(|found| found[1]), Some(*output), "{page}: {}", row[0]);
            count += 1;
        }
    }
    assert_eq!(count, 14);
    // And what follows of it.
    let bytes = measured[1].iter().find(|row| row[0] == "bytes an event").expect("it")[1];
    let bytes: f64 = bytes.parse().expect("a number");
    // What filters and triggers cost while they have nothing to do, and how much less packets cost than frames.
    for (option, before, page) in [
        ("triggers", "a hook takes 4 to 11 instructions more", "guide/recording/triggers.md"),
        ("triggers", "Costs 4 to 11 instructions in each hook", "reference/configuration.md"),
        ("filters", "Costs up to 3 instructions in each hook", "reference/configuration.md"),
        ("filters", "a hook takes at most three instructions more", "guide/recording/filters.md"),
    ] {
        let text = pages[page].split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(before), "{page}: {before}");
        let rows = table(cost, &format!("<!-- bench: {option} -->"));
        let rows = rows.iter().filter(|row| row[0] != "any hook while stopped");
        let rows = rows.filter(|row| !row[0].ends_with("bytes"));
        let number = |row: &[&str], at: usize| row[at].parse::<i32>().expect("a number");
        // Columns: of frames without it, with it, and more; then of packets.
        let half = |row: &[&str]| 1 + (row.len() - 1) / 2;
        let more = rows.flat_map(|row| {
            [1, half(row)].map(|first| number(row, first + 1) - number(row, first))
        });
        let more: Vec<i32> = more.collect();
        let range = (*more.iter().min().expect("rows"), *more.iter().max().expect("rows"));
        assert_eq!(range, if option == "triggers" { (4, 11) } else { (0, 3) }, "{option}");
    }
    let of = |format: usize, name: &str| -> f64 {
        let row = measured[format].iter().find(|row| row[0] == name).expect("a row");
        row[1].parse().expect("a number")
    };
    let share = |name: &str, less: f64| (of(1, name) - less) / (of(0, name) - less);
    let frames = &pages["guide/recording/frames.md"];
    assert!(frames.contains("costs about half of the instructions and 56 % of the bytes"));
    // A round takes 1292 instructions without a recorder.
    assert!(cost.contains("\n1292 instructions."));
    assert!((share("instructions per round", 1292.0) - 0.5).abs() < 0.05);
    assert!((share("bytes per round", 0.0) - 0.56).abs() < 0.005);
    let choosing = &pages["guide/recording/choosing.md"];
    for (heading, packet) in [("## How much memory", 512), ("## How fast a line", 0)] {
        for row in table(choosing, heading) {
            let number = |at: usize| row[at].parse::<u32>().expect("a number");
            let holds = f64::from(number(1)) / bytes;
            assert!((holds - f64::from(number(2))).abs() <= 1.0, "{row:?}: {holds}");
            assert!(packet == 0 || number(0) * packet == number(1), "{row:?}");
        }
    }
}

/// The catalogue has every example, and its descriptions of the commands use the commands' own words.
#[test]
fn the_catalogue_has_every_example() {
    let page = &pages()["guide/start/examples.md"];
    for entry in fs::read_dir(root().join("examples")).expect("examples") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a name");
        assert!(
            page.contains(&format!("| [{name}](../../../../examples/{name}/README.md) |")),
            "{name}"
        );
    }
}
