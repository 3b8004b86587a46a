//! A rater beside the others: may it stand in for them?

use study::command::Options;
use study::read::Level;
use study::report::{Annotators, StandInScore, StandInTest};

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
            format!(
                "{} {} {:.2} {:.2} {:.5}",
                it.rater, it.items, it.stand_in, it.annotator, it.p_value
            )
        })
        .collect();
    assert_eq!(
        beside,
        ["Ana 40 0.90 1.00 0.50000", "Bo 40 0.90 1.00 0.50000", "Cy 40 0.90 0.75 0.00475"]
    );
    assert!(found.comparisons.iter().all(|it| it.test == StandInTest::StudentT));
    assert_eq!((found.winning_rate, found.passes), (Some(1.0 / 3.0), Some(false)));
    // Experts cost more: a stand-in may be worse by more.
    let among_experts = measure_with(&forty(), |options| {
        asked(options);
        options.report.annotators = Annotators::Experts;
    });
    assert_eq!(among_experts.stand_in.unwrap().passes, Some(true));
}

#[test]
fn numbers_are_compared_by_how_far_apart_they_are() {
    let file = "item,A,B,C,M\n1,2,2,2,3\n2,5,9,5,5\n";
    for (level, score) in [
        (Level::Nominal, StandInScore::ShareAlike),
        (Level::Ordinal, StandInScore::ShareAlike),
        (Level::Interval, StandInScore::NegativeRmse),
        (Level::Ratio, StandInScore::NegativeRmse),
    ] {
        let report = measure_with(file, |options| {
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
    let short = forty().lines().take(9).collect::<Vec<_>>().join("\n");
    let text = printed(&short, |options| {
        asked(options);
        options.read.raters = ["Ana", "Bo", "Model"].map(str::to_owned).to_vec();
    });
    assert!(text.contains("fewer than 3 annotators"), "{text}");
    assert!(text.contains("fewer than 30 items: few can be won (Ana, Bo)"), "{text}");
    assert!(text.contains("Wilcoxon"), "{text}");
    assert!(!printed(&forty(), |_| ()).contains("stand-in"));
}

#[test]
fn without_two_others_there_is_a_reason() {
    let report = measure_with("A,B\nx,y\ny,y\n", |options| {
        options.report.stand_in = Some("B".to_owned());
    });
    let found = report.stand_in.unwrap();
    assert_eq!((found.passes, found.undefined.unwrap().code.as_str()), (None, "TooFewRaters"));
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
