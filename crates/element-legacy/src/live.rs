//! What lives as long as the owner that it was made under, behind handles that can be copied, and what views follow of it.
//!
//! Leptos has `StoredValue` and `RwSignal` for that, with code of their own for each type of value. Here all types share one
//! kind of place in Leptos' arena, and one kind of signal: its trigger.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use leptos::prelude::{Notify, Track};
use leptos::reactive::owner::{ArenaItem, LocalStorage};
use leptos::reactive::signal::ArcTrigger;

/// A handle to a value.
pub struct Kept<T> {
    place: ArenaItem<Rc<dyn Any>, LocalStorage>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Kept<T> {}

impl<T: 'static> Kept<T> {
    /// Keeps the value for as long as the current owner lives.
    pub fn new(value: T) -> Self {
        Self {
            place: ArenaItem::new_local(Rc::new(value)),
            of: PhantomData,
        }
    }

    /// The value; `None` once its owner is gone.
    #[must_use]
    pub fn get(self) -> Option<Rc<T>> {
        self.place.try_get_value()?.downcast().ok()
    }
}

/// A handle to a value that may change.
pub struct Live<T>(Kept<Followed<T>>);

struct Followed<T> {
    value: RefCell<T>,
    changed: ArcTrigger,
}

impl<T> Clone for Live<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Live<T> {}

impl<T: 'static> Live<T> {
    /// Keeps the value for as long as the current owner lives.
    pub fn new(value: T) -> Self {
        Self(Kept::new(Followed {
            value: RefCell::new(value),
            changed: ArcTrigger::new(),
        }))
    }

    /// Reads the value, and follows its changes.
    ///
    /// # Panics
    /// Once its owner is gone, as a signal of Leptos' does: what follows it is gone by then.
    /// In [`Live::set`] and [`Live::replace`], where `read` calls these: no code of the page's may run in it.
    #[expect(clippy::panic, reason = "there is nothing to read any more")]
    pub fn read<U>(self, read: impl FnOnce(&T) -> U) -> U {
        let Some(followed) = self.0.get() else {
            panic!("the owner of this value is gone");
        };
        followed.changed.track();
        read(&followed.value.borrow())
    }

    /// Reads the value without following it; `None` once its owner is gone.
    ///
    /// # Panics
    /// In [`Live::set`] and [`Live::replace`], where `read` calls these.
    pub fn peek<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        let followed = self.0.get()?;
        let result = read(&followed.value.borrow());
        Some(result)
    }

    /// Follows the value's changes.
    pub fn track(self) {
        if let Some(followed) = self.0.get() {
            followed.changed.track();
        }
    }

    /// Sets the value, and tells who follows it.
    ///
    /// # Panics
    /// While the value is read.
    pub fn set(self, value: T) {
        self.replace(value);
        self.notify();
    }

    /// Sets the value, without a word to who follows it, and gives the one before; `None` once its owner is gone.
    ///
    /// # Panics
    /// While the value is read.
    pub fn replace(self, value: T) -> Option<T> {
        Some(self.0.get()?.value.replace(value))
    }

    /// Tells who follows the value that it has changed.
    pub fn notify(self) {
        if let Some(followed) = self.0.get() {
            followed.changed.notify();
        }
    }
}

impl<T: Clone + 'static> Live<T> {
    /// The value; follows its changes. Panics as [`Live::read`] does.
    #[must_use]
    pub fn get(self) -> T {
        self.read(T::clone)
    }
}
