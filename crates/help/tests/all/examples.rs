//! What the examples say is what comes out: every number below a table is measured again.
//!
//! A block of code says in its first word what it holds: `study`, a table as `concord measure` reads it, or with
//! `times` one whose first column says how many items a line is; `spans`, the spans of two raters of one document,
//! whose tokens are what `Text` has; `sets`, sets of labels by `+`; `segments`, the lengths of segments, a division a
//! line. `values` are the measures of the table before it, at a level if one is named, with a rater beside the others
//! (`values stand-in Model`, `values gold Gold`), or in sequences (`values sequence sentence`). `predictions` are of the
//! study before them.

use agreement::{
    Distance, Item, Jaccard, Masi, Nominal, Policy, Segmentation, Span, boundary_similarity,
    cohen_kappa, compare, judgements, krippendorff_alpha, overlap_tally, pk,
    segmentation_similarity, token_tally, window_diff,
};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use study::command::run;
use study::predictions::PredictionFile;
use study::report::{AgainstGold, Consensus, ConsensusMethod, RetrievalOf, StandIn, TrueInterval};

use crate::book::{below, root};

/// What is known of a measure of an example.
#[derive(Clone, Debug, Default)]
struct Known {
    value: Option<f64>,
    observed: Option<f64>,
    expected: Option<f64>,
    interval: Option<(f64, f64)>,
    undefined: Option<String>,
}

impl From<f64> for Known {
    fn from(value: f64) -> Self {
        Self { value: Some(value), ..Self::default() }
    }
}

/// Blocks of code of a page: their words, and what they hold.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(words))) => {
                open = Some((words.to_string(), String::new()));
            }
            Event::Text(text) => {
                if let Some((_, held)) = &mut open {
                    held.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// All measures of a table, by name.
fn measured(kind: &str, table: &str, words: &str, predictions: &str) -> BTreeMap<String, Known> {
    match kind {
        "study" => of_study(table, words, predictions),
        "spans" => of_spans(table),
        "sets" => of_sets(table),
        "segments" => of_segments(table),
        other => panic!("what is a table of {other}?"),
    }
}

/// A table with a line for each item, of one whose lines begin with how many they are.
fn each_item(table: &str) -> String {
    let (head, lines) = table.split_once('\n').unwrap();
    let (_, raters) = head.split_once(',').unwrap();
    let lines = lines.lines().map(|line| line.split_once(',').unwrap());
    let items = lines.flat_map(|(times, said)| std::iter::repeat_n(said, times.parse().unwrap()));
    let items = items.enumerate().map(|(item, said)| format!("\n{item},{said}"));
    format!("item,{raters}{}\n", items.collect::<String>())
}

fn of_study(table: &str, words: &str, predictions: &str) -> BTreeMap<String, Known> {
    let mut options = study::command::Options::default();
    let mut words = words.split(' ');
    while let Some(word) = words.next() {
        let mut named = || Some(words.next().unwrap().to_owned());
        match word {
            "stand-in" => options.report.stand_in = named(),
            "gold" => options.report.gold = named(),
            "sequence" => options.read.sequence = named(),
            "" => {}
            level => options.read.level = level.parse().unwrap(),
        }
    }
    if table.starts_with("rater,start") {
        options.read.continuum = Some((0, 50));
    }
    options.report.resamples = Some(10);
    if !predictions.is_empty() {
        let (name, bytes) = ("predictions".to_owned(), predictions.as_bytes().to_vec());
        options.predictions = vec![PredictionFile { name, bytes }];
    }
    let report = run(&options, table.as_bytes(), Vec::new(), |_| ()).unwrap().report;
    let predicted = report.predictions.into_iter().flat_map(|file| file.measures);
    let of_all = report.measures.into_iter().chain(predicted);
    let of_all = of_all.filter(|it| it.category.is_none());
    let measures = of_all.map(|it| {
        let interval = it.interval.map(|interval| (interval.lower, interval.upper));
        let undefined = it.undefined.map(|reason| reason.text);
        let (value, observed, expected) = (it.value, it.observed, it.expected);
        (it.name, Known { value, observed, expected, interval, undefined })
    });
    let shares = report.true_agreement.into_iter().flat_map(|it| {
        let of = |name: &str, shares: TrueInterval| {
            let interval = shares.lower.zip(shares.upper);
            let undefined = shares.undefined.map(|reason| reason.text);
            let name = format!("True agreement on {}, {name}", it.category);
            (name, Known { interval, undefined, ..Known::default() })
        };
        [of("homogeneity", it.homogeneity), of("conservative", it.conservative)]
    });
    let consensus = ConsensusMethod::ALL.iter().flat_map(|method| {
        let mut options = options.clone();
        options.report.consensus = Some(*method);
        // Units have none.
        let report = run(&options, table.as_bytes(), Vec::new(), |_| ()).map(|run| run.report).ok();
        report.into_iter().flat_map(|report| {
            let categories = &report.understood.categories;
            let learned = report.consensus.iter().flat_map(|it| of_consensus(it, categories));
            let against = report.gold.iter().flat_map(|it| of_consensus_against(it, *method));
            learned.chain(against).collect::<Vec<_>>()
        })
    });
    let gold = report.gold.iter().flat_map(of_gold);
    let stand_in = report.stand_in.iter().flat_map(of_stand_in);
    let beside = consensus.chain(gold).chain(stand_in);
    let beside = beside.map(|(name, value)| (name, Known { value, ..Known::default() }));
    measures.chain(shares).chain(beside).collect()
}

/// What a way to a consensus says of items and raters.
fn of_consensus(consensus: &Consensus, categories: &[String]) -> Vec<(String, Option<f64>)> {
    let mut found = Vec::new();
    let name = consensus.method.name();
    for item in &consensus.items {
        for (category, probability) in categories.iter().zip(&item.probabilities) {
            found.push((format!("{name}, {} is {category}", item.item), Some(*probability)));
        }
    }
    for rater in &consensus.raters {
        let who = &rater.name;
        found.push((format!("{name}, accuracy of {who}"), rater.accuracy));
        found.push((format!("{name}, competence of {who}"), rater.competence));
        for (truth, row) in categories.iter().zip(rater.confusion.iter().flatten()) {
            for (said, cell) in categories.iter().zip(row) {
                found.push((format!("{name}, {who} says {said} of {truth}"), Some(*cell)));
            }
        }
    }
    for (category, share) in categories.iter().zip(consensus.starts.iter().flatten()) {
        found.push((format!("{name}, {category} first"), Some(*share)));
    }
    for (before, row) in categories.iter().zip(consensus.transitions.iter().flatten()) {
        for (after, cell) in categories.iter().zip(row) {
            found.push((format!("{name}, {after} after {before}"), Some(*cell)));
        }
    }
    for (category, share) in categories.iter().zip(consensus.marginals.iter().flatten()) {
        found.push((format!("{name}, share of {category}"), Some(*share)));
    }
    found
}

/// What others come to against one who is right.
fn of_gold(gold: &AgainstGold) -> Vec<(String, Option<f64>)> {
    let mut found = Vec::new();
    for model in &gold.models {
        for label in &model.labels {
            let shares =
                [("Precision", &label.precision), ("Recall", &label.recall), ("F1", &label.f1)];
            found.extend(shares.map(|(measure, share)| {
                (format!("{measure} of {}, {}", label.category, model.rater), share.value)
            }));
        }
    }
    for pair in &gold.pairs {
        let names = format!("{} and {}", pair.first, pair.second);
        found.push((format!("McNemar's p, {names}"), pair.mcnemar.p_value));
        found.push((format!("Difference in F1, {names}"), pair.f1_difference));
    }
    found
}

/// What a consensus comes to against one who is right.
fn of_consensus_against(gold: &AgainstGold, method: ConsensusMethod) -> Vec<(String, Option<f64>)> {
    let of_method = gold.consensus.iter().filter(|one| one.method == method);
    let found = of_method.flat_map(|one| {
        let name = method.name();
        let f1 = |found: &Option<RetrievalOf>| found.as_ref().and_then(|it| it.f1.value);
        [
            (format!("{name}, accuracy against {}", gold.rater), one.accuracy),
            (format!("{name}, F1 of tokens"), f1(&one.tokens)),
            (format!("{name}, F1 of spans"), f1(&one.spans)),
        ]
    });
    found.collect()
}

/// What the alternative annotator test says of a stand-in.
fn of_stand_in(stand_in: &StandIn) -> Vec<(String, Option<f64>)> {
    let rates = [("Winning rate ω", stand_in.winning_rate), ("Advantage ρ", stand_in.advantage)];
    let rates = rates.map(|(name, value)| (name.to_owned(), value));
    let corrected = stand_in
        .comparisons
        .iter()
        .map(|one| (format!("Corrected p for {}", one.rater), one.test.corrected));
    rates.into_iter().chain(corrected).collect()
}

/// The lines of a table without its head, cut into fields.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|line| line.split(',').collect())
}

fn of_spans(table: &str) -> BTreeMap<String, Known> {
    let mut raters: BTreeMap<&str, BTreeMap<(u64, u64), &str>> = BTreeMap::new();
    for row in rows(table) {
        let [rater, start, end, label] = row[..] else { panic!("{row:?}") };
        let range = (start.parse().unwrap(), end.parse().unwrap());
        raters.entry(rater).or_default().insert(range, label);
    }
    let tokens: Vec<_> = raters.remove("Text").unwrap_or_default().into_keys().collect();
    let raters: Vec<_> = raters.into_values().collect();
    let [first, second] = &raters[..] else { panic!("two raters") };
    let kappa = |policy| cohen_kappa(&compare(first, second, policy, &"").table).unwrap().value;
    let [one, other] = [first, second].map(|said| {
        judgements(said.iter().map(|(&(start, end), &label)| Span { start, end, label }))
    });
    let by_token = cohen_kappa(&token_tally(&one, &other, &tokens).table);
    let by_overlap = overlap_tally(&one, &other, Policy::EmptyLabel);
    let by_overlap = by_overlap.and_then(|tally| cohen_kappa(&tally.table));
    [
        ("left out", kappa(Policy::Cleaned)),
        ("counted", kappa(Policy::EmptyLabel)),
        ("by token", by_token.map_or(f64::NAN, |kappa| kappa.value)),
        ("by overlap", by_overlap.map_or(f64::NAN, |kappa| kappa.value)),
    ]
    .map(|(name, kappa)| (format!("Cohen's κ, {name}"), kappa.into()))
    .into()
}

fn of_sets(table: &str) -> BTreeMap<String, Known> {
    let set = |field: &str| field.split('+').map(str::to_owned).collect::<BTreeSet<_>>();
    let mut tally = agreement::CoincidenceTally::new();
    for row in rows(table) {
        tally.add(&row[1..].iter().map(|field| set(field)).collect::<Item<_>>()).unwrap();
    }
    let alpha = |distance: &dyn Fn(&BTreeSet<String>, &BTreeSet<String>) -> f64| {
        Known::from(krippendorff_alpha(&tally, &|a: &_, b: &_| distance(a, b)).unwrap().value)
    };
    BTreeMap::from([
        ("α (nominal)".to_owned(), alpha(&|a, b| Nominal.between(a, b))),
        ("α (Jaccard)".to_owned(), alpha(&|a, b| Jaccard.between(a, b))),
        ("α (MASI)".to_owned(), alpha(&|a, b| Masi.between(a, b))),
    ])
}

fn of_segments(table: &str) -> BTreeMap<String, Known> {
    let divisions: Vec<_> = table
        .lines()
        .map(|line| {
            let masses = line.split(' ').map(|mass| mass.parse::<u64>().unwrap());
            Segmentation::from_masses(masses).unwrap()
        })
        .collect();
    let [first, second] = &divisions[..] else { panic!("two divisions") };
    BTreeMap::from([
        ("Boundary similarity".to_owned(), boundary_similarity(first, second, 2).unwrap().into()),
        (
            "Segmentation similarity".to_owned(),
            segmentation_similarity(first, second, 2).unwrap().into(),
        ),
        ("WindowDiff".to_owned(), window_diff(first, second).unwrap().into()),
        ("Pk".to_owned(), pk(first, second).unwrap().into()),
    ])
}

/// A measure as a page writes it, with as much of it as the page says.
fn written(name: &str, known: &Known, line: &str) -> String {
    if let Known { value: None, interval: Some((lower, upper)), .. } = known {
        return format!("{name}: {lower:.3} to {upper:.3}");
    }
    let number = |number: Option<f64>| number.map_or("none".to_owned(), |it| format!("{it:.3}"));
    if let Some(reason) = &known.undefined {
        return format!("{name}: {reason}");
    }
    let mut details = Vec::new();
    if line.contains("observed") {
        details.push(format!("observed {}", number(known.observed)));
        details.push(format!("expected {}", number(known.expected)));
    }
    if line.contains("95 %") {
        let (lower, upper) = known.interval.unwrap();
        details.push(format!("95 % {lower:.3} to {upper:.3}"));
    }
    let value = number(known.value);
    if details.is_empty() {
        format!("{name} = {value}")
    } else {
        format!("{name} = {value} ({})", details.join(", "))
    }
}

#[test]
fn every_number_below_a_table_is_what_it_comes_to() {
    let folder = root().join("docs/measures");
    let (mut tables, mut values) = (0, 0);
    let mut wrong = Vec::new();
    for file in below(&folder) {
        let page = fs::read_to_string(folder.join(&file)).unwrap();
        let mut table: Option<(String, String)> = None;
        let mut predictions = String::new();
        for (words, held) in blocks(&page) {
            let (kind, level) = words.split_once(' ').unwrap_or((&words, ""));
            if kind == "predictions" {
                predictions = held;
                continue;
            }
            if kind != "values" {
                predictions.clear();
                tables += 1;
                let held = if level == "times" { each_item(&held) } else { held };
                table = Some((kind.to_owned(), held));
                continue;
            }
            let (kind, table) = table.as_ref().unwrap_or_else(|| panic!("{file}: of what?"));
            let known = measured(kind, table, level, &predictions);
            for line in held.lines() {
                let name = line.split(" = ").next().unwrap().split(": ").next().unwrap();
                let is = known.get(name).map(|known| written(name, known, line));
                if is.as_deref() != Some(line) {
                    wrong.push(format!("{file}: {line}\n    is {is:?}"));
                }
                values += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tables >= 8 && values >= 40, "{tables} tables, {values} values");
}

#[test]
fn what_is_wrong_is_found() {
    let known = of_study("item,A,B\n1,x,x\n2,x,x\n", "", "");
    let kappa = &known["Cohen's κ"];
    let line = "Cohen's κ: only one category was used, so agreement cannot be told from chance";
    assert_eq!(written("Cohen's κ", kappa, line), line);
    assert_ne!(
        written("Percentage agreement", &known["Percentage agreement"], ""),
        "Percentage agreement = 0.999"
    );
}
