//! The role that a column plays, by its name.

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Item,
    Rater,
    Category,
    Start,
    End,
    Length,
    /// How often a line occurred.
    Frequency,
    /// Something beside that nobody has rated with; its names are common labels, too, and prove no
    /// header.
    Aside,
}

/// The names by which a role is known, with spaces between; they are compared without case, spaces
/// and signs. A first line with one of them is a header.
const NAMES: &[(Role, &str)] = &[
    (
        Role::Item,
        "item itemid id unit unitid nr no number index sentence sentenceid segment \
        document doc documentid example instance case subject position token npid",
    ),
    (
        Role::Rater,
        "rater raterid coder coderid annotator annotatorid labeler labeller judge observer user \
        worker",
    ),
    (
        Role::Category,
        "category label code rating class tag value score judgement judgment annotation",
    ),
    (Role::Start, "start begin offset from segmentstart"),
    (Role::End, "end stop to segmentend"),
    (Role::Length, "length duration len"),
    (
        Role::Aside,
        "text quote context name title file filename group condition speaker genre topic source \
        comment comments note notes date",
    ),
];

/// More names, in several languages; they are common labels, too, and prove no header.
const MORE_NAMES: &[(Role, &str)] = &[
    (
        Role::Item,
        "task hit question post tweet review message image img picture photo video audio \
        clip entry article pair query snippet trial record row sample stimulus utterance turn \
        paragraph passage phrase word patient object line key uid uuid thread dialogue \
        conversation abstract proband element aufgabe frage dokument satz beispiel fall einheit \
        textstelle objekt documento oracion oración elemento tarea unidad ejemplo caso pregunta \
        unité unite tâche tache exemple élément frase esempio zin voorbeeld taak",
    ),
    (
        Role::Rater,
        "reviewer evaluator expert assessor marker grader scorer tagger person session username \
        login email respondent examiner crowdworker rateur annotateur codeur juge évaluateur \
        evaluateur anotador anotadora codificador evaluador evaluadora juez bewerter bewerterin \
        kodierer kodiererin codierer annotatorin beurteiler beurteilerin gutachter raterin \
        annotatore valutatore giudice codificatore beoordelaar codeerder annoteur usuario",
    ),
    (
        Role::Category,
        "answer response choice sentiment grade mark decision verdict vote opinion emotion stance \
        polarity categorie catégorie kategorie urteil bewertung antwort etikett wert klasse \
        étiquette etiquette réponse reponse valeur etiqueta categoria categoría valor respuesta \
        puntuacion puntuación clase etichetta risposta valutazione oordeel",
    ),
    (Role::Start, "onset anfang beginn inicio début debut"),
    (Role::End, "offsetend ende fin"),
    (Role::Length, "länge dauer size"),
    (
        Role::Frequency,
        "freq frequency frequencies count n weight occurrence häufigkeit anzahl frecuencia \
        fréquence effectif nobs times",
    ),
];

/// Endings of the names of items and raters.
const ENDINGS: &[&str] = &["id", "ids", "name", "no", "nr", "number", "num", "index", "idx", "key"];

/// Endings of the names of starts and ends.
const PARTS_OF_TEXT: &[&str] = &[
    "time",
    "offset",
    "position",
    "pos",
    "char",
    "character",
    "token",
    "ms",
    "sec",
    "seconds",
    "s",
];

/// The role of a column of this name.
pub(crate) fn role(name: &str) -> Option<Role> {
    let plain = plain(name);
    let known = |name: &str| find(NAMES, name).or_else(|| find(MORE_NAMES, name));
    let singular = |name: &str| known(name).or_else(|| known(name.strip_suffix('s')?));
    let of_ending = |endings: &[&str], wanted: &[Role]| {
        let stems = endings.iter().filter_map(|ending| plain.strip_suffix(ending));
        let mut roles = stems.filter(|stem| stem.len() > 1).filter_map(singular);
        roles.find(|role| wanted.contains(role))
    };
    singular(&plain)
        .or_else(|| of_ending(ENDINGS, &[Role::Item, Role::Rater]))
        .or_else(|| of_ending(PARTS_OF_TEXT, &[Role::Start, Role::End]))
}

/// True if a first line with this name is a header.
pub(in crate::read) fn proves_header(name: &str) -> bool {
    let plain = plain(name);
    let is_id = ["id", "ids"].iter().any(|ending| plain.ends_with(ending));
    find(NAMES, &plain).is_some_and(|role| role != Role::Aside)
        || is_id && matches!(role(name), Some(Role::Item | Role::Rater))
}

/// True if the name is that of people who rate, and of nobody who is rated.
pub(in crate::read) fn is_of_raters(name: &str) -> bool {
    let plain = plain(name);
    let is_certain = ["rater", "coder", "annotator", "labeler", "labeller", "judge", "reviewer"]
        .iter()
        .any(|word| plain.contains(word));
    is_certain || role(name) == Some(Role::Rater)
}

fn find(names: &[(Role, &str)], plain: &str) -> Option<Role> {
    let is_named = |names: &str| names.split_whitespace().any(|name| name == plain);
    names.iter().find(|(_, names)| is_named(names)).map(|(role, _)| *role)
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{Role, role};

    #[test]
    fn names_have_numbers_endings_and_plurals() {
        for (name, expected) in [
            ("HITId", Some(Role::Item)),
            ("subject_id", Some(Role::Item)),
            ("documents", Some(Role::Item)),
            ("_annotator_id", Some(Role::Rater)),
            ("WorkerId", Some(Role::Rater)),
            ("user name", Some(Role::Rater)),
            ("ratings", Some(Role::Category)),
            ("class", Some(Role::Category)),
            ("start_time", Some(Role::Start)),
            ("annotator1", None),
            ("label_2", None),
            ("Ana", None),
        ] {
            assert_eq!(role(name), expected, "{name}");
        }
    }
}
