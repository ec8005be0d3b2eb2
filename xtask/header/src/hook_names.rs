//! The names of the hooks: `freertos-hooks/tband_hooks_names.h`, which defines for each hook the kernel's name and one of
//! tband, and `freertos-hooks/tband_hooks_own.h`, which demands that the kernel's macros still expand to the hooks.
//!
//! The generator finds the hooks in the other files of the folder, as `#define TBAND_ON_*`, so no second list of them is needed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use tband_format::api::API_FUNCTIONS;

const NAMES: &str = "\
/* The kernel's trace macros, and what each does under a name of tband's own: tband_traceTASK_DELAY() for
 * traceTASK_DELAY(). A macro of yours calls it by that one, in any configuration.
 *
 * Generated from the hooks (TBAND_ON_*) by `cargo xtask header`; do not edit. */
#ifndef TBAND_HOOKS_NAMES_H
#define TBAND_HOOKS_NAMES_H

#include \"tband.h\" /* does nothing unless this header was included alone */

/* What tband_hooks_own.h looks for. */
#define TBAND_HOOK(hook) hook

";

const OWN: &str = "\
/* Demands that the kernel's trace macros are those of tband, or call them. Part of tband_freertos.c; costs nothing
 * in the firmware.
 *
 * The check is on what a macro expands to, since the kernel's types and variables are not known here: while this is
 * read, each hook is a text that is longer than what anybody writes into a macro.
 *
 * Generated from the hooks (TBAND_ON_*) by `cargo xtask header`; do not edit. */
#ifndef TBAND_HOOKS_OWN_H
#define TBAND_HOOKS_OWN_H

#include \"tband.h\" /* does nothing unless this header was included alone */

#define TBAND_TEXT(...) TBAND_TEXT_OF(__VA_ARGS__)
#define TBAND_TEXT_OF(...) #__VA_ARGS__
#define TBAND_LONG_64 1234567890123456789012345678901234567890123456789012345678901234
#define TBAND_LONG_512                                                                              \\
  TBAND_LONG_64 TBAND_LONG_64 TBAND_LONG_64 TBAND_LONG_64 TBAND_LONG_64 TBAND_LONG_64 TBAND_LONG_64 \\
      TBAND_LONG_64
#define TBAND_LONG_TEXT TBAND_LONG_512 TBAND_LONG_512 TBAND_LONG_512 TBAND_LONG_512

#define TBAND_DEMAND_HOOK(name, arguments)                                                              \\
  TBAND_STATIC_ASSERT(                                                                                  \\
      sizeof(TBAND_TEXT(name arguments)) >= sizeof(TBAND_TEXT(TBAND_LONG_TEXT)),                        \\
      \"tband: \" #name \" was defined again after tband.h, so tband does not record it. Call tband_\" #name \\
      \" in your macro, or put into tband_config.h: #define tband_configALLOW_OWN_TRACE_MACROS 1\")
#define TBAND_DEMAND_RETURN_HOOK(name)                                                           \\
  TBAND_STATIC_ASSERT(sizeof(TBAND_TEXT(name())) >= sizeof(TBAND_TEXT(TBAND_LONG_TEXT)),         \\
                      \"tband: \" #name \" was defined again after tband.h, so tband does not record \" \\
                      \"it. Remove that definition, or put into tband_config.h: \"                 \\
                      \"#define tband_configALLOW_OWN_TRACE_MACROS 1\")

#undef TBAND_HOOK
#define TBAND_HOOK(hook) TBAND_LONG_TEXT

";

/// The two headers: one with the names, one that demands their expansions.
pub fn headers(root: &Path) -> Result<[String; 2]> {
    let (mut names, mut own) = (NAMES.to_owned(), OWN.to_owned());
    for (hook, parameters) in hooks(&root.join("freertos-hooks"))? {
        write!(
            names,
            "#ifdef TBAND_ON_{hook}\n\
             #define trace{hook}(...) tband_trace{hook}(__VA_ARGS__)\n\
             #define tband_trace{hook}(...) TBAND_HOOK(TBAND_ON_{hook})(__VA_ARGS__)\n\
             #else\n\
             #define tband_trace{hook}(...) ((void)0)\n\
             #endif\n"
        )?;
        // One may be empty, and of a macro without parameters it is none.
        let arguments = vec![""; parameters].join(", ");
        write!(
            own,
            "#ifdef TBAND_ON_{hook}\nTBAND_DEMAND_HOOK(trace{hook}, ({arguments}));\n#endif\n"
        )?;
    }
    own.push_str(
        "\n/* Macros for entering functions take as many arguments as these, which only the kernel knows. */\n\
         #if tband_configFREERTOS_API_TRACE_ENABLE != 0\n",
    );
    for function in API_FUNCTIONS {
        writeln!(own, "TBAND_DEMAND_RETURN_HOOK(traceRETURN_{function});")?;
    }
    own.push_str(
        "#endif\n\n\
         /* Other files may be compiled together with this one. */\n\
         #undef TBAND_HOOK\n#define TBAND_HOOK(hook) hook\n\n\
         #endif /* TBAND_HOOKS_OWN_H */\n",
    );
    names.push_str("\n#endif /* TBAND_HOOKS_NAMES_H */\n");
    Ok([names, own])
}

/// The hooks with their number of parameters. A hook of one parameter may have none: kernels differ in that, and a macro
/// of one parameter accepts an empty argument list.
fn hooks(folder: &Path) -> Result<BTreeMap<String, usize>> {
    let mut found = BTreeMap::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let path = entry?.path();
        for line in fs::read_to_string(&path)?.lines() {
            let Some(rest) = line.strip_prefix("#define TBAND_ON_") else { continue };
            let (name, rest) = rest.split_once('(').context("a hook without parameters")?;
            let (parameters, _) = rest.split_once(')').context("a hook without an end")?;
            let count = parameters.split(',').count();
            let known = found.insert(name.to_owned(), count);
            ensure!(
                known.is_none_or(|known| known == count),
                "{}: {name} has other parameters than elsewhere",
                path.display()
            );
        }
    }
    ensure!(!found.is_empty(), "no hooks in {}", folder.display());
    Ok(found)
}
