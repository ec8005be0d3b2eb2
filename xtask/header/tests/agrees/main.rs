//! `include/tband.h` and `include/tband_library.h` agree with the library, and the hooks agree with the kernel, in
//! prototypes, layouts, constants and formulas.
//!
//! The C side is read with bindgen (libclang), the Rust side with syn; neither sees how cbindgen wrote
//! the header.

mod events;
mod functions;
mod kernel;
mod layout;
mod release;
mod rust;

use tband_tests::c::includes;
use tband_tests::{root, temp_dir, write};

/// What bindgen makes of a text of C that includes headers of tband; `file` limits it to a header. The
/// backend is the external one unless the options choose another.
fn bindings(text: &str, file: &str, options: &[String]) -> String {
    let folder = temp_dir();
    write(
        folder.path().join("tband_config.h"),
        "#define tband_configENABLE 1\n\
         #if tband_configUSE_BACKEND_POST_MORTEM\n\
         #define tband_configFORMAT TBAND_FORMAT_PACKETS\n\
         #define tband_configPACKET_BUF_ATTRIBUTE\n\
         #elif !(tband_configUSE_BACKEND_STREAMING + tband_configUSE_BACKEND_SNAPSHOT)\n\
         #define tband_configUSE_BACKEND_EXTERNAL 1\n\
         #endif\n",
    );
    let mut builder = bindgen::Builder::default()
        .header_contents("reader.h", text)
        .clang_args(["-std=c11", "-I"])
        .clang_arg(folder.path().display().to_string())
        .clang_args(options)
        .allowlist_file(file)
        .derive_default(false);
    for include in includes() {
        builder = builder.clang_arg("-I").clang_arg(include.display().to_string());
    }
    builder.generate().expect("bindgen reads the headers").to_string()
}

/// Both as bindgen and syn see them.
fn header() -> syn::File {
    let text = bindings("#include \"tband.h\"", ".*/include/tband(_library)?\\.h", &[]);
    syn::parse_file(&text).expect("bindgen writes Rust")
}

/// The value of each integer constant of a file, by name.
fn constants(file: &syn::File) -> std::collections::BTreeMap<String, u64> {
    let constant = |item: &syn::Item| {
        let syn::Item::Const(constant) = item else {
            return None;
        };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(value), .. }) = &*constant.expr else {
            return None;
        };
        Some((constant.ident.to_string(), value.base10_parse().expect("a number")))
    };
    file.items.iter().filter_map(constant).collect()
}

#[test]
fn the_generated_files_are_up_to_date() {
    tband_header::run(root(), true).expect("up to date");
}
