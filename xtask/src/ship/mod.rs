//! What is given to users: packages, releases, and what is known of the packages in them.

pub mod audit;
pub mod book;
pub mod dist;
pub mod licenses;
pub mod packages;
pub mod release;
