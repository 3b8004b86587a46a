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
        let is_sign = name.len() == 1 && !name.chars().all(char::is_alphanumeric);
        if is_sign {
            // Some keyboards need Shift or AltGr for these, which is Ctrl and Alt at once.
            return self.key == name && self.ctrl == self.alt;
        }
        let holds = |word| held.split(' ').any(|held| held == word);
        // Letters in either case: Caps Lock must not turn one command into another.
        self.key.eq_ignore_ascii_case(name)
            && (self.ctrl, self.alt, self.shift) == (holds("Ctrl"), holds("Alt"), holds("Shift"))
    }

    /// Whether it is a letter, digit or sign without Ctrl and Alt.
    pub(super) fn is_typed(self) -> bool {
        !self.ctrl && !self.alt && self.key.chars().count() == 1
    }
}
