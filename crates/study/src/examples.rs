//! Published studies, as files to begin with.

/// A study that somebody has published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name of the file.
    pub name: &'static str,
    /// What it is, and where it is from.
    pub title: &'static str,
    /// Its bytes.
    pub file: &'static str,
    /// What has to be said about it, as [`crate::fields`] have it.
    pub fields: &'static [(&'static str, &'static str)],
}

/// All of them.
pub const EXAMPLES: &[Example] = &[
    Example {
        name: "antecedents.csv",
        title: "Two raters with categories of their own (Komen 2009, table 9)",
        file: include_str!("../samples/antecedents.csv"),
        fields: &[("raters", "2,3")],
    },
    Example {
        name: "lecture.csv",
        title: "A rare category, two raters (lecture on inter-annotator agreement)",
        file: include_str!("../samples/lecture.csv"),
        fields: &[],
    },
    Example {
        name: "recal.csv",
        title: "Ten items in ReCal’s form: no header, numbers (Krippendorff 1980, p. 133)",
        file: include_str!("../samples/recal.csv"),
        fields: &[],
    },
    Example {
        name: "observers.csv",
        title: "Four observers with gaps, on a ratio scale (Krippendorff 2011, example C)",
        file: include_str!("../samples/observers.csv"),
        fields: &[("level", "ratio")],
    },
    Example {
        name: "ratings.csv",
        title: "One line per rating, three raters (Krippendorff 1980, p. 139)",
        file: include_str!("../samples/ratings.csv"),
        fields: &[],
    },
    Example {
        name: "units.csv",
        title: "Units on a continuum, from DKPro (Krippendorff 2004, p. 254)",
        file: include_str!("../samples/units.csv"),
        fields: &[("continuum", "150-450")],
    },
];
