//! The `<tender-checkout>` element: everything that touches the DOM.
