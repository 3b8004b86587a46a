//! The anaesthetists of Dawid and Skene (1979), by maximum likelihood.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

mod anaesthesia;

use agreement::consensus::{DawidSkene, majority_vote};

fn rounded(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{number:.2}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn dawid_skene_1979_class_marginals() {
    let fit = DawidSkene::default().fit(&anaesthesia::votes()).unwrap();
    assert!(fit.converged);
    assert_eq!(rounded(&fit.marginals), "0.40 0.42 0.11 0.07");
}

/// Each row is a true class. An independent program of the paper's equations gives the same.
#[test]
fn dawid_skene_1979_error_rates_of_each_observer() {
    let fit = DawidSkene::default().fit(&anaesthesia::votes()).unwrap();
    let expected = [
        [
            "0.89 0.11 0.00 0.00",
            "0.07 0.88 0.05 0.00",
            "0.00 0.34 0.66 0.00",
            "0.00 0.00 0.56 0.44",
        ],
        [
            "0.83 0.17 0.00 0.00",
            "0.05 0.63 0.31 0.00",
            "0.00 0.00 1.00 0.00",
            "0.00 0.00 0.00 1.00",
        ],
        [
            "1.00 0.00 0.00 0.00",
            "0.11 0.79 0.11 0.00",
            "0.00 0.40 0.20 0.40",
            "0.00 0.00 0.67 0.33",
        ],
        [
            "0.94 0.06 0.00 0.00",
            "0.05 0.84 0.10 0.00",
            "0.00 0.00 0.80 0.20",
            "0.00 0.00 0.33 0.67",
        ],
        [
            "1.00 0.00 0.00 0.00",
            "0.16 0.73 0.11 0.00",
            "0.00 0.21 0.79 0.00",
            "0.00 0.00 0.33 0.67",
        ],
    ];
    let found: Vec<Vec<String>> = fit
        .confusions
        .iter()
        .map(|matrix| matrix.iter().map(|row| rounded(row)).collect())
        .collect();
    assert_eq!(found, expected);
    assert_eq!(format!("{:.4}", fit.log_likelihood), "-192.8909");
}

#[test]
fn dawid_skene_1979_patients_of_whom_the_class_is_not_certain() {
    let fit = DawidSkene::default().fit(&anaesthesia::votes()).unwrap();
    let doubtful: Vec<(usize, char, String)> = (0..fit.labels.items())
        .filter_map(|item| {
            let choice = fit.labels.choice(item)?;
            let probability = format!("{:.3}", choice.probability);
            (choice.probability < 0.99).then_some((item + 1, *choice.category, probability))
        })
        .collect();
    let expected = [(7, '1', "0.981"), (35, '2', "0.948"), (38, '3', "0.979")];
    assert_eq!(doubtful, expected.map(|(item, class, p)| (item, class, p.to_owned())));
    // Against the majority of patient 2: the second observer never takes another class for a 4.
    let class = |patient: usize| *fit.labels.choice(patient - 1).unwrap().category;
    assert_eq!((class(2), class(3), class(36)), ('4', '2', '4'));
}

#[test]
fn majority_and_ties_of_the_anaesthetists() {
    let labels = majority_vote(&anaesthesia::votes()).unwrap();
    let choice = labels.choice(1).unwrap();
    assert_eq!((*choice.category, choice.tied.len()), ('3', 1));
    assert!((choice.probability - 5.0 / 7.0).abs() < 1e-12);
    let tied: Vec<usize> = (0..labels.items())
        .filter(|&item| labels.choice(item).unwrap().tied.len() > 1)
        .map(|item| item + 1)
        .collect();
    assert_eq!(tied, [12]);
    let tied = labels.choice(11).unwrap();
    assert_eq!((*tied.category, tied.tied), ('2', vec![&'2', &'3']));
}

#[test]
fn priors_keep_probabilities_from_zero_and_one() {
    let model = DawidSkene { marginal_prior: 1.0, confusion_prior: 0.5, ..DawidSkene::default() };
    let fit = model.fit(&anaesthesia::votes()).unwrap();
    let cells = fit.confusions.iter().flatten().flatten();
    assert!(cells.chain(&fit.marginals).all(|&cell| cell > 0.0 && cell < 1.0));
    let (least, most) = (1.0 / 49.0, 46.0 / 49.0);
    assert!(fit.marginals.iter().all(|marginal| (least..most).contains(marginal)));
    let plain = DawidSkene::default().fit(&anaesthesia::votes()).unwrap();
    assert!(fit.log_likelihood < plain.log_likelihood);
}
