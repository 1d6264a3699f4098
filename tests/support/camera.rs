//! Decodes QR codes from pixels, with a different program than the one that encoded them.

use rqrr::PreparedImage;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlImageElement, XmlSerializer,
};

use super::page;

/// Black pixels around a drawing, which must have its own quiet zone.
const FRAME: u32 = 16;

/// The content of the only code in a drawing, rendered by the browser at its own size.
pub(crate) async fn read(drawing: &Element) -> String {
    let image = image(drawing).await;
    let (width, height) = (image.width() + 2 * FRAME, image.height() + 2 * FRAME);
    let canvas = page::document().create_element("canvas").unwrap();
    let canvas: HtmlCanvasElement = canvas.unchecked_into();
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d").unwrap().unwrap();
    let context: CanvasRenderingContext2d = context.unchecked_into();
    context.fill_rect(0.0, 0.0, width.into(), height.into());
    let frame = f64::from(FRAME);
    context
        .draw_image_with_html_image_element(&image, frame, frame)
        .unwrap();
    let pixels = context.get_image_data(0.0, 0.0, width.into(), height.into());
    let pixels = pixels.unwrap().data();

    let (width, height) = (width as usize, height as usize);
    // Red, green, blue and opacity of each pixel; a code is grey.
    let grey = |x: usize, y: usize| pixels[4 * (y * width + x)];
    let mut image = PreparedImage::prepare_from_greyscale(width, height, grey);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "one code in {}", drawing.outer_html());
    let (_, text) = grids[0].decode().unwrap();
    text
}

/// The drawing as a separate image.
async fn image(drawing: &Element) -> HtmlImageElement {
    let text = XmlSerializer::new().unwrap();
    let text = text.serialize_to_string(drawing).unwrap();
    let text = String::from(js_sys::encode_uri_component(&text));
    let image = HtmlImageElement::new().unwrap();
    image.set_src(&format!("data:image/svg+xml,{text}"));
    JsFuture::from(image.decode()).await.unwrap();
    image
}
