//! The whole proxy in a simulation.

pub(crate) mod doors;
