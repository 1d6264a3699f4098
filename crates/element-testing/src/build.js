// The build values of the loader under test: see `crates/xtask/src/commands/loaders.rs`.
export default globalThis.tenderBuild;
