//! The figures that are compared.

use tband_report::unit::Unit;

/// Which direction of a change is bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Less is better, as for a response time.
    LessIsBetter,
    /// More is better, as for bytes of a stack that were never used.
    MoreIsBetter,
}

/// What a figure is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its values are tested.
    Tested(Direction),
    /// It counts occurrences of a mistake. The number of recordings in which there are any is tested.
    Occurrence,
    /// It is listed by the size of its change, without a test.
    Listed,
    /// It is the longest value of each recording. It is never tested, because one outlier decides it.
    Longest,
}

/// A figure of one subject, with at most one value per recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The kind of the subject, such as "task".
    pub kind: &'static str,
    /// The name of the subject.
    pub subject: String,
    /// The name of the figure, such as "response median".
    pub name: String,
    /// The unit of the values.
    pub unit: Unit,
    /// Its purpose.
    pub role: Role,
    /// The values of the recordings of group A that have the figure, in any order. All are finite.
    pub a: Vec<f64>,
    /// The values of the recordings of group B.
    pub b: Vec<f64>,
}
