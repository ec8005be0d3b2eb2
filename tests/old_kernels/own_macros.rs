//! Trace macros of the application: those that call tband's are taken, in any configuration and of any kernel, and
//! those that do not end the build, which names each.

use tband_tests::c::{Standard, compile_text, compiler, config_text, include, includes};
use tband_tests::{root, run, temp_dir, write};

use crate::{HOOKS, config, stand_in};

/// The versions of the mock kernel, and later ones: only the hooks differ there.
const KERNELS: [&str; 6] = ["100301", "100400", "100602", "110000", "110100", "110200"];

/// A macro of the kernel, with its parameters.
#[derive(Clone, Debug)]
struct Macro {
    name: String,
    parameters: String,
}

/// Each macro that tband defines in this configuration for a hook; and those for the ends of calls.
fn defined(config: &[(&str, &str)]) -> (Vec<Macro>, Vec<Macro>) {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(config));
    let source = folder.path().join("kernel.c");
    write(&source, "#include \"FreeRTOS.h\"\n");
    let mut command = compiler(Standard::C11);
    include(&mut command, [folder.path(), &stand_in()]);
    include(&mut command, includes());
    let text = run(command.args(["-E", "-dM"]).arg(source));
    let text = String::from_utf8(text).expect("text");
    let of = |begin: &str| -> Vec<Macro> {
        let of_line = |line: &str| {
            let (name, rest) = line.strip_prefix(begin)?.split_once('(')?;
            let (parameters, _) = rest.split_once(')')?;
            Some(Macro { name: format!("trace{name}"), parameters: parameters.to_owned() })
        };
        text.lines().filter_map(of_line).collect()
    };
    let returns = of("#define trace").into_iter().filter(|it| it.name.starts_with("traceRETURN_"));
    (of("#define TBAND_ON_"), returns.collect())
}

/// Returns the compiler's messages about the hooks if the application defines these macros with this body.
fn compiled(
    config: &[(&str, &str)],
    standard: Standard,
    macros: &[Macro],
    body: impl Fn(&Macro) -> String,
) -> Result<(), String> {
    let folder = temp_dir();
    write(folder.path().join("tband_config.h"), config_text(config));
    let mut text = "#include \"FreeRTOS.h\"\n".to_owned();
    for it in macros {
        let Macro { name, parameters } = it;
        text += &format!("#undef {name}\n#define {name}({parameters}) {}\n", body(it));
    }
    text += &format!("#include \"{}\"\n", root().join(HOOKS).display());
    let includes = [folder.path(), &stand_in()];
    let strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    compile_text(standard, &strict, &includes, &text, &folder.path().join("hooks.o"))
}

fn with_calls(kernel: &str) -> Vec<(&str, &str)> {
    let mut config = config(kernel, kernel);
    if kernel >= "110000" {
        config.push(("tband_configFREERTOS_API_TRACE_ENABLE", "1"));
    }
    config
}

#[test]
fn macros_that_do_not_call_tband_s_end_the_build() {
    for kernel in KERNELS {
        let config = with_calls(kernel);
        let (hooks, returns) = defined(&config);
        assert!(hooks.len() > 80, "{kernel}: {hooks:?}");
        assert_eq!(returns.len() > 200, kernel >= "110000", "{kernel}: {returns:?}");
        let all = [&hooks[..], &returns].concat();
        // Longer than what a macro of a recorder has, and with what hides parts of a text.
        let long = "do { static const char own[] = \"a \\\"text\\\", (of\"; \
                    if (own[0] != 'b') { (void)(own + __LINE__); } } while (0)";
        for body in ["", "((void)0)", long] {
            let output = compiled(&config, Standard::C11, &all, |_| body.to_owned())
                .expect_err("it must not compile");
            for Macro { name, .. } in &all {
                let expected = format!("tband: {name} was defined again after tband.h");
                assert!(output.contains(&expected), "{kernel}: no “{expected}” in\n{output}");
            }
        }
        let allowed = [&config[..], &[("tband_configALLOW_OWN_TRACE_MACROS", "1")]].concat();
        compiled(&allowed, Standard::C11, &all, |_| "((void)0)".to_owned())
            .unwrap_or_else(|output| panic!("{kernel}: {output}"));
    }
}

#[test]
fn reports_exactly_the_redefined_macro() {
    let config = config("100602", "100602");
    let (hooks, _) = defined(&config);
    for hook in hooks.iter().step_by(7) {
        let one = std::slice::from_ref(hook);
        let output = compiled(&config, Standard::C11, one, |_| String::new()).expect_err("refused");
        assert_eq!(output.matches("was defined again after").count(), 1, "{hook:?}: {output}");
        assert!(output.contains(&format!("tband: {} was defined again", hook.name)), "{output}");
    }
}

#[test]
fn macros_that_call_tband_s_are_taken() {
    for kernel in KERNELS {
        let config = with_calls(kernel);
        let (hooks, _) = defined(&config);
        let both = |it: &Macro| {
            format!("do {{ tband_{}({}); (void)7; }} while (0)", it.name, it.parameters)
        };
        for standard in Standard::C {
            compiled(&config, standard, &hooks, both)
                .unwrap_or_else(|output| panic!("{kernel}: {output}"));
        }
    }
}

/// Disabled hooks still have the names, and do nothing.
#[test]
fn second_names_exist_in_any_configuration() {
    let (hooks, _) = defined(&config("110200", "110200"));
    let calls: String = hooks.iter().map(|it| format!("  tband_{}();\n", it.name)).collect();
    let text = format!("#include \"tband.h\"\nvoid all(void);\nvoid all(void) {{\n{calls}}}\n");
    for (on, class) in [("0", "1"), ("1", "0"), ("0", "0")] {
        let folder = temp_dir();
        let config = [
            ("tband_configENABLE", on),
            ("tband_configUSE_BACKEND_STREAMING", "1"),
            ("tband_configFREERTOS_TRACE_ENABLE", class),
        ];
        let config: String =
            config.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect();
        write(folder.path().join("tband_config.h"), config);
        let includes = [folder.path(), &stand_in()];
        let object = folder.path().join("all.o");
        compile_text(Standard::C11, &["-Wall", "-Wextra", "-Werror"], &includes, &text, &object)
            .unwrap_or_else(|output| panic!("{on} {class}: {output}"));
    }
}
