//! Server-sent events (the HTML standard, section 9.2.6), read from the text of a stream.
//!
//! The browser's `EventSource` sends no headers, and a merchant key goes into no address: so the
//! stream is an ordinary request, and its text is read here.

/// The most characters of a message that has not ended: a record has less than a thousandth of it.
const MAX_PENDING: usize = 1 << 20;

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its name; `message` where it has none.
    pub event: String,
    /// What it tells.
    pub data: String,
    /// The id of the last event that had one: what a new stream goes on from.
    pub last_event_id: Option<String>,
}

/// Reads a stream piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    pending: String,
    event: String,
    data: Option<String>,
    last_event_id: Option<String>,
    has_begun: bool,
}

/// A message that never ends: whoever sends it is no proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl Reader {
    /// Takes in the next piece, and gives the events that end in it.
    ///
    /// # Errors
    /// [`TooLong`] for an event of more than a million characters.
    pub fn read(&mut self, piece: &str) -> Result<Vec<Message>, TooLong> {
        self.pending.push_str(piece);
        if !self.has_begun && !self.pending.is_empty() {
            self.has_begun = true;
            if let Some(rest) = self.pending.strip_prefix('\u{feff}') {
                self.pending = rest.to_owned();
            }
        }
        let mut messages = Vec::new();
        let text = std::mem::take(&mut self.pending);
        let mut rest = text.as_str();
        while let Some((line, after)) = split_line(rest) {
            messages.extend(self.line(line));
            rest = after;
        }
        rest.clone_into(&mut self.pending);
        let open = self.pending.len() + self.data.as_ref().map_or(0, String::len);
        if open > MAX_PENDING {
            return Err(TooLong);
        }
        Ok(messages)
    }

    fn line(&mut self, line: &str) -> Option<Message> {
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            let data = self.data.take()?;
            return Some(Message {
                event: if event.is_empty() {
                    "message".to_owned()
                } else {
                    event
                },
                data,
                last_event_id: self.last_event_id.clone(),
            });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "id" if !value.contains('\0') => self.last_event_id = Some(value.to_owned()),
            _ => {}
        }
        None
    }
}

/// The first whole line, and what is behind its end: CR LF, LF, or CR. A CR at the end of what is there may be
/// half an end.
fn split_line(text: &str) -> Option<(&str, &str)> {
    let end = text.find(['\r', '\n'])?;
    let (line, rest) = text.split_at_checked(end)?;
    let after = match rest.strip_prefix('\r') {
        Some("") => return None,
        Some(after) => after.strip_prefix('\n').unwrap_or(after),
        None => rest.strip_prefix('\n')?,
    };
    Some((line, after))
}
