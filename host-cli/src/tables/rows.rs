//! Rows of statements, and their values.

use tband_query::{Column, Query, QueryError, Receive, Value};

/// Passes the rows of a statement to `take`, with the columns.
pub fn rows(
    query: &mut Query,
    place: usize,
    take: &mut dyn FnMut(&[Column], &[Value<'_>]),
) -> Result<(), QueryError> {
    struct RowReceiver<'t> {
        columns: Vec<Column>,
        take: &'t mut dyn FnMut(&[Column], &[Value<'_>]),
    }

    impl Receive for RowReceiver<'_> {
        fn begin(&mut self, columns: &[Column]) -> Result<(), QueryError> {
            self.columns = columns.to_vec();
            Ok(())
        }

        fn row(&mut self, values: &[Value<'_>]) -> Result<(), QueryError> {
            (self.take)(&self.columns, values);
            Ok(())
        }
    }

    query.ask_rows_of(place, &mut RowReceiver { columns: Vec::new(), take }).map(drop)
}

pub fn text(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Text(text) => Some((*text).to_owned()),
        Value::Int(value) => Some(value.to_string()),
        _ => None,
    }
}

pub fn integer(value: &Value<'_>) -> Option<i64> {
    match value {
        Value::Int(value) => Some(*value),
        Value::Flag(value) => Some((*value).into()),
        _ => None,
    }
}

pub fn real(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Int(value) => Some(*value as f64),
        Value::Real(value) => Some(*value),
        _ => None,
    }
}

pub fn count(value: &Value<'_>) -> u64 {
    integer(value).and_then(|it| u64::try_from(it).ok()).unwrap_or(0)
}
