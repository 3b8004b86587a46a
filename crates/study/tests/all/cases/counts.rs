//! Tables of counts.

use super::Right::{Refused, Values, Warned};
use super::{FIFTY, case, check, with};

#[test]
fn sums_at_the_edges_of_counts() {
    let mut cases = Vec::new();
    for name in [
        "Grand Total",
        "Grand total",
        "Total Result",
        "Gesamt",
        "Gesamtergebnis",
        "Insgesamt",
        "Total général",
        "Somme",
        "Suma",
        "Totale",
        "Totaal",
        "合计",
        "Marginal",
        "n",
        "Total:",
        "Total",
        "TOTAL",
        "Totals",
        "Sum",
        "All",
        "Σ",
        "Razem",
        "xyz",
    ] {
        let file = format!(",a,b,{name}\na,20,5,25\nb,10,15,25\n{name},30,20,50\n");
        cases.push(case("F2", file.clone(), FIFTY));
        cases.push(with("F2", file.clone(), "form=contingency", FIFTY));
        cases.push(case("F2", file.replace(",50\n", ",\n").replace(',', ";"), FIFTY));
        cases.push(case("F2", format!(",a,b\na,20,5\nb,10,15\n{name},30,20\n"), FIFTY));
        cases.push(case("F2", format!(",a,b,{name}\na,20,5,25\nb,10,15,25\n"), FIFTY));
    }
    cases.push(case(
        "F2",
        ",no,yes,Row Total\nno,20,5,25\nyes,10,15,25\nColumn Total,30,20,50\n",
        FIFTY,
    ));
    cases.push(case(
        "F2",
        ",a,b,Total Result\na,12,3,15\nb,2,13,15\nTotal Result,14,16,30\n",
        Values(&[("cohen_kappa", 2.0, 3.0)]),
    ));
    // As spreadsheets write pivot tables.
    let pivot = "Row Labels,no,yes,(blank),Grand Total\nno,15,10,,25\nyes,5,20,,25\n(blank),,,,\nGrand Total,20,30,,50\n";
    cases.push(case("F2", pivot, FIFTY));
    cases.push(case("F2", format!("Count of item,Column Labels,,,\n{pivot}"), FIFTY));
    cases.push(case("F2", format!("Agreement of Ana and Bo\n{pivot}"), FIFTY));
    cases.push(case(
        "F2",
        "Row Labels,no,yes,(blank),Grand Total\nno,15,10,3,28\nyes,5,20,,25\n(blank),2,,,2\nGrand Total,22,30,3,55\n",
        FIFTY,
    ));
    // A label may be called so.
    cases.push(case(
        "F2",
        ",none,some,all\nnone,30,5,1\nsome,6,20,4\nall,2,3,29\n",
        Values(&[("percent", 79.0, 100.0)]),
    ));
    check(&cases);
}

#[test]
fn contingency_tables_as_people_have_them() {
    let table = |corner: &str, cells: [&str; 4]| {
        let [a, b, c, d] = cells;
        format!("{corner},no,yes\nno,{a},{b}\nyes,{c},{d}\n")
    };
    let usual = ["20", "5", "10", "15"];
    let mut cases = Vec::new();
    for corner in ["", "case", "token", "Ana / Bo", "Ana", "item", "xyz"] {
        cases.push(case("F3", table(corner, usual), FIFTY));
    }
    for cells in [
        ["20.0", "5.0", "10.0", "15.0"],
        ["20.00", "5.00", "10.00", "15.00"],
        ["\"20,0\"", "\"5,0\"", "\"10,0\"", "\"15,0\""],
        ["\"20,000\"", "\"5,000\"", "\"10,000\"", "\"15,000\""],
        ["20 000", "5 000", "10 000", "15 000"],
        ["20'000", "5'000", "10'000", "15'000"],
    ] {
        cases.push(case("F3", table("", cells), FIFTY));
        cases.push(case("F3", table("case", cells), FIFTY));
        cases.push(with("F3", table("", cells), "form=contingency", FIFTY));
    }
    cases.push(case(
        "F3",
        table("", ["20.000", "5.000", "10.000", "15.000"]),
        Refused(&["line 2, column 4", "thousands"]),
    ));
    cases.push(case(
        "F3",
        table("", ["1.250", "5.000", "10.000", "15.000"]),
        Values(&[("percent", 16.25, 31.25)]),
    ));
    cases.push(case(
        "F3",
        table("", ["40%", "10%", "20%", "30%"]),
        Refused(&["“40%” is not a count"]),
    ));
    cases.push(case(
        "F3",
        table("", ["0.4", "0.1", "0.2", "0.3"]),
        Refused(&["“0.4” is not a count"]),
    ));
    cases.push(case(
        "F3",
        ",no,yes\nno,99999999999999999999,5\nyes,10,15\n",
        Refused(&["line 2, column 4", "50000000"]),
    ));
    // Rows and columns of different categories.
    let komen = Values(&[("cohen_kappa", 535.0, 1489.0)]);
    cases.push(case("F3", ",a,b,c\na,20,5,1\nb,10,15,2\n", komen));
    cases.push(case("F3", "case,a,b,c\na,20,5,1\nb,10,15,2\n", komen));
    cases.push(case("F3", ",a,b\na,20,10\nb,5,15\nc,1,2\n", komen));
    cases.push(case("F3", ",a,b,c,Total\na,20,5,1,26\nb,10,15,2,27\nTotal,30,20,3,53\n", komen));
    cases.push(case(
        "F3",
        ",0,13\n0,6,1\n13,1,1\n23,1,0\n62,0,0\n",
        Values(&[("percent", 7.0, 10.0)]),
    ));
    // Labels by case, a title, a line with a rater's name.
    cases.push(case(
        "F3",
        ",Yes,No\nyes,15,10\nno,5,20\n",
        Warned("similar_labels", &[("cohen_kappa", 2.0, 5.0)]),
    ));
    for title in [
        "Agreement of two raters\n",
        "Agreement,,\n",
        "# made in 2026\n",
        "\"A title, with a comma\"\n\n",
    ] {
        cases.push(case("F3", format!("{title}{}", table("", usual)), FIFTY));
    }
    cases.push(case("F3", "Bo,no,yes\nAna,,\nno,20,5\nyes,10,15\n", FIFTY));
    cases.push(case("F3", ",Bo,\nAna,no,yes\nno,20,5\nyes,10,15\n", FIFTY));
    // As statistics programs write them.
    let crosstab = ",,Bo,,\n,,no,yes,Total\nAna,no,20,5,25\n,yes,10,15,25\nTotal,,30,20,50\n";
    cases.push(case("F3", crosstab, FIFTY));
    cases.push(case("F3", crosstab.replace("Total", "Gesamt").replace(',', ";"), FIFTY));
    cases.push(case("F3", format!("Ana * Bo Crosstabulation,,,,\n{crosstab}"), FIFTY));
    // Without labels, and with labels that nothing else shows.
    cases.push(case("F3", "20,5\n10,15\n", Refused(&["--form contingency", "--form wide"])));
    cases.push(with("F3", "20,5\n10,15\n", "form=contingency", FIFTY));
    cases.push(case(
        "F3",
        ",p,q\nx,20,5\ny,10,15\n",
        Refused(&["--form contingency", "--form wide"]),
    ));
    // Scores and ratings are no counts.
    cases.push(case(
        "F3",
        "item,Ana,Bo\nd1,20,20\nd2,15,20\nd3,15,15\nd4,10,10\n",
        Values(&[("percent", 3.0, 4.0)]),
    ));
    cases.push(case(
        "F3",
        ",0,1\n0,1,1\n1,2,2\n2,1,2\n3,2,2\n4,1,1\n",
        Values(&[("percent", 4.0, 5.0)]),
    ));
    cases.push(case(
        "F3",
        "item,no,yes\n1,x,x\n2,y,x\n3,x,x\n4,y,y\n",
        Values(&[("percent", 3.0, 4.0)]),
    ));
    check(&cases);
}

/// Fleiss' own table.
const FLEISS: &str = "0,0,0,0,14\n0,2,6,4,2\n0,0,3,5,6\n0,3,9,2,0\n2,2,8,1,1\n7,7,0,0,0\n3,2,6,3,0\n\
    2,5,3,2,2\n6,5,2,1,0\n0,2,2,3,7\n";

#[test]
fn counts_of_items_by_categories_and_frequencies() {
    let fleiss = Values(&[("fleiss_kappa", 0.209_930_704_421_955_88, 1.0)]);
    let mut cases = vec![
        case("F7", FLEISS, fleiss),
        case("F7", format!("a,b,c,d,e\n{FLEISS}"), fleiss),
        case("F7", format!("a,b,c,d,e\n{FLEISS}").replace(',', "\t"), fleiss),
        with("F7", FLEISS, "form=counts", fleiss),
    ];
    let named = |prefix: &str, behind: &str, head: &str| {
        let rows = FLEISS.lines().enumerate();
        let rows: String =
            rows.map(|(place, row)| format!("{prefix}{place},{row}{behind}\n")).collect();
        format!("{head}\n{rows}")
    };
    cases.push(case("F7", named("", "", "item,a,b,c,d,e"), fleiss));
    cases.push(case("F7", named("s", "", "xyz,a,b,c,d,e"), fleiss));
    cases.push(case("F7", named("", "", ",1,2,3,4,5"), fleiss));
    cases.push(case("F7", named("doc", ",14", "doc,a,b,c,d,e,Total"), fleiss));
    cases.push(case("F7", FLEISS.replace(',', ".0,"), fleiss));
    // Some items have fewer ratings, which no sum shows: asked for.
    let uneven = "item,yes,no\n1,3,0\n2,2,1\n3,0,2\n4,1,1\n";
    cases.push(with("F7", uneven, "form=counts", Values(&[("percent", 7.0, 12.0)])));
    cases.push(case("F7", "yes,no\n3,1\n2,2\n1,3\n", Refused(&["--form counts", "--form wide"])));
    // Votes that add up by chance are ratings.
    cases.push(case(
        "F7",
        "item,Ana,Bo,Cy\n1,1,1,3\n2,2,2,2\n3,1,3,1\n4,3,3,3\n5,2,2,2\n",
        Values(&[("percent", 11.0, 15.0)]),
    ));
    // Pairs of labels with their frequency.
    let pairs = "yes,yes,20\nyes,no,5\nno,yes,10\nno,no,15\n";
    for heading in
        ["r1,r2,freq", "Ana,Bo,count", "Ana,Bo,n", "rater1,rater2,Frequency", "Ana,Bo,Anzahl"]
    {
        cases.push(case("F7", format!("{heading}\n{pairs}"), FIFTY));
    }
    cases.push(case("F7", format!("Ana,Bo,freq\n{pairs}Total,,50\n"), FIFTY));
    cases.push(case("F7", format!("Ana,Bo,xyz\n{pairs}"), FIFTY));
    cases.push(case("F7", "r1,r2,freq\n1,1,20\n1,2,5\n2,1,10\n2,2,15\n", FIFTY));
    cases.push(case("F7", "freq,r1,r2\n20,1,1\n5,1,2\n10,2,1\n15,2,2\n", FIFTY));
    cases.push(case(
        "F7",
        "Ana,Bo,xyz\n1,1,20\n1,2,5\n2,1,10\n2,2,15\n",
        Refused(&["--form frequencies", "--form"]),
    ));
    cases.push(with(
        "F7",
        "Ana,Bo,xyz\n1,1,20\n1,2,5\n2,1,10\n2,2,15\n",
        "form=frequencies",
        FIFTY,
    ));
    cases.push(case(
        "F7",
        "Ana,Bo,Cy,freq\nx,x,x,5\nx,y,x,2\ny,y,y,3\n",
        Values(&[("percent", 26.0, 30.0)]),
    ));
    check(&cases);
}

#[test]
fn counts_have_the_measures_that_need_no_names() {
    let report = crate::measure(FLEISS);
    let ids: Vec<&str> = report.measures.iter().map(|measure| measure.id.as_str()).collect();
    assert!(
        ids.contains(&"krippendorff_alpha_nominal") && ids.contains(&"randolph_kappa"),
        "{ids:?}"
    );
    assert!(!ids.contains(&"light_kappa") && !ids.contains(&"hubert_kappa"), "{ids:?}");
    assert!(report.pairs.is_empty());
    assert_eq!((report.understood.items, report.understood.ratings), (10, 140));
}
