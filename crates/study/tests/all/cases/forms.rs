//! Columns of items, raters and labels, wherever they stand.

use super::Right::{Refused, Values, Warned};
use super::{OF_SIX, SIX, case, check, long, wide, with};

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
    let similar = long("item,rater,label", [0, 1, 2], ["x", "y"], ["Ana", "ana"], "t");
    cases.push(case("F6", similar, Warned("similar_raters", &[("cohen_kappa", 1.0, 3.0)])));
    let twice = long("task,worker,label", [0, 1, 2], ["x", "y"], ["w1", "w2"], "t");
    let again = format!("{twice}t1,w1,x\n");
    cases.push(case("F13", again.clone(), Warned("repeated_rating", &[("cohen_kappa", 1.0, 3.0)])));
    let other = again.replace("t1,w1,x\nt1,w2", "t1,w1,y\nt1,w2");
    cases.push(case("F13", other, Refused(&["line 14, column 1", "in line 2"])));
    for file in [
        "rater,label\nAna,x\nBo,y\n",
        "worker,answer\nw1,x\nw2,x\nw3,y\nw4,x\n",
        "label,annotator\nx,Ana\ny,Bo\nx,Ana\n",
    ] {
        cases.push(case("F1", file, Refused(&["expected a column of items"])));
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
    let scores = long("a,b,c", [0, 1, 2], ["1", "2"], ["w1", "w2"], "t");
    cases.push(with("F1", scores, "level=interval", OF_SIX));
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
