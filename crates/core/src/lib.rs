//! The checkout as pure data: state machine, payment instructions, explorer links; no DOM, no clock.
