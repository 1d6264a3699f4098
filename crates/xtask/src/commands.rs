//! The commands, a file each.

pub(crate) mod bench;
pub(crate) mod demo;
pub(crate) mod dist;
pub(crate) mod docs;
pub(crate) mod doctor;
pub(crate) mod fuzz;
pub(crate) mod gallery;
pub(crate) mod loaders;
pub(crate) mod npm;
pub(crate) mod release;
pub(crate) mod setup;
pub(crate) mod size;
pub(crate) mod test;
