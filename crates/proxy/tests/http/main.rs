//! The proxy over real HTTP, between a page and the sandbox of the payment service.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod assets;
#[cfg(test)]
mod attempts;
#[cfg(test)]
mod cancel;
#[cfg(test)]
mod create;
#[cfg(test)]
mod doors;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod list;
#[cfg(test)]
mod lost_answers;
#[cfg(test)]
mod orders;
#[cfg(test)]
mod recorder;
#[cfg(test)]
mod stopping;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tokens;
