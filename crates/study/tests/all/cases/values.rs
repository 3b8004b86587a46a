//! Gaps, labels that look alike, and numbers.

use super::Right::{self, Refused, Values, Warned};
use super::{FIFTY, OF_SIX, case, check, with};

/// Three raters, seven items, three gaps: α 75/92, Fleiss' κ 110/131.
fn gaps(gap: [&str; 3], labels: [&str; 3]) -> String {
    let [pos, neg, neu] = labels;
    let [one, two, three] = gap;
    format!(
        "item,Ana,Bo,Cy\n1,{pos},{pos},{neg}\n2,{pos},{pos},{pos}\n3,{neg},{neg},{neg}\n\
         4,{neg},{one},{neg}\n5,{two},{pos},{pos}\n6,{neu},{neu},{three}\n7,{pos},{pos},{pos}\n"
    )
}

const OF_GAPS: Right =
    Values(&[("krippendorff_alpha_nominal", 75.0, 92.0), ("fleiss_kappa", 110.0, 131.0)]);

#[test]
fn gaps_are_told_from_labels() {
    let words = ["pos", "neg", "neu"];
    let mut cases = Vec::new();
    for gap in [
        "", "NA", ".", "*", "NaN", "nan", "None", "null", "NULL", "N/A", "n/a", "#N/A", "<NA>",
        "NaT", "na", "Na", "-", "--", "-1", "99", "missing", "(blank)", "#NULL!", "''",
    ] {
        cases.push(case("F5", gaps([gap; 3], words), OF_GAPS));
        cases.push(with(
            "F5",
            gaps([gap; 3], words),
            &*Box::leak(format!("missing={gap}").into_boxed_str()),
            OF_GAPS,
        ));
    }
    for gap in ["NaN", "None", "null", "N/A", "-", "?", "unknown", "missing", "none", "nil"] {
        cases.push(case("F5", gaps([gap; 3], ["1", "2", "3"]), OF_GAPS));
    }
    for gap in ["99", "999", "-9", "-99"] {
        cases.push(case(
            "F5",
            gaps([gap; 3], ["1", "2", "3"]),
            if gap == "-9" { Refused(&["“-9”"]) } else { OF_GAPS },
        ));
    }
    cases.push(case("F5", gaps(["NaN", "nan", "NA"], words), OF_GAPS));
    cases.push(with("F5", gaps(["xx", "NaN", "NA"], words), "missing=XX", OF_GAPS));
    for gap in ["?", "unknown", "nil", "none"] {
        let choices = Refused(&["--missing =", "--missing ", "stands for a missing rating"]);
        cases.push(case("F5", gaps([gap; 3], words), choices));
        cases.push(with(
            "F5",
            gaps([gap; 3], words),
            &*Box::leak(format!("missing={gap}").into_boxed_str()),
            OF_GAPS,
        ));
    }
    cases.push(with("F5", gaps(["NaN"; 3], ["1", "2", "3"]), "level=interval", OF_GAPS));
    // Labels.
    let continents = "item,Ana,Bo\n1,NA,NA\n2,EU,EU\n3,NA,EU\n4,AS,AS\n5,EU,NA\n6,NA,NA\n";
    let tags = "item,Ana,Bo\n1,NN,NN\n2,.,.\n3,VB,NN\n4,.,VB\n5,NN,.\n6,.,.\n7,VB,VB\n";
    let of_continents = Values(&[("cohen_kappa", 5.0, 11.0)]);
    let of_tags = Values(&[("cohen_kappa", 11.0, 32.0)]);
    for (file, right) in [
        (continents.to_owned(), of_continents),
        (tags.to_owned(), of_tags),
        (tags.replace('.', "*"), of_tags),
        (continents.replace("NA", "N/A"), of_continents),
        (continents.replace("NA", "None"), of_continents),
    ] {
        cases.push(case(
            "F4",
            file.clone(),
            Refused(&["is a label (`--missing =`)", "missing rating (`--missing "]),
        ));
        cases.push(with("F4", file, "missing==", right));
    }
    cases.push(with("F4", continents, "categories=AS,EU,NA", of_continents));
    for label in ["unknown", "none", "?", "-", "--"] {
        cases.push(case("F4", continents.replace("NA", label), of_continents));
    }
    cases.push(case("F4", "A,B\n+,+\n-,-\n+,-\n-,-\n+,+\n-,+\n", OF_SIX));
    cases.push(case("F4", "A,B\n1,1\n-1,-1\n1,-1\n-1,-1\n1,1\n-1,1\n", OF_SIX));
    cases.push(case("F4", ",NA,y\nNA,20,5\ny,10,15\n", FIFTY));
    // Numbers with gaps in the same items, and items that nobody else was asked about.
    cases.push(case("F4", "item,A,B\n1,1,1\n2,2,2\n3,1,2\n4,2,2\n5,1,1\n6,2,1\n7,NA,NA\n", OF_SIX));
    let planned = "item,A,B,C,D\n1,x,x,NA,NA\n2,NA,NA,y,y\n3,x,NA,y,NA\n4,NA,y,NA,y\n5,x,x,NA,NA\n6,y,NA,NA,x\n";
    cases.push(case("F4", planned, Values(&[("percent", 2.0, 3.0)])));
    check(&cases);
}

#[test]
fn categories_that_look_the_same() {
    let similar = |first: &str, second: &str| {
        // Ana writes one, Bo the other.
        let rows = ["a,b", "n,n", "a,b", "n,n", "n,n"];
        let rows = rows.iter().enumerate().map(|(place, row)| {
            format!("{place},{}\n", row.replace('a', first).replace('b', second))
        });
        format!("item,Ana,Bo\n{}", rows.collect::<String>())
    };
    let (one, two) = (
        Values(&[("percent", 1.0, 1.0), ("cohen_kappa", 1.0, 1.0)]),
        Warned("similar_labels", &[("percent", 3.0, 5.0)]),
    );
    let mut cases = Vec::new();
    for (first, second) in [
        ("cafe\u{301}", "caf\u{e9}"),
        ("yes\u{200b}", "yes"),
        ("Yes", "yes"),
        ("\"a  c\"", "\"a c\""),
        ("\"yes \"", "yes"),
        ("YES", "Yes"),
        ("\u{feff}yes", "yes"),
        ("1.0", "1"),
    ] {
        cases.push(case("F6", similar(first, second), two));
    }
    for (first, second, other) in [
        ("1", "1.0", "2"),
        ("01", "1", "02"),
        ("+1", "1", "0"),
        ("1", "1.00", "0.0"),
        ("TRUE", "True", "false"),
        ("true", "TRUE", "FALSE"),
    ] {
        cases.push(case(
            "F6",
            similar(first, second)
                .replace('n', other)
                .replace("A0a", "Ana")
                .replace("A2a", "Ana")
                .replace("A02a", "Ana"),
            one,
        ));
    }
    cases.retain(|case| !case.file.contains("A0.0a"));
    cases.push(case("F6", "item,Ana,Bo\n1,1,1.0\n2,2,2.0\n3,1,1.0\n4,2,\n", one));
    // Numbers that are larger than doubles tell apart are two.
    cases.push(case(
        "F6",
        "item,A,B\n1,9007199254740993,9007199254740992\n2,7,7\n",
        Values(&[("percent", 1.0, 2.0)]),
    ));
    check(&cases);
    let strict = with(
        "F6",
        similar("Yes", "yes"),
        "strict=yes",
        Refused(&["line 2, column 7", "differ only in case", "--strict"]),
    );
    check(&[strict]);
}

#[test]
fn numbers_out_of_reach_of_squares() {
    let values = &[
        ("weighted_kappa_quadratic", 16.0, 17.0),
        ("krippendorff_alpha", 129.0, 136.0),
        ("icc_1", 43.0, 45.0),
    ];
    let file = |power: &str| {
        format!(
            "item,Ana,Bo\n1,1{power},2{power}\n2,3{power},3{power}\n3,5{power},4{power}\n4,7{power},7{power}\n"
        )
    };
    let cases = ["", "e200", "e-200", "e150"]
        .map(|power| with("F14", file(power), "level=interval", Values(values)));
    check(&cases);
}

#[test]
fn numbers_are_no_categories() {
    let rows = (0..40)
        .map(|item| format!("{item},{}.{item},{}.{}\n", item * 3 % 17, item * 3 % 17, item + 1));
    let file = format!("item,Ana,Bo\n{}", rows.collect::<String>());
    for level in [study::read::Level::Interval, study::read::Level::Ratio] {
        let all = |options: &mut study::command::Options| {
            options.read.level = level;
            options.report.all_diagnostics = true;
            options.report.resamples = Some(10);
        };
        let report = crate::measure_with(&file, all);
        let first: Vec<&str> =
            report.measures.iter().take(2).map(|measure| measure.id.as_str()).collect();
        assert_eq!(first, ["krippendorff_alpha", "icc_1"]);
        assert!(report.measure("percent").is_none() && report.measure("cohen_kappa").is_none());
        assert!(report.true_agreement.is_empty() && report.diagnostics.categories.is_none());
        let text = crate::printed(&file, all);
        assert!(
            text.contains("different ones from 0.0 to 16.")
                || text.contains("different ones from 0"),
            "{text}"
        );
        let asked = crate::measure_with(&file, |options| {
            options.read.level = level;
            options.report.measures = crate::words(&["percent"]);
        });
        assert!(asked.measure("percent").is_some());
    }
    // Few numbers are categories, too.
    let report = crate::measure_with(crate::published::FOUR_OBSERVERS, |options| {
        options.read.level = study::read::Level::Interval;
    });
    assert_eq!(report.measures[0].id, "krippendorff_alpha");
    assert!(report.measure("percent").is_some());
}

#[test]
fn few_items_have_no_interval_but_a_reason() {
    for lines in [2, 3, 4] {
        let rows = (0..lines).map(|item| format!("{item},x,x,y\n"));
        let report = crate::measure(&format!(
            "item,Ana,Bo,Cy\n{}y,y,y,y\n",
            rows.skip(1).collect::<String>()
        ));
        for measure in report.measures.iter().filter(|measure| measure.value.is_some()) {
            assert_eq!(measure.no_interval.as_ref().unwrap().code, "TooFewUnits", "{}", measure.id);
        }
    }
    // Items that one alone has judged are no units.
    let alone: String = (0..20).map(|item| format!("{item},x,\n")).collect();
    let report = crate::measure(&format!("item,Ana,Bo\n{alone}a,x,y\nb,y,y\nc,x,x\n"));
    assert!(report.measures.iter().all(|measure| measure.interval.is_none()));
    // Items that are alike do not vary.
    let alike: String = (0..20).map(|item| format!("{item},x,x,y,y\n")).collect();
    let text = crate::printed(&format!("item,Ana,Bo,Cy,Di\n{alike}"), |_| ());
    assert!(text.contains("the items are alike, so the interval has no width"), "{text}");
}
