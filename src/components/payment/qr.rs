//! The payment for a wallet app: a QR code to scan, and a link that opens the app.

use leptos::prelude::*;
use tender_checkout_core::payment_uri::{PaymentUri, Standard, TEST_TEXT};
use tender_checkout_core::{CheckoutPayment, PaymentCodes, QrCode};
use tender_element::components::{DynamicText, ExternalIcon};
use tender_element::i18n::use_i18n;

use super::PaymentSnapshot;
use crate::components::controls::Caution;
use crate::components::exact_amount::readable;
use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::text::Text;

/// The largest side of a code in pixels. Each module of a code takes whole pixels; the stylesheet reserves this much room
/// for every code.
const SIDE: i32 = 228;

/// What the code and the link contain.
#[derive(Clone, Copy)]
pub(super) struct CodeContent {
    snapshot: PaymentSnapshot,
    codes: StoredValue<PaymentCodes>,
    /// Whether the buyer wants the amount in the code.
    is_with_amount: RwSignal<bool>,
}

impl CodeContent {
    /// `None` if the wallet is not a valid address on its network, and in test mode.
    pub(super) fn of(snapshot: PaymentSnapshot) -> Option<Self> {
        let codes = snapshot.with(PaymentCodes::of)?;
        let is_default = codes
            .with_amount
            .as_ref()
            .is_some_and(PaymentUri::is_default);
        Some(Self {
            snapshot,
            codes: StoredValue::new(codes),
            is_with_amount: RwSignal::new(is_default),
        })
    }

    /// Reads the URI with the amount, if the buyer wants the amount in the code.
    fn with_uri<T>(self, read: impl FnOnce(Option<&PaymentUri>) -> T) -> T {
        let is_with_amount = self.is_with_amount.get();
        self.codes
            .with_value(|codes| read(codes.with_amount.as_ref().filter(|_| is_with_amount)))
    }

    /// The URI with the amount, else the address alone.
    fn text(self) -> String {
        self.with_uri(|uri| uri.map(|uri| uri.uri.clone()))
            .unwrap_or_else(|| {
                self.codes
                    .with_value(|codes| codes.address.as_str().to_owned())
            })
    }
}

/// `code` is `None` if there is none to pay with.
#[component]
pub(super) fn PaymentQr(snapshot: PaymentSnapshot, code: Option<CodeContent>) -> AnyView {
    if snapshot.with(|it| it.choice.test_mode) {
        return view! { <TestScan/> }.into_any();
    }
    code.map(|code| view! { <Scan code/> }).into_any()
}

/// A code that no wallet can pay.
#[component]
fn TestScan() -> AnyView {
    let i18n = use_i18n();
    view! {
        <div class="scan" part="scan">
            <FoldedCode text=TEST_TEXT label=i18n.signal(Text::QrCode)>
                <p class="hint"><DynamicText text=i18n.signal(Text::TestCode)/></p>
            </FoldedCode>
        </div>
    }
    .into_any()
}

#[component]
fn Scan(code: CodeContent) -> AnyView {
    let snapshot = code.snapshot;
    // The switch needs JavaScript.
    let has_uri = code.codes.with_value(|codes| codes.with_amount.is_some());
    let has_switch = has_uri && hosted_page().is_none();
    let address_only = snapshot.text(Text::QrCodeOfAddress);
    let with_amount = snapshot.text(Text::QrCodeWithAmount);
    let label = Signal::derive(move || {
        if code.with_uri(|uri| uri.is_some()) {
            with_amount.get()
        } else {
            address_only.get()
        }
    });
    view! {
        <div class="scan" part="scan">
            <ScanCaution code/>
            <WalletAppLink code is_default=false/>
            <FoldedCode text=Signal::derive(move || code.text()) label>
                <ScanHint code/>
                {has_switch.then(|| view! { <AmountSwitch code/> })}
            </FoldedCode>
        </div>
    }
    .into_any()
}

/// A code, and beside it what to do with it.
#[component]
fn FoldedCode(
    /// What the code contains.
    #[prop(into)]
    text: Signal<String>,
    /// Describes the code.
    label: Signal<String>,
    children: Children,
) -> AnyView {
    let i18n = use_i18n();
    // Buyers can't scan the screen that they hold, so the code is collapsed on a phone.
    let is_unfolded = hosted_page().is_some() || !is_handheld();
    view! {
        <details open=is_unfolded>
            <summary>{move || i18n.t(Text::QrOtherDevice)}</summary>
            <div class="beside">
                <div class="code"><Code text label/></div>
                <div>{children()}</div>
            </div>
        </details>
    }
    .into_any()
}

/// Whether the buyer points with a finger, as on a phone.
fn is_handheld() -> bool {
    let query = window().match_media("(pointer: coarse)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// The code: dark on white with its quiet zone in every theme, because some scanners can't read inverted codes.
#[component]
fn Code(text: Signal<String>, label: Signal<String>) -> AnyView {
    // The code takes longer to draw than the rest of the payment, which is painted first.
    let is_painted = RwSignal::new(hosted_page().is_some());
    if hosted_page().is_none() {
        request_animation_frame(move || {
            request_animation_frame(move || {
                is_painted.try_set(true);
            });
        });
    }
    let text = Memo::new(move |_| is_painted.get().then(|| text.get()));
    view! {
        {move || text.get().and_then(|text| QrCode::of(&text)).map(|QrCode { size, path }| view! {
            <svg class="qr" part="qr" role="img" aria-label=move || label.get()
                viewBox=format!("0 0 {size} {size}") width=pixels(size) height=pixels(size)>
                <path fill="#fff" d=format!("M0 0h{size}v{size}h-{size}z")></path>
                <path fill="#000" d=path></path>
            </svg>
        }.into_any())}
    }
    .into_any()
}

/// The side of a code of `size` modules.
fn pixels(size: i32) -> String {
    (size * (SIDE / size).max(1)).to_string()
}

/// What to do with the code, and on which network: the same address exists on several.
#[component]
fn ScanHint(code: CodeContent) -> AnyView {
    let i18n = use_i18n();
    let text = Signal::derive(move || {
        let has_amount = code.with_uri(|uri| uri.is_some());
        i18n.t(if has_amount {
            Text::ScanWithAmount
        } else if code.snapshot.with(CheckoutPayment::accepts_any_amount) {
            Text::ScanAnyAmount
        } else {
            Text::ScanAddress
        })
    });
    view! {
        <p class="hint"><DynamicText text/></p>
        <p><b translate="no">{code.snapshot.text(Text::OnNetwork)}</b></p>
    }
    .into_any()
}

#[component]
fn AmountSwitch(code: CodeContent) -> AnyView {
    let i18n = use_i18n();
    let is_on = code.is_with_amount;
    view! {
        <label class="switch" part="with-amount">
            <input type="checkbox" role="switch" prop:checked=move || is_on.get()
                on:change=move |event| is_on.set(event_target_checked(&event))/>
            <span>{move || i18n.t(Text::WithAmount)}</span>
        </label>
    }
    .into_any()
}

/// A warning about wallet apps that read only a part of the URI.
#[component]
fn ScanCaution(code: CodeContent) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let caution = Memo::new(move |_| {
        code.with_uri(|uri| match uri?.standard {
            Standard::Bitcoin => None,
            Standard::EvmCoin => Some(Text::CautionCoin),
        })
    });
    let text = move |caution: Text| {
        let locale = driver.locale();
        code.snapshot.with(|it| {
            let amount = readable(&it.send.amount, &locale);
            let values = [
                ("amount", amount.as_str()),
                ("symbol", &it.choice.symbol),
                ("network", &it.choice.network_and_standard()),
            ];
            i18n.format(caution, &values)
        })
    };
    view! {
        {move || caution.get().map(|caution| view! {
            <Caution text=Signal::derive(move || text(caution)) role="alert" is_boxed=true/>
        })}
    }
    .into_any()
}

/// A link with the URI of the code, if that is shown by default or not. There is no standard link for an address alone.
#[component]
pub(super) fn WalletAppLink(code: CodeContent, is_default: bool) -> AnyView {
    let i18n = use_i18n();
    let uri = Memo::new(move |_| {
        code.with_uri(|uri| {
            let uri = uri.filter(|uri| uri.is_default() == is_default);
            uri.map(|uri| uri.uri.clone())
        })
    });
    view! {
        {move || uri.get().map(|uri| view! {
            <a class="open" part="open-wallet" href=uri>
                <span>{move || i18n.t(Text::OpenWallet)}</span><ExternalIcon/>
            </a>
        }.into_any())}
    }
    .into_any()
}
