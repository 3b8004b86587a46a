//! A key as it was pressed. Pure.

/// A key with what was held down with it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Press<'a> {
    /// What the key types, as in `KeyboardEvent.key`.
    pub key: &'a str,
    /// Where it is, as in `KeyboardEvent.code`.
    pub code: &'a str,
    /// Ctrl, or Command on a Mac.
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
}

impl Press<'_> {
    /// Whether these keys, as people read them, are what was pressed.
    pub(super) fn is(self, keys: &str) -> bool {
        let (held, name) = keys.rsplit_once(' ').unwrap_or(("", keys));
        let (held, name) = match name {
            "Up" | "Down" if held.ends_with("Page") => (
                held.trim_end_matches("Page").trim_end(),
                if name == "Up" { "PageUp" } else { "PageDown" },
            ),
            "↑" => (held, "ArrowUp"),
            "↓" => (held, "ArrowDown"),
            "←" => (held, "ArrowLeft"),
            "→" => (held, "ArrowRight"),
            name => (held, name),
        };
        let holds = |word| held.split(' ').any(|held| held == word);
        let is_sign = name.chars().count() == 1 && !name.chars().all(char::is_alphanumeric);
        if is_sign {
            // Some keyboards need Shift or AltGr for these, which is Ctrl and Alt at once.
            let is_held = match (holds("Ctrl"), holds("Alt")) {
                (false, false) => self.ctrl == self.alt,
                held => (self.ctrl, self.alt) == held,
            };
            return self.key == name && is_held;
        }
        // Letters in either case: Caps Lock must not turn one command into another.
        lower(self.key).eq(lower(name))
            && (self.ctrl, self.alt, self.shift) == (holds("Ctrl"), holds("Alt"), holds("Shift"))
    }

    /// Whether it is a letter, digit or sign without Ctrl and Alt.
    pub(super) fn is_typed(self) -> bool {
        !self.ctrl && !self.alt && self.key.chars().count() == 1
    }
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}
