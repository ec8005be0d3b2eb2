//! How two groups of recordings differ beside their figures.

use std::collections::BTreeSet;
use tband_conv::counted;

/// Facts about a recording as a whole.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Its name in the tables.
    pub name: String,
    /// Its files.
    pub file: String,
    /// Build, kernel's tick rate, frequency of the timestamps, number of cores, classes: a word and a value each, if known.
    pub properties: Vec<(&'static str, Option<String>)>,
    /// It has no losses and no damage.
    pub is_clean: bool,
    /// The tick of its timestamps in ns, if known.
    pub tick_ns: Option<f64>,
    /// Its length in ns.
    pub length_ns: f64,
}

/// A sentence for the sizes of the groups, and for each difference.
pub fn sentences(a: &[Facts], b: &[Facts]) -> Vec<String> {
    let mut all = vec![format!("{} against {}", counted(a.len(), "recording"), b.len())];
    let words: Vec<&str> =
        a.iter().chain(b).flat_map(|it| it.properties.iter().map(|(word, _)| *word)).collect();
    let mut known = BTreeSet::new();
    for word in words.into_iter().filter(|word| known.insert(*word)) {
        let (of_a, of_b) = (values(a, word), values(b, word));
        if of_a != of_b {
            all.push(format!("{word}: {} against {}", list(&of_a), list(&of_b)));
        } else if of_a.len() > 1 {
            all.push(format!("{word}: both groups mix {}", list(&of_a)));
        }
    }
    let mut files = BTreeSet::new();
    if let Some(twice) = a.iter().chain(b).find(|it| !files.insert(it.file.as_str())) {
        all.push(format!(
            "{} is named twice: a copy is no further recording, so the verdicts are too certain",
            twice.file
        ));
    }
    let lossy: Vec<_> =
        a.iter().chain(b).filter(|it| !it.is_clean).map(|it| it.name.as_str()).collect();
    all.push(match lossy[..] {
        [] => "no recording has losses or damage".to_owned(),
        [one] => format!("{one} has losses or damage: check it with tband-cli check"),
        [first, ..] => format!(
            "{} recordings have losses or damage, first {first}: check them with tband-cli check",
            lossy.len()
        ),
    });
    all
}

/// The values that the recordings of a group have.
fn values(group: &[Facts], word: &str) -> BTreeSet<String> {
    let of_word = |facts: &Facts| {
        let found = facts.properties.iter().find(|(name, _)| *name == word)?;
        Some(found.1.clone().unwrap_or_else(|| "unknown".to_owned()))
    };
    group.iter().filter_map(of_word).collect()
}

fn list(values: &BTreeSet<String>) -> String {
    const MOST: usize = 4;
    let mut shown: Vec<&str> = values.iter().take(MOST).map(String::as_str).collect();
    let more = format!("{} more", values.len().saturating_sub(MOST));
    if values.len() > MOST {
        shown.push(&more);
    }
    shown.join(", ")
}
