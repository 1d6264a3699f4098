//! Built markup as a part of a `view!`.

use leptos::attr::Attribute;
use leptos::attr::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::types::{Element, Node};
use leptos::tachys::view::add_attr::AddAnyAttr;
use leptos::tachys::view::{Mountable, Position, PositionState, Render, RenderHtml};
use send_wrapper::SendWrapper;

use super::El;

/// See [`El::in_view`].
pub struct Built(SendWrapper<El>);

impl El {
    /// The element as a part of a `view!`, in which it stays as it is.
    #[must_use]
    pub fn in_view(self) -> Built {
        Built(SendWrapper::new(self))
    }
}

impl Render for El {
    type State = El;

    fn build(self) -> El {
        self
    }

    fn rebuild(self, state: &mut El) {
        // Both are elements, and the one before has a place: this can't be refused.
        let _ = state.0.replace_with_with_node_1(&self.0);
        *state = self;
    }
}

impl Mountable for El {
    fn unmount(&mut self) {
        self.0.remove();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        let _ = parent.insert_before(&self.0, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let Some(parent) = self.0.parent_element() else {
            return false;
        };
        child.mount(&parent, Some(&self.0));
        true
    }

    fn elements(&self) -> Vec<Element> {
        vec![self.0.clone()]
    }
}

impl Render for Built {
    type State = El;

    fn build(self) -> El {
        self.0.take()
    }

    fn rebuild(self, state: &mut El) {
        self.0.take().rebuild(state);
    }
}

impl AddAnyAttr for Built {
    type Output<SomeNewAttr: Attribute> = Self;

    fn add_any_attr<NewAttr: Attribute>(self, _: NewAttr) -> Self {
        self
    }
}

/// There is no server here: nothing is rendered to text, nothing taken over from it.
impl RenderHtml for Built {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _: &mut String,
        _: &mut Position,
        _: bool,
        _: bool,
        _: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> El {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
