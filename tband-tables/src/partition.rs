//! Names of the folders of partitions, as Hive has them: `device=pump%207`.

/// Hive's name of a missing value.
const NONE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Returns a value for the name of a partition's folder: a character that is not a letter, digit, `-`, `_` or `.` becomes
/// `%XX`, as readers expect it; an empty value gets Hive's name.
pub fn partition_value(value: &str) -> String {
    if value.is_empty() {
        return NONE.to_owned();
    }
    let mut text = String::new();
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => text.push(byte.into()),
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

/// The value that a folder's name has; none for Hive's.
pub fn value_of(name: &str) -> Option<String> {
    if name == NONE {
        return None;
    }
    let (mut bytes, mut rest) = (Vec::new(), name.as_bytes());
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%');
        // Signs are not digits.
        let code = code.filter(|code| code.iter().all(u8::is_ascii_hexdigit));
        let code = code.and_then(|code| u8::from_str_radix(str::from_utf8(code).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_partitions_stay_in_their_folder_and_are_read_back() {
        for (value, name) in [
            ("pump-7", "pump-7"),
            ("a/../b", "a%2F..%2Fb"),
            ("a b=ü", "a%20b%3D%C3%BC"),
            ("", "__HIVE_DEFAULT_PARTITION__"),
        ] {
            assert_eq!(partition_value(value), name);
            assert_eq!(value_of(name).unwrap_or_default(), value);
        }
    }

    #[test]
    fn names_of_others_are_read_as_far_as_they_can_be() {
        for (name, value) in
            [("100%", "100%"), ("%zz", "%zz"), ("%C3", "\u{fffd}"), ("%e2%82%ac", "€")]
        {
            assert_eq!(value_of(name).unwrap(), value);
        }
    }
}
