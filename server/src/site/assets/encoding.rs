//! Which of a file's forms a client wants (RFC 9110, 12.5.3).

/// A form that a file is kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

impl Encoding {
    /// In our order of preference: the smallest first.
    const ALL: [Self; 3] = [Self::Brotli, Self::Gzip, Self::Plain];

    /// The name in `Content-Encoding`; none for the file as it is.
    pub(super) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Plain => None,
        }
    }

    /// What the form's file name ends with.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
            Self::Plain => "",
        }
    }
}

/// The forms that a client takes, the one it wants most first; the file as it is comes last, even
/// if the client did not ask for it, since some answer is better than none.
pub(super) fn in_order_of_preference(accepted: &str) -> Vec<Encoding> {
    let mut wanted: Vec<_> = Encoding::ALL
        .into_iter()
        .map(|encoding| (encoding, quality(accepted, encoding)))
        .filter(|(encoding, quality)| *quality > 0.0 || *encoding == Encoding::Plain)
        .collect();
    // Stable, so among equals our own preference stands.
    wanted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    wanted.into_iter().map(|(encoding, _)| encoding).collect()
}

/// How much a client wants an encoding, from 0 (not at all) to 1.
fn quality(accepted: &str, encoding: Encoding) -> f32 {
    let find = |name: &str| {
        accepted.split(',').map(parse).find(|(found, _)| found.eq_ignore_ascii_case(name))
    };
    let name = encoding.name().unwrap_or("identity");
    match find(name).or_else(|| find("*")) {
        Some((_, quality)) => quality,
        // Not named: the file as it is will do, though anything that was named is better.
        None if encoding == Encoding::Plain => f32::MIN_POSITIVE,
        None => 0.0,
    }
}

/// A name and its quality. One that cannot be read counts as "not at all".
fn parse(part: &str) -> (&str, f32) {
    let mut parameters = part.split(';').map(str::trim);
    let name = parameters.next().unwrap_or_default();
    let quality = parameters.find_map(|parameter| {
        parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="))
    });
    let quality: f32 = quality.map_or(1.0, |quality| quality.parse().unwrap_or(0.0));
    (name, quality.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::{Encoding::*, *};

    #[test]
    fn the_smallest_form_comes_first_among_equals() {
        assert_eq!(in_order_of_preference("gzip, deflate, br, zstd"), [Brotli, Gzip, Plain]);
        assert_eq!(in_order_of_preference("*"), [Brotli, Gzip, Plain]);
    }

    #[test]
    fn a_higher_quality_comes_first() {
        assert_eq!(in_order_of_preference("br;q=0.5, gzip;q=0.8"), [Gzip, Brotli, Plain]);
        assert_eq!(in_order_of_preference("identity, gzip;q=0.5"), [Plain, Gzip]);
    }

    #[test]
    fn what_is_not_wanted_is_not_sent() {
        assert_eq!(in_order_of_preference("br;q=0, gzip"), [Gzip, Plain]);
        assert_eq!(in_order_of_preference("*;q=0"), [Plain]);
        assert_eq!(in_order_of_preference("br; q=x"), [Plain]);
        assert_eq!(in_order_of_preference("BR;Q=1"), [Brotli, Plain]);
    }

    #[test]
    fn the_file_as_it_is_will_always_do() {
        assert_eq!(in_order_of_preference(""), [Plain]);
        assert_eq!(in_order_of_preference("identity;q=0"), [Plain]);
    }
}
