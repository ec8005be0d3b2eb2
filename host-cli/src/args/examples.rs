//! What `--help` shows after the options. Tests run every example.

use super::sources;

pub const ALL: &str = "\
Examples:
  tband-cli conv -o trace.pftrace recording.bin     for ui.perfetto.dev
  tband-cli conv --open recording.bin               convert and show
  tband-cli conv -o t.pftrace core0.bin@0 core1.bin@1
                                                    one file a core
  tband-cli stats recording.bin                     who used the CPU, who waited
  tband-cli check recording.bin                     is it whole?
  tband-cli why control recording.bin               what made its longest activation long
  tband-cli assert rules.toml after.bin             does it keep its deadlines?
  tband-cli report -o report.html recording.bin     a page with timeline and numbers
  tband-cli dump --limit 20 recording.bin           look at single events

Exit codes:
  0  all is well
  1  done, but the recording is damaged or has losses
  2  nothing done: wrong usage, or nothing usable in the input
";

pub const CONFIG: &str = "\
Examples:
  tband-cli config config/tband_config.h
  tband-cli config config/tband_config.h config/tband_port.h

Exit codes:
  0  all macros are known
  1  there is one that tband does not know; the one that was meant has its default
  2  nothing done: wrong usage, or no such file
";

pub const INIT: &str = "\
Examples:
  tband-cli init firmware
  tband-cli init --apply firmware
  tband-cli init --apply --cpu cortex-m4f --clock 168M firmware
  tband-cli init --remove firmware

It writes the part of the SDK for the chip into FOLDER/tband, and tband_config.h and tband_port.h into FOLDER/tband-config. The \
patch of your files is on stdout, for patch -p1 in the folder. Without --apply no existing file is changed.

Exit codes:
  0  all is done, or shown
  1  some steps are left to you, or some files were kept
  2  nothing done: unknown chip or clock, wrong usage, a file is in the way
";

pub const SDK: &str = "\
Examples:
  tband-cli sdk --out tband-sdk
  tband-cli sdk --tar tband-sdk.tar.gz

The archive is that of cargo xtask dist, which has this program in bin/ too.
";

pub const DOCTOR: &str = "\
Examples:
  tband-cli doctor
  tband-cli doctor --rate 50000 config
  tband-cli doctor build/firmware.elf

In a folder it reads tband_config.h, tband_port.h, FreeRTOSConfig.h and the build files; it evaluates no \
conditions, and names nothing missing that they decide. In a program it reads the symbols.

Exit codes:
  0  nothing is missing
  1  something is
  2  nothing done: wrong usage, no such file, or several projects in the folder
";

pub const CONV: &str = "\
Examples:
  tband-cli conv -o trace.pftrace recording.bin
  tband-cli conv -o trace.pftrace.gz recording.bin
  tband-cli conv -f hex -o trace.pftrace recording.txt
  tband-cli conv -c 2 -o t.pftrace core0.bin@0 core1.bin@1
  tband-cli conv --open recording.bin
";

pub const DUMP: &str = "\
Examples:
  tband-cli dump recording.bin
  tband-cli dump --from 1.5ms --to 3ms recording.bin
  tband-cli dump --json --event task_switched_in --limit 10 recording.bin
  tband-cli dump -m bare-metal recording.bin
";

pub const STATS: &str = "\
Examples:
  tband-cli stats recording.bin
  tband-cli stats --json recording.bin
  tband-cli stats --csv core0.bin@0 core1.bin@1

The time of interrupts is not counted to the task that they interrupt. A state that is open at the end of the \
recording, or where events are missing, counts with its length so far; the columns open and cut count \
such states. Median and 99th percentile are within 3 % of the true ones. JSON and CSV always have all rows.
";

pub const CHECK: &str = "\
Examples:
  tband-cli check recording.bin
  tband-cli check --quiet recording.bin
  tband-cli check -c 2 core0.bin@0 core1.bin@1
";

pub const WHY: &str = "\
Examples:
  tband-cli why control recording.bin
  tband-cli why control --worst 10 --late 2ms recording.bin
  tband-cli why --isr UART0 recording.bin

An activation of a task begins when its work is released (the end of a delay, an item, a notification) and ends when the \
task waits for work again. Waits for a lock are part of it, and are explained by what the holder of the lock did. The parts \
add up to the whole.

Exit codes:
  0  answered; the recording is clean
  1  answered; something of the recording is lost or damaged
  2  not answered
";

pub const REPORT: &str = "\
Examples:
  tband-cli report -o report.html recording.bin
  tband-cli report --from 100ms --to 120ms -o part.html recording.bin
  tband-cli report -o report.html core0.bin@0 core1.bin@1
  tband-cli report -o both.html before.bin --compare after.bin

The page is one file that needs no network: a browser opens it from the disk. It has the tables of \
stats and the findings of check. In very long recordings it draws short neighbours as one, with their number.
";

pub const INGEST: &str = "\
Examples:
  tband-cli ingest fleet recording.bin
  tband-cli ingest --device pump-7 --date 2026-11-24 fleet recording.bin

A recording is what its bytes are: it is added once, under whatever name it comes again. \
`duckdb -c \"SELECT * FROM read_parquet('fleet/recordings/**/*.parquet')\"` shows the recordings.
";

pub const ASSERT: &str = "\
Examples:
  tband-cli assert rules.toml after.bin
  tband-cli assert --junit results.xml rules.toml after.bin
  tband-cli assert --explain rules.toml
  tband-cli assert --learn after.bin
  tband-cli assert --write-baseline b.json rules.toml after.bin
  tband-cli assert --baseline after.bin rules.toml after.bin

A rule is a line of the file, as { task = \"control\", response = \"<= 2 ms\" }.

Exit codes:
  0  all rules hold
  1  one is broken
  2  nothing judged: wrong usage, a mistake in the rules, or nothing usable in the input
  3  none is broken, and some are not judged: there was nothing to judge, or a part of it is missing
";

pub const DIFF: &str = "\
Examples:
  tband-cli diff before.bin -- after.bin
  tband-cli diff --only response,own before.bin -- after.bin
  tband-cli diff --markdown - before.bin -- after.bin

Each file is one recording. Runs of one program differ too, so a verdict needs four recordings or more of each group, as \
old/*.bin -- new/*.bin; record six or more. WORSE: the change exceeds the threshold, and is not by chance (q is 0.05 or less). \
same: the 95 % interval of the change is within the threshold.

Exit codes:
  0  compared
  1  with --fail-on: a figure is worse, or a rule is broken
  2  not compared: wrong usage, or nothing usable in the input
  3  with --fail-on: nothing is worse or broken, and there are too few recordings, or a rule is not judged
";

pub const QUERY: &str = "\
Examples:
  tband-cli query \"SELECT event, count(*) FROM events GROUP BY 1\" recording.bin
  tband-cli query --json \"SELECT * FROM losses\" recording.bin
  tband-cli query --each \"SELECT file, events FROM recordings\" before.bin after.bin

The tables are those of conv --output-format parquet: events, states, waits, \
interrupts, levels, markers, heap, activations, parts, holds, periods, losses and \
recordings. Only the named tables are read. In addition to SQLite's functions there are median(x), \
percentile(x, 0 to 100) and quantile_disc(x, 0 to 1).

Exit codes:
  0  answered; the recording is clean
  1  answered; something of the recording is lost or damaged
  2  not answered
";

pub fn record() -> String {
    format!(
        "\
Examples:
  tband-cli record --list
  tband-cli record -o copy.bin --until events:100 file:recording.bin
  tband-cli record -o copy.bin --convert t.pftrace - < recording.bin

Sources:
{}
The received bytes are in the file at any time, whatever ends the program. Counters are \
shown on a terminal. A recording of packets can be joined late.

Exit codes:
  0  it ended as planned: by Ctrl-C, --until, --trigger, or the end of stdin
  1  the source ended or failed before that, the bytes are not a recording, or no
     trigger has fired; the received bytes are in the file
  2  nothing came, it could not be written, or the firmware refuses a trigger
",
        sources::help()
    )
}

pub fn command() -> String {
    format!(
        "\
Examples:
  tband-cli command --list

  With a port of yours:     tband-cli command serial:/dev/ttyACM0@921600 info
  With a debugger of yours: tband-cli command --elf firmware.elf gdb:localhost:3333 info

Filters, for firmware with tband_configUSE_FILTERS 1:
  filter off class queue      a class of events; or group NAME, event NAME
  filter off task worker      an object, by name or number
  filter off task all         all of a kind; then 'on' for some of them
  filter on everything        everything is recorded again

Sources are those of record that have a way to the target: {}. The firmware executes commands if it compiles port/tband_commands.c, and allows each kind in \
tband_config.h. It answers in the recording, so only while it records.

Exit codes:
  0  it was done; values that were read are printed
  1  the firmware has refused it
  2  no answer, or no target is connected
",
        sources::sources_with_commands()
    )
}

pub const TOP: &str = "\
Examples:
  tband-cli top --once recording.bin
  tband-cli top --once --sort stack --window 100ms recording.bin
  tband-cli top --once - < recording.bin

Keys:
  q, Ctrl-C    quit
  p, space     pause; events are still received
  s            sort by the next column
  f, /         filter by name; Enter keeps it, Esc takes it away
  arrows, PgUp, PgDn, Home
               scroll the tasks
  :            a command to the target, as of tband-cli command; Enter sends it
  R, S, N      the target starts to record, stops, sends names again
  1 to 7       scheduling, communication, interrupts, time, memory, application, calls:
               a group of events is not recorded any more, or again
  ?, h         help

Sources are those of record, and files. It waits for a source that is not there \
yet, or not any more. The figures are those of stats for the same window.
";

pub const EXTRACT: &str = "\
Examples:
  tband-cli extract -o left.bin ram.bin
  tband-cli extract --base 0x20000000 --convert t.pftrace -o left.bin ram.bin

Exit codes:
  0  all that was found is whole
  1  some packets are damaged, and left out
  2  nothing found
";

pub const SERVE: &str = "\
Examples:
  tband-cli serve trace.pftrace
  tband-cli serve --open recording.bin
";

pub const WEB: &str = "\
Examples:
  tband-cli web --dir page
  tband-cli web --dir page --port 8000
";

pub const COMPLETION: &str = "\
Examples:
  tband-cli completion bash > tband-cli.bash
  tband-cli completion zsh > _tband-cli
";

pub const MAN: &str = "\
Examples:
  tband-cli man --out man1
";

pub const LICENSES: &str = "\
Examples:
  tband-cli licenses
  tband-cli licenses > THIRD-PARTY-LICENSES.txt
";
