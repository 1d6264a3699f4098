//! What every element has.

use crate::host::Host;
use crate::i18n::I18n;
use crate::tasks::Tasks;

/// What every element has, as `Copy` handles that belong to its owner.
#[derive(Clone, Copy)]
pub struct ElementContext {
    /// The custom element.
    pub host: Host,
    /// Its texts.
    pub i18n: I18n,
    /// Its async tasks.
    pub tasks: Tasks,
}
