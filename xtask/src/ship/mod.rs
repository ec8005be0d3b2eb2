//! Files for users: packages, releases, and facts about the packages in them.

pub mod address;
pub mod audit;
pub mod book;
pub mod crates;
pub mod dist;
pub mod libraries;
pub mod licenses;
pub mod packages;
pub mod python_wheel;
pub mod release;
pub mod sbom;
pub mod sdk;
