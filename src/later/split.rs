//! How the part is asked for where it has been taken out of the module: what `#[wasm_split]` calls, under the names that it
//! knows. Its own helpers remember what is loaded and who waits for it, which the glue does already: 1 KB before the
//! first choice.
#![expect(
    unsafe_code,
    reason = "what a promise is settled by goes through the glue as a pointer: the module's side of that call is C's"
)]

/// The part could not be had. The glue tells the console why.
pub(crate) struct SplitLoaderError;

pub(crate) mod rt {
    use std::ffi::c_void;
    use std::pin::Pin;

    use js_sys::{Function, Promise};
    use wasm_bindgen::JsValue;
    use wasm_bindgen_futures::JsFuture;

    use super::SplitLoaderError;

    /// Hears once whether the part is here, with the data that came with the question.
    pub(crate) type LoadCallbackFn = unsafe extern "C" fn(*const c_void, bool);

    /// The glue's: asks for the part, unless it is here.
    type LoadFn = unsafe extern "C" fn(LoadCallbackFn, *const c_void);

    /// Asks for the part.
    pub(crate) struct LazySplitLoader(LoadFn);

    impl LazySplitLoader {
        /// # Safety
        /// `load` calls back exactly once, with the data that it was given.
        pub(crate) const unsafe fn new(load: LoadFn) -> Self {
            Self(load)
        }
    }

    /// Becomes ready once the part is here.
    pub(crate) async fn ensure_loaded(
        loader: Pin<&LazySplitLoader>,
    ) -> Result<(), SplitLoaderError> {
        let promise = Promise::new(&mut |resolve, reject| {
            let settle: Box<Settle> = Box::new([reject, resolve]);
            // SAFETY: the callback is called exactly once, and takes back what it is given here.
            unsafe { (loader.0)(called_back, Box::into_raw(settle).cast()) }
        });
        let answer = JsFuture::from(promise).await;
        answer.map(drop).map_err(|_| SplitLoaderError)
    }

    /// What settles the promise: where the part is not here, and where it is.
    type Settle = [Function; 2];

    unsafe extern "C" fn called_back(settle: *const c_void, is_here: bool) {
        // SAFETY: made by `Box::into_raw` in `ensure_loaded`, and given back once.
        let [reject, resolve] = *unsafe { Box::from_raw(settle.cast::<Settle>().cast_mut()) };
        let settle = if is_here { resolve } else { reject };
        // What settles a promise throws nothing.
        let _ = settle.call0(&JsValue::UNDEFINED);
    }
}
