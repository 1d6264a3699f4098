//! A module without what `wasm-streams` exports: Leptos brings that crate for functions on a server, and
//! what is exported stays in a module, with all that it uses.

use std::ops::Range;

use wasm_encoder::{ExportSection, Module, RawSection};
use wasmparser::{Parser, Payload};

/// All sections stay as they are but for the exports: linked code is found by its place.
pub(super) fn without(wasm: &[u8]) -> wasmparser::Result<Vec<u8>> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let Payload::ExportSection(reader) = payload {
            let mut exports = ExportSection::new();
            for export in reader {
                let export = export?;
                if !export.name.contains("intounderlying") {
                    exports.export(export.name, export.kind.into(), export.index);
                }
            }
            module.section(&exports);
        } else if let Some((id, range)) = payload.as_section() {
            module.section(&RawSection {
                id,
                data: section(wasm, range).unwrap_or_default(),
            });
        }
    }
    Ok(module.finish())
}

fn section(wasm: &[u8], range: Range<u64>) -> Option<&[u8]> {
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).ok());
    wasm.get(start?..end?)
}
