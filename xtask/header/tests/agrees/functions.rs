//! Every function of the library has its prototype in the header, and the other way round.

use std::collections::BTreeMap;
use std::fs;

use quote::ToTokens as _;
use tband_header::backends;
use tband_tests::{read, root};

/// Types of parameters and result, without the paths in front of their names.
fn signature(signature: &syn::Signature) -> String {
    let mut types: Vec<String> = signature
        .inputs
        .iter()
        .map(|input| match input {
            syn::FnArg::Typed(input) => type_name(&input.ty),
            syn::FnArg::Receiver(_) => panic!("a method"),
        })
        .collect();
    types.push(match &signature.output {
        syn::ReturnType::Default => "()".to_owned(),
        syn::ReturnType::Type(_, result) => type_name(result),
    });
    types.join(", ")
}

fn type_name(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => {
            path.path.segments.last().map(|last| last.ident.to_string()).expect("a name")
        }
        syn::Type::Ptr(pointer) => {
            let kind = if pointer.mutability.is_some() { "*mut" } else { "*const" };
            format!("{kind} {}", type_name(&pointer.elem))
        }
        other => panic!("no C type: {}", other.to_token_stream()),
    }
}

pub type Signatures = BTreeMap<String, String>;

/// Functions declared in `extern` blocks.
pub fn foreign_functions(file: &syn::File) -> Signatures {
    let blocks = file.items.iter().filter_map(|item| match item {
        syn::Item::ForeignMod(block) => Some(block),
        _ => None,
    });
    blocks
        .flat_map(|block| &block.items)
        .filter_map(|item| match item {
            syn::ForeignItem::Fn(function) => {
                Some((function.sig.ident.to_string(), signature(&function.sig)))
            }
            _ => None,
        })
        .collect()
}

/// Functions that `tband-ffi` exports and imports.
fn library() -> (Signatures, Signatures) {
    let mut exported = Signatures::new();
    let mut imported = Signatures::new();
    let folder = fs::read_dir(root().join("tband-ffi/src")).expect("tband-ffi");
    let files = folder.map(|entry| read(entry.expect("an entry").path()));
    // Macros define the functions that there are for each backend.
    let expanded = backends::expanded(root(), backends::BACKENDS).expect("macros");
    for source in files.chain(expanded) {
        let file = syn::parse_file(&source).expect("Rust");
        imported.append(&mut foreign_functions(&file));
        for item in &file.items {
            let syn::Item::Fn(function) = item else {
                continue;
            };
            let is_exported = function.attrs.iter().any(|attr| {
                attr.to_token_stream().to_string().replace(' ', "").contains("no_mangle")
            });
            if is_exported {
                let abi = function.sig.abi.as_ref().expect("an ABI").to_token_stream().to_string();
                assert_eq!(abi, "extern \"C\"", "{}", function.sig.ident);
                exported.insert(function.sig.ident.to_string(), signature(&function.sig));
            }
        }
    }
    (exported, imported)
}

#[test]
fn prototypes_are_the_library_s_functions() {
    let (mut all, mut imported) = library();
    assert!(all.len() > 25, "{all:?}");
    assert!(imported.len() >= 5, "{imported:?}");
    for name in imported.keys() {
        assert!(name.starts_with("tband_lib_port_"), "{name} is imported");
    }
    all.append(&mut imported);
    assert_eq!(foreign_functions(&crate::header()), all);
}

#[test]
fn every_name_of_the_header_starts_with_tband() {
    let file = crate::header();
    let mut count = 0;
    for item in &file.items {
        let name = match item {
            syn::Item::Struct(item) => item.ident.to_string(),
            syn::Item::Type(item) => item.ident.to_string(),
            // bindgen's own checks of layouts have no name.
            syn::Item::Const(item) if item.ident != "_" => item.ident.to_string(),
            _ => continue,
        };
        // bindgen's own name for the allow-listed file's includes.
        assert!(name.starts_with("tband_") || name.starts_with("TBAND_"), "{name}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}
