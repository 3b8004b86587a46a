//! Tables as people have them, each with its right value, or with the ways to read it.
//!
//! A case is a kind, a table, the options that it needs, and what is right: measures to the last
//! digits that doubles have, a warning, or a refusal with words in it.

use study::fields;
use study::report::Report;

/// What is right.
#[derive(Clone, Copy, Debug)]
enum Right {
    /// Measures by their ids, as numerator and denominator.
    Values(&'static [(&'static str, f64, f64)]),
    /// The same, with a warning of this code.
    Warned(&'static str, &'static [(&'static str, f64, f64)]),
    /// A refusal that says all of this.
    Refused(&'static [&'static str]),
}

struct Case {
    kind: &'static str,
    file: String,
    options: &'static str,
    right: Right,
}

use Right::{Refused, Values, Warned};

fn case(kind: &'static str, file: impl Into<String>, right: Right) -> Case {
    with(kind, file, "", right)
}

/// A case with options as a form has them: `form=long&missing=NA`.
fn with(kind: &'static str, file: impl Into<String>, options: &'static str, right: Right) -> Case {
    Case { kind, file: file.into(), options, right }
}

fn report(case: &Case) -> Result<Report, study::Error> {
    let named = case.options.split('&').filter_map(|option| option.split_once('='));
    let mut options = fields::options(named)?;
    options.report.resamples = Some(10);
    study::command::run(&options, case.file.as_bytes(), std::io::sink(), |_| ())
        .map(|run| run.report)
}

/// What is wrong about a case.
fn fault(case: &Case) -> Option<String> {
    let right_values = |report: &Report, values: &[(&str, f64, f64)]| {
        let found = values.iter().map(|(id, over, under)| {
            let found = report.measure(id).and_then(|measure| measure.value);
            let is_right = found.is_some_and(|found| (found - over / under).abs() < 1e-9);
            (is_right, format!("{id} is {found:?}, right {}", over / under))
        });
        let wrong: Vec<String> =
            found.filter(|(is_right, _)| !is_right).map(|(_, text)| text).collect();
        let understood = &report.understood;
        (!wrong.is_empty()).then(|| {
            format!(
                "{}: {}, {:?}, {:?}",
                wrong.join(", "),
                understood.read_as,
                understood.raters,
                understood.categories
            )
        })
    };
    match (case.right, report(case)) {
        (Values(values), Ok(report)) => right_values(&report, values),
        (Warned(code, values), Ok(report)) => {
            let has = report.warnings.iter().any(|warning| warning.code == code);
            let missing = || format!("no warning {code} among {:?}", report.warnings);
            right_values(&report, values).or_else(|| (!has).then(missing))
        }
        (Refused(words), Err(error)) => {
            let error = error.to_string();
            let lacks = words.iter().find(|word| !error.contains(**word));
            lacks.map(|word| format!("“{word}” is not in: {error}"))
        }
        (_, Err(error)) => Some(format!("refused: {error}")),
        (Refused(_), Ok(report)) => {
            let understood = report.understood;
            Some(format!("taken: {}, {:?}", understood.read_as, understood.raters))
        }
    }
}

fn check(cases: &[Case]) {
    let faults: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            Some(format!("{} {}\n{}\n{}", case.kind, case.options, case.file, fault(case)?))
        })
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {} are wrong\n\n{}",
        faults.len(),
        cases.len(),
        faults.join("\n\n")
    );
}

/// Six items, two raters: κ and Fleiss' κ 1/3, α 7/18.
const SIX: &[(&str, &str)] =
    &[("x", "x"), ("y", "y"), ("x", "y"), ("y", "y"), ("x", "x"), ("y", "x")];

const OF_SIX: Right = Values(&[
    ("cohen_kappa", 1.0, 3.0),
    ("krippendorff_alpha_nominal", 7.0, 18.0),
    ("fleiss_kappa", 1.0, 3.0),
]);

/// The six items as a long table under these headings, with item, rater and label in this order.
fn long(
    headings: &str,
    order: [usize; 3],
    labels: [&str; 2],
    raters: [&str; 2],
    item: &str,
) -> String {
    let mut file = format!("{headings}\n");
    let label = |word: &str| if word == "x" { labels[0] } else { labels[1] };
    for (place, (first, second)) in (1..).zip(SIX) {
        for (rater, word) in raters.iter().zip([first, second]) {
            let cells = [format!("{item}{place}"), (*rater).to_owned(), label(word).to_owned()];
            let row: Vec<&str> = order.iter().map(|&cell| cells[cell].as_str()).collect();
            file.push_str(&format!("{}\n", row.join(",")));
        }
    }
    file
}

/// The six items as a wide table.
fn wide(heading: &str, separator: &str, labels: [&str; 2]) -> String {
    let mut file = format!("{}\n", heading.replace(',', separator));
    let label = |word: &str| if word == "x" { labels[0] } else { labels[1] };
    for (place, (first, second)) in (1..).zip(SIX) {
        let cells = [place.to_string(), label(first).to_owned(), label(second).to_owned()];
        file.push_str(&format!("{}\n", cells.join(separator)));
    }
    file
}

#[test]
fn long_tables_under_any_headings() {
    let mut cases = Vec::new();
    for headings in [
        "task,worker,label",
        "targets,raters,ratings",
        "HITId,WorkerId,Answer",
        "record_id,user_id,value",
        "task_id,annotator,sentiment",
        "example_id,username,label",
        "instance_id,user,label",
        "id,annotator,answer",
        "subject_id,rater_id,score",
        "tweet_id,user_id,label",
        "item,worker,answer",
        "doc_id,annotator,label",
        "comment_id,annotator_id,toxicity",
        "oración,anotador,etiqueta",
        "Satz,Bewerter,Urteil",
        "phrase,annotateur,étiquette",
        "a,b,c",
        "subject,rater,rating",
        "document_id,annotator_id,annotation",
        "unit_id,coder_id,code",
        "itemID,raterID,value",
        "page,who,what",
        "sample,labeler_name,class",
    ] {
        for (labels, raters, item) in [
            (["x", "y"], ["w1", "w2"], "t"),
            (["pos", "neg"], ["Ana", "Bo"], ""),
            (["yes", "no"], ["7", "8"], "doc-"),
        ] {
            cases.push(case("F1", long(headings, [0, 1, 2], labels, raters, item), OF_SIX));
        }
    }
    for (headings, order) in [
        ("coder,item,labels", [1, 0, 2]),
        ("text,_session_id,answer", [0, 1, 2]),
        ("label,annotator,tweet", [2, 1, 0]),
        ("rater,label,item", [1, 2, 0]),
    ] {
        let file = long(headings, order, ["x", "y"], ["w1", "w2"], "t");
        cases.push(case("F1", file, OF_SIX));
    }
    // Without a heading; with numbers only; with more columns.
    let bare = long("", [0, 1, 2], ["x", "y"], ["w1", "w2"], "t");
    cases.push(case("F1", bare.trim_start(), OF_SIX));
    cases.push(case(
        "F1",
        long("subject_id,rater_id,score", [0, 1, 2], ["1", "2"], ["1", "2"], ""),
        OF_SIX,
    ));
    cases.push(case(
        "F1",
        long("stimulus,rater,score", [0, 1, 2], ["1", "2"], ["1", "2"], ""),
        OF_SIX,
    ));
    let more = |heading: &str, text: &str| {
        let file = long("", [0, 1, 2], ["x", "y"], ["w1", "w2"], "t");
        let mut lines = file.trim().lines().enumerate();
        let rows = lines.by_ref().map(|(place, line)| format!("{place},{line},{text}{place}\n"));
        format!("{heading}\n{}", rows.collect::<String>())
    };
    cases.push(case("F1", more("id,task,worker,label,seconds", "1."), OF_SIX));
    cases.push(case("F1", more("index,tweet,user,sentiment,comment", "c"), OF_SIX));
    // Numbers in all columns under unknown headings may be anything.
    cases.push(case(
        "F1",
        long("p,q,r", [0, 1, 2], ["1", "2"], ["1", "2"], ""),
        Refused(&["--form long", "--form wide"]),
    ));
    check(&cases);
}

#[test]
fn columns_that_name_items_and_raters_in_rows() {
    let again = "1,1,1\n1,2,2\n2,1,2\n2,2,2\n3,1,1\n3,2,1\n";
    let mut cases = vec![
        case("F12", format!("patient,Ana,Bo\n{again}"), OF_SIX),
        case("F12", format!("case,Ana,Bo\n{again}"), OF_SIX),
        case(
            "F12",
            format!("xyz,Ana,Bo\n{again}"),
            Refused(&["--form wide --raters 2,3", "--form wide --raters 1,2,3"]),
        ),
        with("F12", format!("xyz,Ana,Bo\n{again}"), "form=wide&raters=2,3", OF_SIX),
        case("F12", wide("xyz,Ana,Bo", ",", ["x", "y"]), OF_SIX),
        case("F12", wide("Probe,Ana,Bo", ";", ["1", "0"]), OF_SIX),
        case("F12", wide("xyz,Ana,Bo", ",", ["pos", "neg"]).trim().replace('\n', "\np"), OF_SIX),
        case("F12", wide("no,Ana,Bo", ",", ["x", "y"]), OF_SIX),
    ];
    // A column of other values beside.
    let beside = |name: &str, values: [&str; 6]| {
        let file = wide("item,Ana,Bo", ",", ["x", "y"]);
        let mut lines = file.lines();
        let mut all = format!("{},{name}\n", lines.next().unwrap());
        for (line, value) in lines.zip(values) {
            all.push_str(&format!("{line},{value}\n"));
        }
        all
    };
    let weights = beside("weight", ["0.5", "0.7", "0.5", "0.9", "0.1", "0.5"]);
    cases.push(case("F12", weights, Warned("other_values", &[("cohen_kappa", 1.0, 3.0)])));
    let confidence = beside("Ana_confidence", ["80", "70", "80", "90", "10", "55"]);
    cases.push(case("F12", confidence, Warned("other_values", &[("cohen_kappa", 1.0, 3.0)])));
    let other = beside("Cy", ["ja", "nein", "ja", "ja", "nein", "ja"]);
    cases.push(case("F12", other, Warned("unshared_values", &[("percent", 2.0, 9.0)])));
    for (corner, heads, names) in [
        ("rater", "i1,i2,i3,i4,i5,i6", ["Ana", "Bo"]),
        ("annotator", "1,2,3,4,5,6", ["a1", "a2"]),
        ("Coder", "doc1,doc2,doc3,doc4,doc5,doc6", ["1", "2"]),
        ("judge", "the,cat,sat,on,a,mat", ["Ana", "Bo"]),
        ("annotator_id", "q1,q2,q3,q4,q5,q6", ["Ana", "Bo"]),
    ] {
        let of = |rater: usize| {
            SIX.iter()
                .map(|pair| if rater == 0 { pair.0 } else { pair.1 })
                .collect::<Vec<_>>()
                .join(",")
        };
        let file = format!("{corner},{heads}\n{},{}\n{},{}\n", names[0], of(0), names[1], of(1));
        cases.push(case("F12", file, OF_SIX));
    }
    let numbered = ",q1,q2,q3,q4,q5,q6\nAna,x,y,x,y,x,y\nBo,x,y,y,y,x,x\n";
    cases.push(case("F12", numbered, Refused(&["--form rows", "--form wide"])));
    cases.push(with("F12", numbered, "form=rows", OF_SIX));
    check(&cases);
}

/// κ 2/5 on 50 items.
const FIFTY: Right = Values(&[("cohen_kappa", 2.0, 5.0), ("percent", 7.0, 10.0)]);

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
        (tags.replace(".", "*"), of_tags),
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
        Refused(&["line 2, column 7", "look alike", "--strict"]),
    );
    check(&[strict]);
}

#[test]
fn separators_titles_and_names_like_numbers() {
    let labels = ["yes", "no"];
    let usual = wide("item,Ana,Bo", ",", labels);
    let mut cases = Vec::new();
    for separator in [",", ";", "\t", "|", " ", "  ", " | ", " , "] {
        cases.push(case("F10", wide("item,Ana,Bo", separator, labels), OF_SIX));
        let bare = wide("Ana,Bo", separator, labels);
        let bare: String = bare
            .lines()
            .map(|line| {
                let cut = if line.starts_with("Ana") {
                    line
                } else {
                    line.split_once(separator).unwrap().1
                };
                format!("{cut}\n")
            })
            .collect();
        cases.push(case("F10", bare, OF_SIX));
    }
    let markdown: String = usual
        .lines()
        .enumerate()
        .map(|(place, line)| {
            let rule = if place == 0 { "|---|:--:|---:|\n" } else { "" };
            format!("| {} |\n{rule}", line.replace(',', " | "))
        })
        .collect();
    cases.push(case("F10", markdown, OF_SIX));
    // So R writes tables.
    let of_r: String = usual
        .lines()
        .map(|line| format!("{}\n", line.replace("item,", "").replace(',', "\" \"")))
        .collect();
    let of_r: String = of_r.lines().map(|line| format!("\"{line}\"\n")).collect();
    cases.push(case("F10", of_r, OF_SIX));
    // A separator behind every line.
    let trailing: String = usual.lines().map(|line| format!("{line},\n")).collect();
    cases.push(case("F8", trailing.clone(), OF_SIX));
    cases.push(case(
        "F8",
        trailing
            .replace("item,", "")
            .replace('1', "")
            .replace('2', "")
            .replace('3', "")
            .replace('4', "")
            .replace('5', "")
            .replace('6', "")
            .replace("\n,", "\n"),
        OF_SIX,
    ));
    cases.push(case("F8", trailing.replacen(",\n", "\n", 1), OF_SIX));
    cases.push(case(
        "F8",
        usual.lines().map(|line| format!("{line};;\n")).collect::<String>().replace(',', ";"),
        OF_SIX,
    ));
    // Raters called like numbers.
    for heading in ["Nan,Bo", "Ana,Inf", "nan,Bo", "Infinity,NAN", "2023,2024", "1,2"] {
        let rows: String = SIX.iter().map(|(a, b)| format!("{a},{b}\n")).collect();
        cases.push(case("F9", format!("{heading}\n{rows}"), OF_SIX));
    }
    // What spreadsheets and people add.
    for (before, separator) in [
        ("sep=;\n", ";"),
        ("sep=,\n", ","),
        ("sep=\t\n", "\t"),
        ("\"sep=;\"\n", ";"),
        ("# made by a program\n", ","),
        ("# made by a program, in 2026\n#\n", ";"),
        ("Ratings of May\n\n", ","),
        ("\u{feff}sep=|\n", "|"),
    ] {
        cases.push(case(
            "F13",
            format!("{before}{}", wide("item,Ana,Bo", separator, labels)),
            OF_SIX,
        ));
    }
    cases.push(case("F13", usual.replace("\n4,", "\n# half\n4,"), OF_SIX));
    cases.push(case("F13", wide("#,Ana,Bo", ",", labels), OF_SIX));
    for file in ["A\nx\ny\nx\n", "x\n", "item\n1\n2\n", "one word\nand more words than that\n"] {
        cases.push(case("F13", file, Refused(&["there is one column"])));
    }
    cases.push(case(
        "F13",
        "PK\u{3}\u{4}\u{14}\0\u{6}\0",
        Refused(&["a spreadsheet", "saved as CSV"]),
    ));
    cases.push(case("F13", "%PDF-1.7\n", Refused(&["a PDF"])));
    let utf16 = |swap: bool| -> String {
        usual.chars().flat_map(|c| if swap { ['\0', c] } else { [c, '\0'] }).collect()
    };
    cases.push(case("F13", utf16(false), Refused(&["UTF-16", "UTF-8"])));
    cases.push(case("F13", utf16(true), Refused(&["UTF-16", "UTF-8"])));
    cases.push(case(
        "F13",
        "item,A,B\n1,x\0,x\n2,y,y\n3,x,x\n",
        Refused(&["line 2, column 3", "NUL"]),
    ));
    check(&cases);
}

#[test]
fn units_under_other_headings() {
    let rows = "Ana,verb,0.5,2.25\nBo,verb,0.50,2\nBo,noun,3,4.0\nAna,noun,3,4\n";
    let expected = crate::measure(rows).measure("alpha_u").unwrap().value;
    for heading in [
        "annotator,annotation,segment_start,segment_end",
        "annotator,annotation,start_time,end_time",
        "coder,label,start (s),end (s)",
        "who,what,from,to",
        "a,b,c,d",
    ] {
        let report = crate::measure(&format!("{heading}\n{rows}"));
        assert_eq!(report.measure("alpha_u").unwrap().value, expected, "{heading}");
    }
    let swapped = "who,x,y,what\nAna,0,5,NP\nAna,8,12,VP\nBo,1,5,NP\nBo,8,12,VP\n";
    check(&[
        case("F11", swapped, Refused(&["--units end --columns 1,2,3,4", "--units length"])),
        with("F11", swapped, "units=end&columns=1,2,3,4", Values(&[("cu_alpha", 1.0, 1.0)])),
    ]);
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
