//! Consensus of a study in a file.

use agreement::consensus::{DawidSkene, Votes};
use study::read::Data;
use study::report::{Consensus, ConsensusMethod};

use crate::published::FOUR_OBSERVERS;
use crate::{measure_with, printed, understood};

/// Items are in sequences, if they have to be, as a column `text` says.
fn consensus(file: &str, method: ConsensusMethod) -> Consensus {
    let report = measure_with(file, |options| {
        options.report.consensus = Some(method);
        options.read.sequence = method.needs_sequences().then(|| "text".to_owned());
    });
    report.consensus.unwrap()
}

#[test]
fn every_item_has_its_category_also_those_that_are_not_listed() {
    let report = measure_with(FOUR_OBSERVERS, |options| {
        options.report.consensus = Some(ConsensusMethod::Majority);
        options.report.top = 1;
    });
    let found = report.consensus.unwrap();
    let categories: Vec<_> =
        found.items.iter().map(|item| item.category.as_deref().unwrap()).collect();
    assert_eq!(categories, ["1", "2", "3", "3", "2", "1", "4", "1", "2", "5", "1", "3"]);
    assert_eq!(found.items[5].tied, ["1", "2", "3", "4"]);
    assert!(found.items[0].tied.is_empty());
    assert_eq!((found.items[1].probability, found.items[1].ratings), (Some(0.75), 4));
    assert_eq!(found.raters[3].ratings, 11);
    assert!(found.learning.is_none() && found.raters[0].confusion.is_none());
}

#[test]
fn what_is_reported_is_what_the_model_learns() {
    let found = consensus(FOUR_OBSERVERS, ConsensusMethod::DawidSkene);
    let study = understood(FOUR_OBSERVERS, &study::read::Options::default());
    let Data::Coding(ratings) = &study.data else { panic!("{study:?}") };
    let fit = DawidSkene::default().fit(&Votes::from(ratings)).unwrap();
    let confusions: Vec<_> = found.raters.into_iter().filter_map(|rater| rater.confusion).collect();
    assert_eq!(confusions, fit.confusions);
    assert_eq!(found.marginals, Some(fit.marginals));
    for (place, item) in found.items.iter().enumerate() {
        assert_eq!(Some(item.probabilities.as_slice()), fit.labels.item(place));
    }
}

#[test]
fn the_seed_is_that_of_mace() {
    let with = |seed| {
        let report = measure_with(FOUR_OBSERVERS, |options| {
            options.report.consensus = Some(ConsensusMethod::Mace);
            options.report.seed = seed;
        });
        report.consensus.unwrap()
    };
    assert_eq!(with(5), with(5));
    assert_ne!(with(5), with(6));
    let competence = |rater: usize| with(5).raters[rater].competence.unwrap();
    // Observer C differs from the others, who agree.
    assert!([0, 1, 3].into_iter().all(|rater| competence(rater) > competence(2)));
}

#[test]
fn nobody_s_items_have_no_category_and_names_are_kept() {
    let file = "item,text,A,B\nfirst,1,x,y\nsecond,1,,\nthird,1,y,y\n";
    for method in ConsensusMethod::ALL {
        let found = consensus(file, *method);
        let names: Vec<_> = found.items.iter().map(|item| item.item.as_str()).collect();
        assert_eq!(names, ["first", "second", "third"]);
        assert_eq!((&found.items[1].category, found.items[1].probability), (&None, None));
        assert!(found.items[1].probabilities.is_empty());
        assert_eq!(found.items[2].category.as_deref(), Some("y"));
    }
    let nothing = consensus("A,B\nNA,NA\nNA,NA\n", ConsensusMethod::DawidSkene);
    assert_eq!(nothing.undefined.unwrap().code, "NoSharedPositions");
}

#[test]
fn nothing_is_known_of_who_has_rated_nothing() {
    let file = "item,text,A,B,C\n1,1,x,y,NA\n2,1,y,y,NA\n3,2,x,x,NA\n";
    for method in ConsensusMethod::ALL {
        let found = consensus(file, *method);
        let [first, .., last] = &found.raters[..] else { panic!("{found:?}") };
        assert!(first.accuracy.is_some() && last.ratings == 0);
        assert_eq!((last.accuracy, last.competence), (None, None));
        assert_eq!((&last.strategy, &last.confusion), (&None, &None));
    }
}

#[test]
fn one_category_is_a_consensus_that_tells_nothing_of_competence() {
    let file = "item,A,B\n1,x,x\n2,x,x\n";
    for method in [ConsensusMethod::Majority, ConsensusMethod::DawidSkene] {
        let found = consensus(file, method);
        assert_eq!((found.items[0].probability, found.raters[0].accuracy), (Some(1.0), Some(1.0)));
    }
    let undefined = consensus(file, ConsensusMethod::Mace).undefined;
    let undefined = undefined.unwrap();
    assert_eq!(undefined.code, "NothingToGuess");
    assert!(undefined.text.contains("guess") && !undefined.text.contains("chance"));
}

#[test]
fn units_and_tables_of_counts_have_no_items() {
    for (file, words) in [
        ("rater,start,end,label\nAnn,0,5,NP\nBob,1,5,NP\n", "a study of units"),
        (",x,y\nx,5,1\ny,2,7\n", "a contingency table"),
    ] {
        let mut options = study::command::Options::default();
        options.report.consensus = Some(ConsensusMethod::Majority);
        let error = study::command::run(&options, file.as_bytes(), Vec::new(), |_| ()).unwrap_err();
        assert_eq!(error.to_string(), format!("--consensus is about items, and {words} has none"));
    }
}

#[test]
fn unrated_items_are_not_among_the_least_certain() {
    let mut file = String::from("item,A,B\n");
    for item in 0..30 {
        let ratings = if item < 25 {
            ","
        } else if item == 27 {
            "x,y"
        } else {
            "x,x"
        };
        file.push_str(&format!("{item},{ratings}\n"));
    }
    let text = printed(&file, |options| {
        options.report.consensus = Some(ConsensusMethod::Majority);
        options.report.top = 20;
    });
    let (_, part) =
        text.split_once("Consensus: Majority, least certain first (5 of 30)\n").unwrap();
    let items = part.lines().skip(1).map_while(|line| line.split_whitespace().next());
    assert_eq!(items.take(5).collect::<Vec<_>>(), ["27", "25", "26", "28", "29"]);
    assert!(part.contains("not listed, as nobody has rated them: 25 items."), "{text}");
}

/// A matrix for each of 2,100 categories is more than there is room for.
#[test]
fn more_than_can_be_learned_from_says_so() {
    let mut file = String::from("item,A,B\n");
    for item in 0..2_100 {
        file.push_str(&format!("{item},{item},{item}\n"));
    }
    let report = measure_with(&file, |options| {
        options.report.consensus = Some(ConsensusMethod::DawidSkene);
        options.report.measures = vec!["percent".to_owned()];
    });
    let undefined = report.consensus.unwrap().undefined.unwrap();
    assert_eq!(undefined.code, "TooMuchToLearn");
    assert_eq!(undefined.text, "there are too many raters, items or categories to learn from");
}
