//! What the crate `tband` declares of C, `tband-rust/src/sys.rs`, is in the headers, with those types.

use std::collections::BTreeMap;

use tband_tests::{read, root};

use crate::functions::foreign_functions;

/// Everything of the headers, with the functions of one backend.
fn headers(backend: &str) -> syn::File {
    let options = [
        format!("-D{backend}=1"),
        "-Dtband_configFREERTOS_TRACE_ENABLE=1".to_owned(),
        "-Dtband_configUSE_FILTERS=1".to_owned(),
        "-Dtband_configUSE_TRIGGERS=1".to_owned(),
    ];
    let text = crate::bindings("#include \"tband.h\"", ".*/include/tband.*\\.h", &options);
    syn::parse_file(&text).expect("bindgen writes Rust")
}

/// The crate's declarations; the parser knows no functions that are safe to call.
fn declarations() -> syn::File {
    let text = read(root().join("tband-rust/src/sys.rs"));
    syn::parse_file(&text.replace("pub safe ", "pub ")).expect("Rust")
}

#[test]
fn functions_have_the_types_of_their_prototypes() {
    let mut prototypes = BTreeMap::new();
    for backend in ["STREAMING", "SNAPSHOT", "POST_MORTEM"] {
        prototypes
            .extend(foreign_functions(&headers(&format!("tband_configUSE_BACKEND_{backend}"))));
    }
    let declared = foreign_functions(&declarations());
    assert!(declared.len() > 20, "{declared:?}");
    for (name, types) in &declared {
        assert_eq!(prototypes.get(name), Some(types), "{name}");
    }
    // One that is written out here.
    assert_eq!(declared["tband_record_u32_s64"], "u32, u32, i64, ()");
}

/// Names and types of a struct's fields.
fn fields(file: &syn::File, name: &str) -> Vec<(String, String)> {
    let found = file.items.iter().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == name => Some(&item.fields),
        _ => None,
    });
    let field = |field: &syn::Field| {
        let syn::Type::Path(path) = &field.ty else { panic!("no simple type in {name}") };
        let ty = path.path.segments.last().map(|last| last.ident.to_string());
        (field.ident.as_ref().expect("a name").to_string(), ty.expect("a type"))
    };
    found.unwrap_or_else(|| panic!("no struct {name}")).iter().map(field).collect()
}

#[test]
fn the_flag_is_the_first_byte_of_the_recorder() {
    let header = headers("tband_configUSE_BACKEND_STREAMING");
    let name = "tband_recorder_head";
    let recording = |ty: &str| vec![("recording".to_owned(), ty.to_owned())];
    assert_eq!(fields(&header, name), recording("u8"));
    assert_eq!(fields(&declarations(), name), recording("AtomicU8"));
}
