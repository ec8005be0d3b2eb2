//! Which errors are certain, and that any text is read.

use super::*;

/// Files by their names; names that begin with `U` may be macros.
struct Folder(Vec<(&'static str, &'static str)>);

impl Surroundings for Folder {
    fn find(&self, _: &str, name: &str) -> Option<IncludedFile> {
        let (path, text) = self.0.iter().find(|it| it.0 == name)?;
        Some(IncludedFile { path: (*path).to_owned(), text: Rc::from(*text) })
    }

    fn is_undefined(&self, name: &str) -> bool {
        !name.starts_with('U')
    }
}

/// Returns the errors of a text: lines and texts.
fn errors(text: &'static str) -> Vec<(usize, String)> {
    let folder = Folder(vec![("main", text), ("again", "#include \"again\"\n#error again\n")]);
    let mut preprocessor = Preprocessor::new(&folder);
    preprocessor.compile(&folder.find("", "main").unwrap());
    preprocessor.stops.iter().map(|it| (it.line, it.texts.join("|"))).collect()
}

#[test]
fn only_certain_errors_count() {
    for (text, expected) in [
        ("#if A\n#error a\n#elif !A\n#error b\n#else\n#error c\n#endif", &[(4, "b")][..]),
        ("#if U\n#error a\n#elif 1\n#error b\n#else\n#error c\n#endif", &[]),
        (
            "#ifdef U\n#define A 1\n#endif\n#if A\n#error a\n#endif\n#if A || 1\n#error b\n#endif",
            &[(8, "b")],
        ),
        (
            "#define F(x, y) ((x) + y##1)\n#define a1 2\n#if F(1, a) == 3\n#error \"a\"\n#error b\n#endif",
            &[(4, "a|b")],
        ),
        ("#if 0\n#if 1\n#error a\n#endif\n#else\n#error b\n#endif", &[(6, "b")]),
        ("#define A \\\n  2\n#if A == 2 && \\\n  1\n#error a\n#endif\n", &[(5, "a")]),
        ("#define A B\n#define B A\n#if A\n#error a\n#endif\n#error b", &[(6, "b")]),
        ("/* #error a */ #error b\n// #error c\n#undef U\n#ifdef U\n#error d\n#endif", &[(1, "b")]),
        ("#error \"add \\\"tband.h\\\"\"\n#error say \"b\"", &[(1, "add \"tband.h\"|say \"b\"")]),
        (
            "#if __has_include(\"again\")\n#error a\n#endif\n#if !__has_include(<none.h>)\n#error b\n#endif",
            &[(2, "a")],
        ),
    ] {
        let expected: Vec<_> = expected.iter().map(|it| (it.0, it.1.to_owned())).collect();
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn an_include_of_no_file_ends_the_compilation() {
    let text = "#define STOP \"no such file\"\n#if U\n#include STOP\n#endif\n#error a\n#include STOP\n#error b";
    assert_eq!(errors(text), [(5, "a".to_owned())]);
}

#[test]
fn any_text_is_read() {
    for odd in [
        "#",
        "#if",
        "#if (",
        "#else",
        "#endif",
        "#elif 1",
        "#define",
        "#define (",
        "#define F(",
        "#include",
        "#include <",
        "#define F(x) x\n#if F(\n#endif",
        "#define F(x) x ## ## y\n#if F(1)\n#endif",
        "#if defined",
        "#if defined(",
        "#if __has_include",
        "#if __has_include(",
        "#undef",
        "#error",
        "#\\",
        "#define A \\",
        "#define A A A A\n#define B A A A A\n#define C B B B B B B\n#define D C C C C C C C C\n#if D\n#endif",
        "\u{feff}#if 1\n#error a\n#endif",
        "#if 1 ? 2\n#endif",
        "#if \u{e9}\n#endif",
        "#define \u{e9} 1",
    ] {
        assert!(errors(odd).len() < 2, "{odd}");
    }
}

/// Compiles the first of these files. Returns its errors and the file that was not read.
fn compiled(files: Vec<(&'static str, &'static str)>) -> (Vec<usize>, Option<String>) {
    let folder = Folder(files);
    let mut preprocessor = Preprocessor::new(&folder);
    preprocessor.compile(&folder.find("", "main").unwrap());
    (preprocessor.stops.iter().map(|it| it.line).collect(), preprocessor.cut)
}

#[test]
fn a_file_without_end_is_reported() {
    let (errors, cut) = compiled(vec![
        ("main", "#include \"again\"\n#error a"),
        ("again", "#include \"again\"\n#error again\n"),
    ]);
    assert!(errors.is_empty());
    assert!(cut.is_some_and(|it| it.starts_with("again: more than 40 files")));
    let long: &str = "\n".repeat(MAX_LINES / 3).leak();
    let (errors, cut) = compiled(vec![
        ("main", "#include \"a\"\n#error a\n#include \"a\"\n#include \"a\"\n#error b\n"),
        ("a", long),
    ]);
    assert_eq!(errors, [2]);
    assert!(cut.is_some_and(|it| it.starts_with("a: all files together have more than")));
}

#[test]
fn a_file_is_included_once() {
    for (head, end) in
        [("#pragma once\n", ""), ("#ifndef A\n#define A\n", "#endif\n"), ("# pragma  once \n", "")]
    {
        // Also if it is not certain that it is included at all.
        for (before, after, count) in [("", "", 1), ("#if U\n", "#endif\n", 0)] {
            let text = format!("{head}#include \"a\"\n#include \"a\"\n#error a\n{end}");
            let main = format!("{before}{}{after}", "#include \"a\"\n".repeat(3));
            let (errors, cut) = compiled(vec![("main", main.leak()), ("a", text.leak())]);
            assert_eq!((errors.len(), cut), (count, None), "{head}{before}");
        }
    }
    // It is read again where it is certain.
    let (errors, _) = compiled(vec![
        ("main", "#if U\n#include \"a\"\n#endif\n#include \"a\"\n#include \"a\"\n"),
        ("a", "#pragma once\n#error a\n"),
    ]);
    assert_eq!(errors, [2]);
}

/// Thousands of long arguments next to `##` would need all memory.
#[test]
fn a_long_pasted_argument_is_given_up() {
    let text = format!(
        "#define F(x) {}x\n#if F({}1)\n#error a\n#endif\n",
        "x##".repeat(10_000),
        "1+".repeat(10_000)
    );
    assert_eq!(errors(text.leak()), []);
}
