//! Parses server-sent events (HTML standard, section 9.2.6) from the text of a stream.

/// The longest event that is accepted, in bytes. A payment record is far smaller.
const MAX_PENDING: usize = 1 << 20;

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// The event's name; `message` where it has none.
    pub event: String,
    /// The event's data.
    pub data: String,
    /// The id of the last event that had one. A later connection sends it as `Last-Event-ID`.
    pub last_event_id: Option<String>,
}

/// Parses a stream piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Parser {
    pending: String,
    event: String,
    data: Option<String>,
    last_event_id: Option<String>,
    has_started: bool,
}

/// An event is longer than a megabyte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl Parser {
    /// Adds a piece of text, and returns the events that it completes.
    ///
    /// # Errors
    /// [`TooLong`] for an event of more than a megabyte.
    pub fn push(&mut self, piece: &str) -> Result<Vec<Message>, TooLong> {
        self.pending.push_str(piece);
        if !self.has_started && !self.pending.is_empty() {
            self.has_started = true;
            // The byte order mark.
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
        let pending = self.pending.len() + self.data.as_ref().map_or(0, String::len);
        if pending > MAX_PENDING {
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

/// The first whole line, and the text after its end: CR LF, LF, or CR. A CR at the end of the text may be the first half
/// of a CR LF, so it does not end a line yet.
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
