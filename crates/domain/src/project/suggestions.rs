//! What a project offers its labelers as suggestions.

use serde::{Deserialize, Serialize};

/// Which suggestions labelers are offered. They tell what others have marked or what a program thinks,
/// and who is told agrees more than who is not: so what is used to measure agreement goes without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuggestionSettings {
    /// Whether strings are offered on which labelers agree in other documents.
    pub agreed: bool,
    /// Whether documents that two or more label go without those.
    pub shields_agreed: bool,
    /// Whether documents that two or more label go without what was imported, too.
    pub shields_imported: bool,
}

impl Default for SuggestionSettings {
    fn default() -> Self {
        Self { agreed: false, shields_agreed: true, shields_imported: false }
    }
}

impl SuggestionSettings {
    /// Whether a document is offered what is agreed elsewhere. `is_shared`: two or more label it;
    /// `is_repeat`: its labeler is measured against themselves, and always goes without.
    pub const fn offers_agreed(self, is_shared: bool, is_repeat: bool) -> bool {
        self.agreed && !is_repeat && !(is_shared && self.shields_agreed)
    }

    /// Whether a document is offered what was imported with it.
    pub const fn offers_imported(self, is_shared: bool) -> bool {
        !(is_shared && self.shields_imported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_agreed_is_offered_unless_somebody_wants_it_and_never_where_agreement_is_measured() {
        let off = SuggestionSettings::default();
        assert!(!off.offers_agreed(false, false) && off.offers_imported(true));
        let on = SuggestionSettings { agreed: true, ..off };
        assert!(on.offers_agreed(false, false));
        assert!(!on.offers_agreed(true, false) && !on.offers_agreed(false, true));
        let open = SuggestionSettings { shields_agreed: false, ..on };
        assert!(open.offers_agreed(true, false) && !open.offers_agreed(true, true));
        let strict = SuggestionSettings { shields_imported: true, ..off };
        assert!(!strict.offers_imported(true) && strict.offers_imported(false));
    }
}
