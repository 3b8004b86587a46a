//! Predictions beside what people said.

use study::command::{Options, Output, run};
use study::predictions::PredictionFile;
use study::read::Level;
use study::report::{Method, PredictionKind, PredictionsBeside};

use crate::{measure_with, printed, words};

/// Four people on irony; Dan has not judged the last.
const STUDY: &str = "item,Ana,Ben,Cy,Dan\n\
                     a,yes,yes,yes,no\n\
                     b,no,no,no,no\n\
                     c,yes,no,yes,\n";

fn file(text: &str) -> PredictionFile {
    PredictionFile { name: "model.csv".to_owned(), bytes: text.as_bytes().to_vec() }
}

fn found(study: &str, predictions: &str, change: impl FnOnce(&mut Options)) -> PredictionsBeside {
    let report = measure_with(study, |options| {
        options.predictions = vec![file(predictions)];
        change(options);
    });
    report.predictions.into_iter().next().unwrap()
}

fn values(found: &PredictionsBeside) -> Vec<(&str, String)> {
    let value = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
    found.measures.iter().map(|it| (it.id.as_str(), value(it.value))).collect()
}

/// (|0.5 − 0.75| · 2 + 0 + |1 − 2/3| · 2) / 3, and the logarithms.
#[test]
fn a_distribution_is_held_against_that_of_the_people() {
    let predictions = "item,label,probability\na,yes,0.5\na,no,0.5\nb,no,1\nc,no,0\nc,yes,1.0\n";
    // Three items are too few for an interval of 95 %.
    let found = found(STUDY, predictions, |options| options.report.confidence = 0.5);
    assert_eq!((found.kind, found.items, found.not_predicted), (PredictionKind::Soft, 3, 0));
    let entropy = (2_f64.ln() + 20.722_266 / 3.0) / 3.0;
    let expected =
        [("manhattan_distance", "0.3889".to_owned()), ("cross_entropy", format!("{entropy:.4}"))];
    assert_eq!(values(&found), expected);
    let interval = found.measures[0].interval.as_ref().unwrap();
    assert_eq!((interval.method, interval.resamples), (Method::Bootstrap, Some(50)));
    assert!(interval.lower <= 0.389 && 0.388 <= interval.upper);
}

#[test]
fn lines_of_json_are_the_same_as_a_table() {
    let table = found(STUDY, "item,label,probability\na,yes,0.5\na,no,0.5\nc,yes,1\n", |_| ());
    let lines = found(
        STUDY,
        "{\"item\":\"a\",\"text\":\"so\",\"soft_label\":{\"yes\":0.5,\"no\":0.5},\"people\":4}\r\n\
         \n{\"item\":\"c\",\"soft_label\":{\"yes\":1}}\n",
        |_| (),
    );
    assert_eq!(table, lines);
    assert_eq!((lines.items, lines.not_predicted), (2, 1));
    let table = found(STUDY, "item,rater,label\na,Ana,yes\na,Dan,yes\n", |_| ());
    let lines = "{\"item\":\"a\",\"rater\":\"Ana\",\"label\":\"yes\"}\n\
                 {\"item\":\"a\",\"rater\":\"Dan\",\"label\":\"yes\"}";
    assert_eq!(table, found(STUDY, lines, |_| ()));
}

/// Of a two of four are wrong, of b none of two; what Dan says of c nobody knows.
#[test]
fn what_each_person_says_is_held_against_what_they_said() {
    let predictions = "item,rater,label\na,Ana,yes\na,Ben,no\na,Cy,yes\na,Dan,yes\n\
                       b,Ana,no\nb,Ben,no\nc,Dan,yes\n";
    let found = found(STUDY, predictions, |_| ());
    assert_eq!((found.kind, found.answers), (PredictionKind::Perspectives, Some(6)));
    assert_eq!((found.items, found.not_predicted, found.points), (2, 1, None));
    assert_eq!(values(&found), [("error_rate", "0.2500".to_owned())]);
}

/// Sarcasm from 1 to 6; `1` and `1.0` are one.
#[test]
fn on_a_scale_it_counts_how_far_away_a_prediction_is() {
    let study = "item,Ana,Ben\nx,1,5\ny,6,6\n";
    let scale = |options: &mut Options| {
        options.read.level = Level::Interval;
        options.read.categories = words(&["1", "2", "3", "4", "5", "6"]);
    };
    let soft = "item,label,p\nx,2.0,0.5\nx,4,0.5\ny,1.0,1\n";
    let soft = found(study, soft, scale);
    assert_eq!(values(&soft)[2], ("wasserstein_distance", "3.0000".to_owned()));
    let each = found(study, "item,rater,label\nx,Ana,3\nx,Ben,5\ny,Ana,1\ny,Ben,6\n", scale);
    assert_eq!(each.points, Some(6.0));
    // (1 + 2.5) / 2 / 6.
    assert_eq!(values(&each)[1], ("normalised_absolute_distance", "0.2917".to_owned()));
}

#[test]
fn it_is_printed_and_written_as_html() {
    let ask = |options: &mut Options| {
        options.predictions = vec![file("item,label,probability\na,yes,0.5\na,no,0.5\nb,no,1\n")];
    };
    let text = printed(STUDY, ask);
    assert!(text.contains("Predictions of model.csv (distributions, 2 items)"), "{text}");
    assert!(text.contains("not predicted: 1 item."), "{text}");
    let row = text.lines().find(|line| line.contains("Manhattan distance")).unwrap();
    assert!(row.split_whitespace().any(|cell| cell == "0.250"), "{row}");
    let html = printed(STUDY, |options| {
        ask(options);
        options.output = Output::Html;
    });
    assert!(html.contains("Manhattan distance") && html.contains("model.csv"));
}

#[test]
fn what_is_wrong_is_named_by_file_line_and_field() {
    let refusal = |predictions: &str| {
        let options = Options { predictions: vec![file(predictions)], ..Options::default() };
        let run = run(&options, STUDY.as_bytes(), std::io::sink(), |_| ());
        run.map(|_| ()).unwrap_err().to_string()
    };
    let head = "item,label,probability\n";
    for (predictions, words) in [
        ("a,yes,0.5\nz,yes,1\n", "line 3, column 1: “z” is not an item of the study"),
        (
            "a,yes,-0.5\n",
            "line 2, column 7: “-0.5” is not a probability; expected a number from 0 to 1",
        ),
        (
            "a,yes,much\n",
            "line 2, column 7: “much” is not a probability; expected a number from 0 to 1",
        ),
        (
            "a,maybe,1\n",
            "line 2, column 3: “maybe” is not a category of the study; declare it with --categories",
        ),
        (
            "b,no,1\na,yes,0.5\na,no,0.4\n",
            "line 3, column 7: the probabilities of “a” add up to 0.9000; expected 1",
        ),
        ("a,yes,0.5\na,yes,0.5\n", "line 3, column 3: “yes” is predicted twice for “a”"),
        ("a,,0.5\n", "line 2, column 3: the category is missing; expected one on every line"),
        ("a,yes\n", "line 2, column 3: there are 2 columns; expected 3, as in line 1"),
        ("", "there is no prediction; expected a line for each"),
    ] {
        let expected = format!("model.csv: {words}");
        let found = refusal(&format!("{head}{predictions}"));
        assert_eq!(found, expected);
    }
    for (predictions, words) in [
        ("item,rater,label\na,Eva,yes\n", "line 2, column 3: “Eva” is not a rater of the study"),
        (
            "item,probability\na,1\n",
            "line 1, column 1: expected the columns item, category and probability, or item, rater and category, \
             by these names",
        ),
        ("{\"item\":\"a\",\n", "line 1, column 12: this is not a JSON object: "),
        (
            "{\"item\":\"a\",\"soft_label\":{\"yes\":1.5}}",
            "line 1, column 13: “1.5” is not a probability; expected a number from 0 to 1",
        ),
        (
            "{\"item\":\"a\",\"label\":\"yes\"}",
            "line 1, column 2: expected the fields item and soft_label, or item, rater and label",
        ),
        (
            "{\"rater\":\"Ana\"}",
            "line 1, column 1: the item is missing; expected one on every line",
        ),
        (
            "{\"item\":\"b\",\"soft_label\":{\"no\":1}}\n{\"item\":\"a\",\"rater\":\"Ana\",\"label\":\"yes\"}",
            "line 2, column 13: this is a prediction of another kind; expected one kind in a file",
        ),
    ] {
        let found = refusal(predictions);
        assert!(found.starts_with(&format!("model.csv: {words}")), "{found}");
    }
}

#[test]
fn what_has_no_items_or_several_of_a_name_is_refused() {
    let refusal = |study: &str, predictions: &str| {
        let options = Options { predictions: vec![file(predictions)], ..Options::default() };
        run(&options, study.as_bytes(), std::io::sink(), |_| ()).unwrap_err().to_string()
    };
    let units = "rater,start,end,label\nAnn,0,5,NP\nBob,1,5,NP\n";
    let none = "--predictions is about items, and a study of units has none";
    assert_eq!(refusal(units, "item,label,p\n1,NP,1\n"), none);
    let twice = "item,Ana,Ben\na,x,y\na,y,y\n";
    let several = "model.csv: line 2, column 1: several items of the study are called “a”; expected a name of its own for each";
    assert_eq!(refusal(twice, "item,label,p\na,x,1\n"), several);
}
