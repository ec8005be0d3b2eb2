//! Values that were written as integers before their signal turned out to be of double precision.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, BufWriter, Write};

use crate::line::Line;
use crate::spool::Spool;

/// Writes changes, those of the signals with these identifiers as numbers of double precision.
pub fn append_as_reals(
    changes: Spool,
    signals: &BTreeSet<String>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut changes = BufReader::new(changes);
    let mut out = BufWriter::new(out);
    let (mut change, mut real) = (Vec::new(), Line::new());
    while changes.read_until(b'\n', &mut change)? > 0 {
        match integer(&change, signals) {
            Some((number, id)) => {
                real.begin().text("r").real(number).text(" ").text(id).text("\n");
                out.write_all(real.bytes())?;
            }
            None => out.write_all(&change)?,
        }
        change.clear();
    }
    out.flush()
}

/// Returns the number in a change of an integer, and the identifier of its signal, if that is one of these. An unknown value is
/// not a number.
fn integer<'a>(change: &[u8], signals: &'a BTreeSet<String>) -> Option<(f64, &'a str)> {
    let change = str::from_utf8(change.strip_prefix(b"b")?).ok()?;
    let (digits, id) = change.trim_end().split_once(' ')?;
    let id = signals.get(id)?;
    let number = u64::from_str_radix(digits, 2).map_or(f64::NAN, |bits| bits.cast_signed() as f64);
    Some((number, id))
}

#[cfg(test)]
mod tests {
    use std::io::Seek;

    use super::*;

    #[test]
    fn integers_of_these_signals_alone_become_reals() {
        let mut changes = Spool::default();
        let minus = format!("b{:b} !\n", -7_i64);
        let lines =
            ["#5\n", "b11 !\n", "b11 \"\n", "sb1 #\n", "1$\n", &minus, "bx !\n", "r2.5 !\n"];
        for line in lines {
            changes.write_all(line.as_bytes()).unwrap();
        }
        changes.rewind().unwrap();
        let mut out = Vec::new();
        let signals = ["!", "#"].map(str::to_owned).into();
        append_as_reals(changes, &signals, &mut out).unwrap();
        let expected = "#5\nr3.0 !\nb11 \"\nsb1 #\n1$\nr-7.0 !\nrNaN !\nr2.5 !\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
