//! Short names for what the module and its glue call each other: those of wasm-bindgen are long, and end
//! in digests, which don't compress.

use std::collections::HashMap;

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{ExportSection, ImportSection, Module};
use wasmparser::{Export, Import, ImportSectionReader, Parser, Payload};

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// What is renamed, by the name that it has.
type Names = HashMap<String, String>;

/// The same module and glue under short names.
pub(super) fn shorten(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String), reencode::Error> {
    let mut shorter = Shorter::find(wasm, glue)?;
    let mut module = Module::new();
    shorter.parse_core_module(&mut module, Parser::new(0), wasm)?;
    Ok((module.finish(), shorter.rename(glue)))
}

#[derive(Default)]
struct Shorter {
    modules: Names,
    imports: Names,
    exports: Names,
}

impl Shorter {
    /// Imports that the glue makes, and exports that it alone uses. What comes from or goes to another script keeps
    /// its name.
    fn find(wasm: &[u8], glue: &str) -> wasmparser::Result<Self> {
        let mut found = Self::default();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports() {
                        let Import { module, name, .. } = import?;
                        if glue.contains(&from(module)) && !found.modules.contains_key(module) {
                            add(&mut found.modules, module);
                        }
                        if glue.contains(&format!("{name}: function")) {
                            add(&mut found.imports, name);
                        }
                    }
                }
                Payload::ExportSection(reader) => {
                    for export in reader {
                        let name = export?.name;
                        if name.starts_with("__wbindgen") || name.contains("__closures_") {
                            add(&mut found.exports, name);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// In the glue an export is a property of `wasm`; words that an import or its module is named by mean nothing else.
    fn rename(&self, glue: &str) -> String {
        let mut renamed = String::with_capacity(glue.len());
        let mut rest = glue;
        while let Some(start) = rest.find(is_of_a_word) {
            let (between, tail) = rest.split_at(start);
            let end = tail.find(|char| !is_of_a_word(char));
            let (word, tail) = tail.split_at(end.unwrap_or(tail.len()));
            renamed.push_str(between);
            let is_export = renamed.ends_with("wasm.");
            let names = if is_export {
                &self.exports
            } else {
                &self.imports
            };
            renamed.push_str(names.get(word).map_or(word, String::as_str));
            rest = tail;
        }
        renamed.push_str(rest);
        let modules = self.modules.iter();
        modules.fold(renamed, |glue, (module, short)| {
            glue.replace(&from(module), &from(short))
        })
    }
}

/// Where the glue hands over what the module imports from this one.
fn from(module: &str) -> String {
    format!("\"{module}\": import")
}

impl Reencode for Shorter {
    type Error = std::convert::Infallible;

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        for import in section.into_imports() {
            let Import { module, name, ty } = import?;
            let ty = self.entity_type(ty)?;
            let module = self.modules.get(module).map_or(module, String::as_str);
            let name = self.imports.get(name).map_or(name, String::as_str);
            imports.import(module, name, ty);
        }
        Ok(())
    }

    fn parse_export(
        &mut self,
        exports: &mut ExportSection,
        export: Export<'_>,
    ) -> Result<(), reencode::Error> {
        let name = self.exports.get(export.name).cloned();
        let name = name.as_deref().unwrap_or(export.name);
        reencode::utils::parse_export(self, exports, Export { name, ..export })
    }
}

/// Gives this the next of a, b, … Z, ab, bb, …
fn add(names: &mut Names, name: &str) {
    let mut number = names.len();
    let mut short = String::new();
    loop {
        let letter = LETTERS.as_bytes().get(number % LETTERS.len());
        short.extend(letter.copied().map(char::from));
        number /= LETTERS.len();
        if number == 0 {
            break;
        }
    }
    names.insert(name.to_owned(), short);
}

fn is_of_a_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char == '$'
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{EntityType, ExportKind, MemoryType};

    use super::*;

    const MEMORY: MemoryType = MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    };

    /// Memories serve for anything here: only the names count.
    fn module(imports: &[(&str, &str)], exports: &[&str]) -> Vec<u8> {
        let mut import_section = ImportSection::new();
        for (module, name) in imports {
            import_section.import(module, name, EntityType::Memory(MEMORY));
        }
        let mut export_section = ExportSection::new();
        for name in exports {
            export_section.export(name, ExportKind::Memory, 0);
        }
        let mut module = Module::new();
        module.section(&import_section).section(&export_section);
        module.finish()
    }

    #[test]
    fn what_only_the_glue_knows_gets_a_short_name() {
        let glue = "import * as link from './link.js';
            const import0 = { __wbg_call_6f3a: function(arg0) { wasm.__wbindgen_malloc(arg0); } };
            const imports = { \"./glue.js\": import0 };
            export function mount() { return wasm.mount(memory, wasm.memory); }";
        let imports = [("./glue.js", "__wbg_call_6f3a"), ("./link.js", "__load")];
        let exports = ["mount", "memory", "__wbindgen_malloc"];
        let (wasm, text) = shorten(&module(&imports, &exports), glue).unwrap();
        assert_eq!(
            wasm,
            module(
                &[("a", "a"), ("./link.js", "__load")],
                &["mount", "memory", "a"]
            )
        );
        assert_eq!(
            text,
            glue.replace("__wbg_call_6f3a", "a")
                .replace("__wbindgen_malloc", "a")
                .replace("./glue.js", "a")
        );
    }

    #[test]
    fn no_two_have_one_name() {
        let mut names = Names::new();
        for number in 0..1000 {
            add(&mut names, &number.to_string());
        }
        let mut short: Vec<_> = names.values().collect();
        short.sort();
        short.dedup();
        assert_eq!(short.len(), 1000);
        assert_eq!(
            ["0", "26", "51", "52", "105"].map(|number| names[number].as_str()),
            ["a", "A", "Z", "ab", "bc"]
        );
    }
}
