//! Completion scripts and man pages, from the one description of the command line.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::Outcome;
use crate::args::Cli;
use crate::output::print;
use crate::report::Report;

/// Prints the completion script of a shell.
pub fn completion(shell: Shell) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tband-cli", &mut script);
    if shell == Shell::Bash {
        // The library takes the hyphen of the program's name for the start of a command's.
        script = String::from_utf8(script)?.replace("tband__subcmd__cli", "tband__cli").into();
    }
    print(&script)?;
    Ok(Outcome::Clean)
}

/// Writes one page for the program and one for each command.
pub fn write(dir: &Path, report: &Report) -> anyhow::Result<Outcome> {
    let cannot = || format!("cannot write man pages to {}", dir.display());
    fs::create_dir_all(dir).with_context(cannot)?;
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let page = page(command).with_context(cannot)?;
        fs::write(dir.join(format!("{name}.1")), page).with_context(cannot)?;
    }
    report.line(&format!("man pages are in {}", dir.display()));
    Ok(Outcome::Clean)
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    // The library leaves these out.
    let after = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    for section in after.trim_end().split("\n\n") {
        write_section(&mut page, section)?;
    }
    Ok(page)
}

/// A section whose heading is the text's first line, if that ends in a colon.
fn write_section(page: &mut Vec<u8>, text: &str) -> io::Result<()> {
    let headed = text.split_once(":\n").filter(|(heading, _)| !heading.contains('\n'));
    let (heading, text) = headed.unwrap_or(("Notes", text));
    writeln!(page, ".SH {}", heading.to_uppercase())?;
    if headed.is_none() {
        return writeln!(page, "{}", escaped(text.trim_end()));
    }
    writeln!(page, ".nf")?;
    for line in text.lines() {
        writeln!(page, "{}", escaped(line))?;
    }
    writeln!(page, ".fi")
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    // A dot or quote in front would be a request.
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
