//! `cargo xtask gallery`: screenshots of every state of both elements and of the payment page (`pay`).

use anyhow::Result;

use super::{dist, test};
use crate::step::Step;
use crate::tools;
use crate::workspace::Workspace;

/// In cargo's target folder, as the screenshots are temporary.
const FOLDER: &str = "target/gallery";

/// Takes all screenshots, or those with all of these words in their names.
pub(crate) fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    tools::ensure(workspace, &[Step::E2e])?;
    dist::page_for_development(workspace)?;
    println!("\n==> The screenshots");
    test::end_to_end_tests(workspace)
        .args(["--test", "e2e", "gallery", "--", "--ignored"])
        .env("TENDER_GALLERY", workspace.root().join(FOLDER))
        .env("TENDER_GALLERY_ONLY", words.join(" "))
        .run()?;
    println!("\nThe gallery is in {FOLDER}: index.html shows each screenshot");
    Ok(())
}
