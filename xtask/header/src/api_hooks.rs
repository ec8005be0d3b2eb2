//! `freertos-hooks/tband_hooks_api.h`: the kernel's macros for entering and leaving its functions.
//!
//! Calls have the number of their function in `API_FUNCTIONS`. Some classes want to know of single calls
//! too and define `TBAND_ENTER_f` or `TBAND_RETURN_f`; this generator finds those in the other hook files,
//! so no second list of them is needed.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use tband_format::api::API_FUNCTIONS;

const HEAD: &str = "\
/* Trace macros of the class API, and what other classes want to know of single calls: the kernel's
 * traceENTER_* and traceRETURN_*.
 *
 * Generated from the list of functions in tband-format by `cargo xtask header`; do not edit. They expand
 * at the start and the end of the kernel's functions, in any context that those are called in. */
#ifndef TBAND_HOOKS_API_H
#define TBAND_HOOKS_API_H

#include \"tband.h\" /* does nothing unless this header was included alone */

#if tband_configFREERTOS_API_TRACE_ENABLE != 0

#define TBAND_API_ENTER(function) TBAND_RECORD_U32(API_ENTER, (function))
#define TBAND_API_RETURN(function) \\
  TBAND_HOOK(TBAND_RECORD_NUMBERS)            \\
  (TBAND_EVT_U32_U32_API_RETURN | TBAND_IN_PACKETS(TBAND_LAST_IS_MISSING), 1, (function))
#define TBAND_API_RETURN_VALUE(function, value)                                             \\
  TBAND_HOOK(TBAND_RECORD_NUMBERS)                                                          \\
  (TBAND_EVT_U32_U32_API_RETURN | TBAND_IN_PACKETS(TBAND_LAST_IS_OPTIONAL), 2, (function), \\
   TBAND_LOW_BITS(value))
";

/// The text of the header.
pub fn header(root: &Path) -> Result<String> {
    let wanted = wanted(&root.join("freertos-hooks"))?;
    let mut text = HEAD.to_owned();
    let (mut joined, mut alone) = (String::new(), String::new());
    for (number, function) in API_FUNCTIONS.iter().enumerate() {
        let returned = match has_return_value(function) {
            true => format!("TBAND_API_RETURN_VALUE({number}, __VA_ARGS__)"),
            false => format!("TBAND_API_RETURN({number})"),
        };
        for (end, record) in [("ENTER", format!("TBAND_API_ENTER({number})")), ("RETURN", returned)]
        {
            let of_class = format!("TBAND_{end}_{function}");
            let macro_name = format!("trace{end}_{function}(...)");
            if !wanted.contains(&of_class) {
                writeln!(text, "#define {macro_name} {record}")?;
                continue;
            }
            let nothing =
                format!("#ifndef {of_class}\n#define {of_class}(...) ((void)0)\n#endif\n");
            let both = format!("{of_class}(__VA_ARGS__); {record}");
            writeln!(joined, "{nothing}#define {macro_name} {both}")?;
            write!(
                alone,
                "#ifdef {of_class}\n#define {macro_name} {of_class}(__VA_ARGS__)\n#endif\n"
            )?;
        }
    }
    write!(
        text,
        "\n/* Calls that another class wants to know of too. */\n{joined}\n\
         #else /* class API */\n\n{alone}\n\
         #endif /* class API */\n\n#endif /* TBAND_HOOKS_API_H */\n"
    )?;
    Ok(text)
}

/// The kernel names functions by what they return: `v` is void. Two names do not say the truth.
fn has_return_value(function: &str) -> bool {
    !function.starts_with('v')
        || matches!(function, "vTaskCoreAffinityGet" | "vTaskEnterCriticalFromISR")
}

/// The calls that the classes' hook files define something for.
fn wanted(folder: &Path) -> Result<BTreeSet<String>> {
    let mut wanted = BTreeSet::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let path = entry?.path();
        if path.ends_with("tband_hooks_api.h") {
            continue;
        }
        for line in fs::read_to_string(&path)?.lines() {
            let Some(rest) = line.strip_prefix("#define TBAND_") else { continue };
            let Some((end, function)) = rest.split_once('_') else { continue };
            if !matches!(end, "ENTER" | "RETURN") {
                continue;
            }
            let function = function.split_once('(').map_or(function, |(name, _)| name);
            ensure!(
                API_FUNCTIONS.contains(&function),
                "{}: {function} is not a function of the kernel: {line}",
                path.display()
            );
            wanted.insert(format!("TBAND_{end}_{function}"));
        }
    }
    Ok(wanted)
}
