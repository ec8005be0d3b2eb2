//! The tarball on a machine that has compilers, make and CMake and nothing of Rust: its README is followed word
//! by word, in C and C++, with make and with CMake, to a trace.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::root::Machine;
use super::show;
use crate::command::run_quiet;
use crate::dist;

/// A person's action, and how to check its success.
struct Step {
    title: String,
    /// Lines for a shell that starts in root's home folder.
    lines: String,
}

/// Follows the README of a tarball on a machine.
///
/// # Errors
/// A step failed; its output is shown.
pub fn run(machine: &mut Machine, tarball: &Path) -> Result<()> {
    let home = machine.root().join("root");
    run_quiet(Command::new("tar").arg("xzf").arg(tarball).arg("-C").arg(&home))?;
    let package = format!("tband-{}", dist::VERSION);
    let readme = home.join(&package).join("README.md");
    let readme = fs::read_to_string(&readme).context("the tarball has no README.md")?;
    for step in steps(&package, &readme)? {
        eprintln!("== {} ==", step.title);
        let words = ["sh", "-exc", &step.lines].map(str::to_owned);
        let (ok, _) = show(&mut machine.command(&words)?)?;
        ensure!(ok, "failed on a machine without Rust: {}", step.title);
    }
    eprintln!("== {} leads to traces without Rust ==", tarball.display());
    Ok(())
}

/// All that is done, in order.
fn steps(package: &str, readme: &str) -> Result<Vec<Step>> {
    let step = |title: &str, lines: String| Step { title: title.to_owned(), lines };
    let mut steps = vec![step(
        "compilers, make and CMake; no Rust",
        "export DEBIAN_FRONTEND=noninteractive\n\
         apt-get update -qq\n\
         apt-get install -y -qq --no-install-recommends gcc g++ make cmake >/dev/null\n\
         for name in cargo rustc rustup; do if command -v $name; then exit 1; fi; done\n"
            .to_owned(),
    )];
    let commands = dist::readme_block(readme, "See a trace now", "sh")?;
    steps.push(step(
        "README: see a trace now",
        format!("cd {package}\n{commands}\ntest -s hello.pftrace\nbin/tband-cli check hello.bin\n"),
    ));
    let fragments = [("CMake", "cmake"), ("Makefile", "make")].map(|(heading, language)| {
        let block = dist::readme_block(readme, heading, language)?;
        anyhow::Ok(block.replace("/path/to/this/folder", &format!("/root/{package}")))
    });
    let [cmake, make] = fragments;
    let (cmake, make) = (cmake?, make?);
    for (language, suffix) in [("C", "c"), ("CXX", "cpp")] {
        // The README's lines, with the surrounding lines of any project.
        let project = format!("project-{suffix}");
        let own = format!(
            "mkdir {project}\ncd {project}\n\
             cp -r ../{package}/examples/hello/config ../{package}/examples/hello/hello.[ch] .\n\
             cp ../{package}/examples/hello/filter.{suffix} .\n"
        );
        let to_a_trace = format!(
            "rm -f hello.bin\n./$program\n\
             ../{package}/bin/tband-cli check hello.bin\n\
             ../{package}/bin/tband-cli conv hello.bin -o hello.pftrace\ntest -s hello.pftrace\n"
        );
        let makefile = format!(
            "CC := {compiler}\n{make}\nSRCS := $(filter-out %/tband_freertos.c,$(SRCS))\n\
             firmware: $(notdir $(SRCS:.c=.o)) hello.o filter.o\n\
             \t$(CC) -Wl,--gc-sections $^ $(LIBS) -o $@\n\
             VPATH := $(sort $(dir $(SRCS)))\n\
             %.o: %.c\n\tgcc $(CPPFLAGS) $(CFLAGS) -c $< -o $@\n",
            compiler = if language == "C" { "gcc" } else { "g++" },
        );
        steps.push(step(
            &format!("README: Makefile, {language}"),
            format!(
                "{own}cat > Makefile <<'END'\n{makefile}END\nmake\nprogram=firmware\n{to_a_trace}"
            ),
        ));
        let lists = format!(
            "cmake_minimum_required(VERSION 3.20)\nproject(own LANGUAGES C CXX)\n\
             add_executable(firmware hello.c filter.{suffix})\n{cmake}"
        );
        steps.push(step(
            &format!("README: CMake, {language}"),
            format!(
                "cd {project}\ncat > CMakeLists.txt <<'END'\n{lists}END\n\
                 cmake -B build -DCMAKE_PREFIX_PATH=/root/{package}\ncmake --build build\n\
                 program=build/firmware\n{to_a_trace}"
            ),
        ));
        steps.push(step(
            &format!("the example, {language}, with make and with CMake"),
            format!(
                "cd {package}/examples/hello\nmake LANGUAGE={suffix} BUILD=made-{suffix}\n\
                 ./made-{suffix}/hello\n../../bin/tband-cli check hello.bin\nrm -r hello.bin\n\
                 cmake -B cmake-{suffix} -DLANGUAGE={language}\ncmake --build cmake-{suffix}\n\
                 ./cmake-{suffix}/hello\n../../bin/tband-cli check hello.bin\n"
            ),
        ));
    }
    steps.push(step(
        "a mistyped macro ends make and CMake",
        "for tool in make 'cmake -B build'; do\n\
         cd /root/project-c\n\
         cp config/tband_config.h kept.h\n\
         echo '#define tband_configMETADATA_BUFFER_SIZE 1' >> config/tband_config.h\n\
         if $tool > output.txt 2>&1; then exit 1; fi\n\
         tr -s ' \\n' ' ' < output.txt | grep -F 'is not a macro of tband: it would be ignored'\n\
         mv kept.h config/tband_config.h\ndone\n"
            .to_owned(),
    ));
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_has_all_that_is_followed() {
        let readme = fs::read_to_string(crate::workspace_root().join("cmake/package.md")).unwrap();
        let steps = steps("tband-1.2.3", &readme).unwrap();
        assert_eq!(steps.len(), 9);
        for text in
            ["include /root/tband-1.2.3/tband.mk", "find_package(tband", "make -C examples/hello"]
        {
            assert!(steps.iter().any(|step| step.lines.contains(text)), "{text}");
        }
    }
}
