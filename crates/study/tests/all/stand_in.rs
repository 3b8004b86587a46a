//! A rater beside the others: may it stand in for them?

use study::command::Options;
use study::read::Level;
use study::report::{Annotators, StandInBeside, StandInScore};

use crate::{measure_with, printed};

/// Forty items that three annotators agree on but for the third, and a model that errs on four.
fn forty() -> String {
    let mut file = String::from("item,Ana,Bo,Model,Cy\n");
    for item in 0..40 {
        let (third, model) = (u8::from(item < 10), u8::from(item >= 36));
        file.push_str(&format!("{item},0,0,{model},{third}\n"));
    }
    file
}

fn asked(options: &mut Options) {
    options.report.stand_in = Some("Model".to_owned());
}

#[test]
fn a_model_is_compared_with_every_annotator() {
    let found = measure_with(&forty(), asked).stand_in.unwrap();
    assert_eq!((found.annotators, found.score), (Annotators::Crowd, StandInScore::ShareAlike));
    let beside: Vec<String> = found
        .comparisons
        .iter()
        .map(|it| {
            let StandInBeside { rater, items, stand_in, annotator, test, .. } = it;
            let [stand_in, annotator, p] =
                [stand_in, annotator, &test.p_value].map(|value| value.unwrap());
            format!("{rater} {items} {stand_in:.2} {annotator:.2} {p:.5}")
        })
        .collect();
    assert_eq!(
        beside,
        ["Ana 40 0.90 1.00 0.50000", "Bo 40 0.90 1.00 0.50000", "Cy 40 0.90 0.75 0.00475"]
    );
    assert_eq!((found.winning_rate, found.passes), (Some(1.0 / 3.0), Some(false)));
    // Experts cost more: a stand-in may be worse by more.
    let among_experts = measure_with(&forty(), |options| {
        asked(options);
        options.report.annotators = Some(Annotators::Experts);
    });
    assert_eq!(among_experts.stand_in.unwrap().passes, Some(true));
}

#[test]
fn numbers_are_compared_by_how_far_apart_they_are() {
    let mut file = String::from("item,A,B,C,M\n");
    for item in 0..30 {
        file.push_str(&format!("{item},{},2,2,3\n", 2 + item % 2));
    }
    for (level, score) in [
        (Level::Nominal, StandInScore::ShareAlike),
        (Level::Ordinal, StandInScore::ShareAlike),
        (Level::Interval, StandInScore::NegativeRmse),
        (Level::Ratio, StandInScore::NegativeRmse),
    ] {
        let report = measure_with(&file, |options| {
            options.read.level = level;
            options.report.stand_in = Some("M".to_owned());
        });
        let found = report.stand_in.unwrap();
        assert_eq!((found.score, found.comparisons.len()), (score, 3));
    }
}

#[test]
fn the_report_says_what_came_of_it_and_of_how_little() {
    let text = printed(&forty(), asked);
    assert!(text.contains("Model as a stand-in (alternative annotator test)"), "{text}");
    assert!(text.contains("not passed: winning rate ω 0.333 (1 of 3 annotators"), "{text}");
    assert!(!text.contains("fewer than"), "{text}");
    let two = printed(&forty(), |options| {
        asked(options);
        options.read.raters = ["Ana", "Bo", "Model"].map(str::to_owned).to_vec();
    });
    assert!(two.contains("fewer than 3 annotators"), "{two}");
    assert!(!printed(&forty(), |_| ()).contains("stand-in"));
}

/// Cy has not judged the last eleven, Dee nothing.
fn with_little_of_two() -> String {
    let mut file = String::from("item,Ana,Bo,Model,Cy,Dee\n");
    for item in 0..40 {
        let third = if item < 29 { "1" } else { "" };
        file.push_str(&format!("{item},0,0,{},{third},\n", u8::from(item >= 36)));
    }
    file
}

#[test]
fn who_has_few_items_is_shown_with_the_reason_and_not_tested() {
    let found = measure_with(&with_little_of_two(), asked).stand_in.unwrap();
    let [ana, _, cy, dee] = &found.comparisons[..] else { panic!("{found:?}") };
    assert_eq!((ana.won, &ana.test.undefined), (Some(false), &None));
    assert_eq!((cy.items, cy.stand_in, cy.won), (29, Some(1.0), None));
    assert_eq!((dee.items, dee.stand_in, dee.won), (0, None, None));
    assert_eq!(cy.test.undefined.as_ref().unwrap().code, "TooFewItems");
    assert_eq!((cy.test.p_value, cy.test.corrected), (None, None));
    // What they would have added to the mean, and been won for, counts in nothing.
    assert_eq!((found.advantage, found.winning_rate), (Some(0.9), Some(0.0)));
    let text = printed(&with_little_of_two(), asked);
    assert!(text.contains("not passed: winning rate ω 0.000 (0 of 2 annotators"), "{text}");
    let note = "not tested, left out of ω and ρ: fewer than 30 items to compare on (Cy, Dee)";
    assert!(text.contains(note), "{text}");
    let (_, part) = text.split_once("as a stand-in").unwrap();
    let row = part.lines().find(|line| line.trim().starts_with("Cy ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["Cy", "29", "1.000", "0.000", "–", "–", "not", "tested"]);
}

#[test]
fn without_two_annotators_of_enough_items_there_is_a_reason() {
    let short = forty().lines().take(30).collect::<Vec<_>>().join("\n");
    for (file, stand_in) in [("A,B\nx,y\ny,y\n", "B"), (&short, "Model")] {
        let ask = |options: &mut Options| options.report.stand_in = Some(stand_in.to_owned());
        let found = measure_with(file, ask).stand_in.unwrap();
        let reason = found.undefined.unwrap();
        assert_eq!((found.passes, reason.code.as_str()), (None, "TooFewAnnotators"));
        let text = printed(file, ask);
        let note = "no value: fewer than two annotators have 30 items to compare on.";
        assert!(text.contains(note) && !text.contains("people have judged"), "{text}");
    }
}

/// Squares of these are infinite.
#[test]
fn numbers_beyond_all_squares_are_compared() {
    let mut file = String::from("item,A,B,C,M\n");
    for item in 0..30 {
        file.push_str(&format!("{item},1e200,-1e200,-1e200,1e200\n"));
    }
    let report = measure_with(&file, |options| {
        options.read.level = Level::Interval;
        options.report.stand_in = Some("M".to_owned());
    });
    let found = report.stand_in.unwrap();
    assert_eq!(
        (found.comparisons[0].stand_in, found.comparisons[0].annotator),
        (Some(1.0), Some(1.0))
    );
}

#[test]
fn annotators_without_a_stand_in_are_refused() {
    let mut options = Options::default();
    options.report.annotators = Some(Annotators::Experts);
    let run = study::command::run(&options, forty().as_bytes(), std::io::sink(), |_| ());
    assert_eq!(run.unwrap_err().to_string(), "--annotators says nothing without --stand-in");
}

#[test]
fn who_is_not_there_and_what_has_no_items_is_refused() {
    let misuse = |file: &str, name: &str| {
        let mut options = Options::default();
        options.report.stand_in = Some(name.to_owned());
        let run = study::command::run(&options, file.as_bytes(), std::io::sink(), |_| ());
        run.unwrap_err().to_string()
    };
    assert_eq!(misuse("A,B\nx,y\ny,y\n", "C"), "there is no rater “C”; there are A, B");
    let units = "rater,start,end,label\nAnn,0,5,NP\nBob,1,5,NP\n";
    assert_eq!(misuse(units, "Ann"), "--stand-in is about items, and a study of units has none");
}
