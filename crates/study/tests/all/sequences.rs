//! Items that follow each other: which column says so, and what is learned of it.

use agreement::Iob2;
use agreement::consensus::{HmmCrowd, Sequences, Votes};
use study::command::{Options, run};
use study::read::{self, Data};
use study::report::{ConsensusMethod, Report};

use crate::{measure_with, printed, refusal, understood, words};

/// Three people on two sentences, of whom C says I-PER where the others open a span; and who is right.
const TAGGED: &str = "\
sentence,token,A,B,C,Gold
1,Ada,B-PER,B-PER,I-PER,B-PER
1,Lovelace,I-PER,O,I-PER,I-PER
1,wrote,O,O,O,O
2,to,O,O,O,O
2,Charles,B-PER,B-PER,I-PER,B-PER
2,Babbage,I-PER,I-PER,I-PER,I-PER
2,in,O,B-PER,O,O
2,London,O,O,O,B-LOC
";

fn sequenced() -> read::Options {
    read::Options { sequence: Some("sentence".to_owned()), ..read::Options::default() }
}

fn measured(change: impl FnOnce(&mut Options)) -> Report {
    measure_with(TAGGED, |options| {
        options.read = sequenced();
        options.report.consensus = Some(ConsensusMethod::HmmCrowd);
        options.report.gold = Some("Gold".to_owned());
        change(options);
    })
}

fn error(file: &str, change: impl FnOnce(&mut Options)) -> String {
    let mut options = Options::default();
    options.report.consensus = Some(ConsensusMethod::HmmCrowd);
    change(&mut options);
    run(&options, file.as_bytes(), Vec::new(), |_| ()).unwrap_err().to_string()
}

#[test]
fn a_consensus_on_sequences_needs_the_column_that_names_them() {
    assert_eq!(
        error(TAGGED, |_| ()),
        "--consensus hmm-crowd needs --sequence, the column that says which sequence an item belongs to"
    );
    let missing = error(TAGGED, |options| options.read.sequence = Some("verse".to_owned()));
    assert_eq!(missing, "there is no column “verse”; there are sentence, token, A, B, C, Gold");
    let several = error(TAGGED, |options| options.read.sequence = Some("1-2".to_owned()));
    assert!(several.starts_with("there is no column “1-2”"), "{several}");
}

#[test]
fn units_and_tables_of_counts_are_in_no_sequence() {
    for (file, words) in [
        ("text,rater,start,end,label\n1,Ann,0,5,NP\n1,Bob,1,5,NP\n", "a study of units"),
        (",x,y\nx,5,1\ny,2,7\n", "a contingency table"),
    ] {
        let said = error(file, |options| {
            options.read.sequence = Some("1".to_owned());
            if words.contains("table") {
                options.read.form = Some(read::Form::Contingency);
            }
        });
        assert_eq!(said, format!("--sequence is about items, and {words} has none"));
    }
}

#[test]
fn the_column_of_sequences_is_neither_item_nor_rater() {
    let study = understood(TAGGED, &read::Options { item_names: true, ..sequenced() });
    assert_eq!(study.understood.raters, ["A", "B", "C", "Gold"]);
    assert_eq!((study.understood.items, study.understood.sequences), (8, Some(2)));
    assert_eq!(
        study.understood.read_as,
        "a line is an item, named by token, sequence sentence; a column is a rater"
    );
    assert!(study.understood.other_columns.is_empty());
    assert_eq!(study.items.unwrap()[1], "Lovelace");
    assert_eq!(study.sequences.unwrap(), Sequences::of([1, 1, 1, 2, 2, 2, 2, 2]));
    let by_number = read::Options { sequence: Some("1".to_owned()), ..read::Options::default() };
    assert_eq!(understood(TAGGED, &by_number).understood.sequences, Some(2));
    let without = understood(TAGGED, &read::Options::default());
    assert_eq!((without.understood.sequences, without.sequences), (None, None));
}

#[test]
fn a_line_a_rating_says_with_each_where_its_item_belongs() {
    let file = "doc,token,rater,label\nd1,a,Ann,B-X\nd2,c,Ann,O\nd1,b,Ann,I-X\nd1,a,Bob,B-X\n";
    let options = read::Options { sequence: Some("doc".to_owned()), ..read::Options::default() };
    let study = understood(file, &options);
    assert_eq!(
        study.understood.read_as,
        "a line is a rating: item token, rater rater, label label, sequence doc"
    );
    assert_eq!(study.sequences.unwrap(), Sequences::of([1, 2, 1]));
    assert_eq!(
        refusal(file.replace("d1,a,Bob", "d2,a,Bob"), &options),
        "line 5, column 1: “d2” is another sequence than the item had before; expected an item in one sequence"
    );
    assert_eq!(
        refusal(file.replace("d1,b", ",b"), &options),
        "line 4, column 1: the sequence is missing; expected one on every line"
    );
    assert_eq!(
        refusal(file.replace("d1,a,Bob", "d1,b,Bob,I-X\nd1,a,Bob"), &options),
        "line 6, column 4: “a” comes before an earlier item of its sequence; expected each rater's lines in one order"
    );
}

#[test]
fn what_is_reported_is_what_the_model_learns_without_who_is_right() {
    let found = measured(|_| ()).consensus.unwrap();
    let study = understood(TAGGED, &sequenced());
    let Data::Coding(ratings) = &study.data else { panic!("{study:?}") };
    let names = &study.understood.categories;
    let tag = |code: &u32| Iob2::parse(&names[usize::try_from(*code).unwrap()]).unwrap();
    let votes = Votes::from(&ratings.with_raters(&[0, 1, 2]));
    let fit = HmmCrowd::default().fit(&votes, &study.sequences.unwrap(), |before, code| {
        tag(code).may_follow(before.map(tag))
    });
    let fit = fit.unwrap();
    let raters: Vec<&str> = found.raters.iter().map(|rater| rater.name.as_str()).collect();
    assert_eq!(raters, ["A", "B", "C"]);
    let confusions: Vec<_> = found.raters.into_iter().filter_map(|rater| rater.confusion).collect();
    assert_eq!(confusions, fit.confusions);
    assert_eq!((found.starts, found.transitions), (Some(fit.starts), Some(fit.transitions)));
    assert_eq!(found.tag_scheme.as_deref(), Some("IOB2"));
    for (place, item) in found.items.iter().enumerate() {
        assert_eq!(Some(item.probabilities.as_slice()), fit.labels.item(place));
        let code = usize::try_from(fit.tags[place].unwrap()).unwrap();
        assert_eq!(item.category.as_ref(), Some(&names[code]));
        assert_eq!(item.probability, Some(item.probabilities[code]));
    }
    let seeded = measured(|options| options.report.seed = 77).consensus.unwrap();
    assert_eq!(seeded.items, found.items);
}

/// What is learned is right but for London, which nobody has; the majority opens no span at “Ada” where C
/// and one other say otherwise.
#[test]
fn each_consensus_is_measured_against_who_is_right() {
    let found = measured(|_| ()).gold.unwrap();
    let methods: Vec<_> = found.consensus.iter().map(|one| one.method).collect();
    assert_eq!(methods, ConsensusMethod::ALL);
    let [majority, .., sequences] = &found.consensus[..] else { panic!("{found:?}") };
    for one in [majority, sequences] {
        assert_eq!((one.items, one.accuracy), (8, Some(7.0 / 8.0)));
        // Of B-PER, I-PER, B-PER, I-PER and B-LOC four are found, and nothing else.
        let tokens = one.tokens.as_ref().unwrap();
        assert_eq!((tokens.gold, tokens.found, tokens.matched), (5, 4, 4));
        let values = [&tokens.precision, &tokens.recall, &tokens.f1].map(|share| share.value);
        assert_eq!(values, [Some(1.0), Some(0.8), Some(8.0 / 9.0)]);
        // Two of three spans.
        let spans = one.spans.as_ref().unwrap();
        assert_eq!((spans.gold, spans.found, spans.matched), (3, 2, 2));
        let values = [&spans.precision, &spans.recall, &spans.f1].map(|share| share.value);
        assert_eq!(values, [Some(1.0), Some(2.0 / 3.0), Some(0.8)]);
        let outside = one.labels.iter().find(|label| label.category == "O").unwrap();
        assert_eq!((outside.gold, outside.found), (3, 4));
    }
}

#[test]
fn without_sequences_there_are_no_spans_and_without_tags_only_accuracy() {
    let found = measured(|options| {
        options.read.sequence = None;
        options.report.consensus = Some(ConsensusMethod::Majority);
    });
    let found = found.gold.unwrap().consensus;
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|one| one.tokens.is_some() && one.spans.is_none()));
    let plain = TAGGED.replace("I-PER", "PER");
    let found = measure_with(&plain, |options| {
        options.read = sequenced();
        options.report.consensus = Some(ConsensusMethod::HmmCrowd);
        options.report.gold = Some("Gold".to_owned());
    });
    assert_eq!(found.consensus.unwrap().tag_scheme, None);
    let found = found.gold.unwrap().consensus;
    assert!(found.iter().all(|one| one.tokens.is_none() && one.spans.is_none()));
    assert!(found.iter().all(|one| one.accuracy.is_some()));
    assert!(measured(|options| options.report.consensus = None).gold.unwrap().consensus.is_empty());
}

#[test]
fn who_is_right_alone_leaves_nobody_to_learn_from() {
    let report = measured(|options| options.read.raters = words(&["Gold"]));
    assert_eq!(report.consensus.unwrap().undefined.unwrap().code, "NoSharedPositions");
    let found = report.gold.unwrap().consensus;
    assert!(found.iter().all(|one| one.undefined.is_some() && one.accuracy.is_none()));
}

#[test]
fn the_report_says_what_follows_what_and_how_right_each_way_is() {
    let text = printed(TAGGED, |options| {
        options.read = sequenced();
        options.report.consensus = Some(ConsensusMethod::HmmCrowd);
        options.report.gold = Some("Gold".to_owned());
    });
    for part in [
        "8 items in 2 sequences",
        "Consensus: HMM-crowd\n",
        "Confusion of each rater (rows: true category)",
        "Transitions (rows: category before)",
        "tags: IOB2; I-X only after B-X or I-X.",
        "Consensus against Gold",
        "HMM-crowd          8     0.875      1.000   0.800  0.889",
        "learned from all but Gold.",
        "Spans of the consensus against Gold (both ends and the label)",
        "HMM-crowd          3      2      1.000   0.667  0.800",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// Of 200 tokens each is in a sequence of its own, and all in one.
#[test]
fn sequences_may_be_short_or_long() {
    for length in [1, 200] {
        let mut file = String::from("doc,A,B\n");
        for item in 0..200 {
            let (tag, other) = if item % 7 == 0 { ("B-X", "O") } else { ("O", "O") };
            file.push_str(&format!("{},{tag},{other}\n", item / length));
        }
        let report = measure_with(&file, |options| {
            options.read.sequence = Some("doc".to_owned());
            options.report.consensus = Some(ConsensusMethod::HmmCrowd);
            options.report.measures = words(&["percent"]);
        });
        let found = report.consensus.unwrap();
        assert!(found.items.iter().all(|item| item.category.is_some()));
        assert!(found.learning.unwrap().log_likelihood.is_finite());
    }
}
