//! What is understood of a file that is right, however it is written.

use study::read::{Data, Delimiter, Form, Header, Kind, Level, Missing, Options};

use crate::{measure, refusal, rounded, understood, words};

fn ratings(file: &str, options: &Options) -> Vec<Vec<Option<String>>> {
    let study = understood(file, options);
    let Data::Coding(ratings) = &study.data else { panic!("units") };
    let name = |code: Option<&u32>| {
        code.map(|&code| study.understood.categories[usize::try_from(code).unwrap()].clone())
    };
    (0..ratings.items()).map(|item| ratings.item(item).map(name).collect()).collect()
}

fn plain(file: &str) -> Vec<Vec<Option<String>>> {
    ratings(file, &Options::default())
}

#[test]
fn line_ends_marks_and_blank_lines_change_nothing() {
    let file = "item,A,B\n1,x,y\n2,y,y\n3,x,x\n";
    let expected = plain(file);
    assert_eq!(expected.len(), 3);
    assert_eq!(plain(&file.replace('\n', "\r\n")), expected);
    assert_eq!(plain(&file.replace('\n', "\r")), expected);
    assert_eq!(plain(&file.replace('\n', "\n\n")), expected);
    assert_eq!(plain(&format!("\u{feff}{file}")), expected);
    assert_eq!(plain(file.trim_end()), expected);
    assert_eq!(plain(&file.replace(',', " , ")), expected);
}

#[test]
fn delimiters_are_detected() {
    let file = "item,A,B\n1,x,y\n2,y,y\n";
    for (sign, delimiter) in
        [(",", Delimiter::Comma), (";", Delimiter::Semicolon), ("\t", Delimiter::Tab)]
    {
        let study = understood(&file.replace(',', sign), &Options::default());
        assert_eq!(study.understood.delimiter, delimiter);
        assert!(study.understood.delimiter_detected);
    }
    let pipe = Options { delimiter: Some(Delimiter::Pipe), ..Options::default() };
    assert_eq!(ratings(&file.replace(',', "|"), &pipe), plain(file));
    // Numbers with decimal commas between semicolons.
    let study = understood("1,5;2,5\n1,5;1,5\n", &Options::default());
    assert_eq!(study.understood.delimiter, Delimiter::Semicolon);
}

#[test]
fn headers_are_detected() {
    for (file, header) in [
        ("item,A,B\n1,x,y\n", Header::KnownNames),
        ("A,B\nx,y\ny,y\n", Header::NeverAgain),
        ("x,y\nx,x\ny,y\n", Header::ComesAgain),
        ("0,1\n1,1\n", Header::NumberInFirst),
        ("x,NA\ny,y\n", Header::MissingInFirst),
    ] {
        let study = understood(file, &Options::default());
        assert_eq!(study.understood.header, header, "{file}");
    }
    let denied = Options { header: Some(false), ..Options::default() };
    let study = understood("A,B\nx,y\n", &denied);
    assert_eq!((study.understood.header, study.understood.items), (Header::Denied, 2));
    let given = Options { header: Some(true), ..Options::default() };
    assert_eq!(understood("1,2\n1,1\n", &given).understood.raters, ["1", "2"]);
}

#[test]
fn names_that_are_common_labels_prove_no_header() {
    let report =
        measure("DATE,PER,ORG\nPER,PER,PER\nORG,ORG,ORG\nPER,PER,ORG\nORG,PER,ORG\nPER,ORG,PER\n");
    assert_eq!((report.understood.items, report.understood.raters.len()), (6, 3));
    assert_eq!(rounded(&report, "percent", 3), "0.500");
    let stretches = "ana,note,0.5,1.25\nana,verb,2,3\nbo,note,0.5,1.5\nbo,verb,2,3\n";
    let study = understood(stretches, &Options::default()).understood;
    assert_eq!((study.kind, study.ratings), (Kind::Unitizing, 4));
    // Beside a name that does, they are no raters.
    let file = "item,date,ana,bo\n1,May,x,x\n2,June,x,y\n";
    assert_eq!(understood(file, &Options::default()).understood.raters, ["ana", "bo"]);
}

#[test]
fn forms_and_kinds_are_detected() {
    let study = understood("Item ID,Annotator,Label\n1,Ann,x\n1,Bob,y\n", &Options::default());
    assert_eq!(study.understood.form, Some(Form::Long));
    assert_eq!(study.understood.raters, ["Ann", "Bob"]);
    let study = understood("rater,start,end,label\nAnn,0,5,x\nBob,1,5,x\n", &Options::default());
    assert_eq!(study.understood.kind, Kind::Unitizing);
    let options =
        Options { form: Some(Form::Long), columns: words(&["2", "1", "3"]), ..Options::default() };
    let study = understood("Ann,1,x\nBob,1,y\n", &options);
    assert_eq!((study.understood.items, study.understood.raters.len()), (1, 2));
}

#[test]
fn a_rater_without_a_unit_has_marked_nothing_and_is_there() {
    let file = "rater,start,end,category\nAnn,0,5,x\nCem,,,\nBob,1,5,x\n";
    let study = understood(file, &Options::default());
    assert_eq!(study.understood.raters, ["Ann", "Bob", "Cem"]);
    assert_eq!(study.understood.ratings, 2);
}

#[test]
fn raters_are_chosen_by_name_number_and_range() {
    let file = "id,a,b,c,d\n1,w,x,y,z\n2,w,x,y,z\n";
    let chosen = |raters: &[&str]| {
        let options = Options { raters: words(raters), ..Options::default() };
        understood(file, &options).understood.raters
    };
    assert_eq!(chosen(&[]), ["a", "b", "c", "d"]);
    assert_eq!(chosen(&["d", "a"]), ["d", "a"]);
    assert_eq!(chosen(&["b", "4-5"]), ["b", "c", "d"]);
}

#[test]
fn what_is_missing_can_be_said() {
    let file = "A,B\nx,\nNA,.\n*,-\n";
    let study = understood(file, &Options::default());
    assert_eq!((study.understood.missing, study.understood.ratings), (4, 2));
    let options = Options { missing: Missing::of(["=-"]), ..Options::default() };
    let study = understood(file, &options);
    assert_eq!(study.understood.categories, ["*", ".", "NA", "x"]);
    assert_eq!(study.understood.missing, 2);
    let options = Options { missing: Missing::of(["X", "-"]), ..Options::default() };
    assert!(understood("A,B\nx,\nNA,y\ny,-\n", &options).understood.categories == ["y"]);
}

#[test]
fn quoted_fields_keep_what_is_in_them() {
    let rows = plain("A,B\n\"x, \"\"y\"\"\nz\",\" w \"\n\"v\",v\n");
    assert_eq!(rows[0], [Some("x, \"y\"\nz".to_owned()), Some(" w ".to_owned())]);
}

#[test]
fn categories_of_any_script_are_kept_and_ordered() {
    let study = understood("A,B\n固有,Ångström\nрод,固有\n", &Options::default());
    assert_eq!(study.understood.categories, ["Ångström", "род", "固有"]);
    let study =
        understood("A,B\n10,9\n9,2\n", &Options { header: Some(true), ..Options::default() });
    assert_eq!(study.understood.categories, ["2", "9", "10"]);
}

#[test]
fn one_number_is_one_category() {
    let file = "A,B\n1,1.0\n01,+1\n2,2e0\n";
    let interval = Options { level: Level::Interval, ..Options::default() };
    assert_eq!(understood(file, &interval).understood.categories, ["1", "2"]);
    assert_eq!(understood(file, &Options::default()).understood.categories, ["1", "2"]);
}

#[test]
fn one_rater_has_reasons_and_no_values() {
    let report = measure("item,A\n1,x\n2,y\n3,x\n");
    assert_eq!(report.understood.raters, ["A"]);
    assert_eq!(report.warnings[0].code, "one_rater");
    assert!(report.measures.iter().all(|measure| measure.value.is_none()));
    assert_eq!(rounded(&report, "krippendorff_alpha_nominal", 3), "NoSharedPositions");
}

#[test]
fn one_category_is_undefined_not_one() {
    let report = measure("A,B\nx,x\nx,x\n");
    assert_eq!(rounded(&report, "percent", 3), "1.000");
    for id in ["cohen_kappa", "scott_pi", "krippendorff_alpha_nominal", "fleiss_kappa"] {
        assert_eq!(rounded(&report, id, 3), "OneCategory");
    }
}

#[test]
fn declared_categories_count_for_chance_even_if_unused() {
    let file = "A,B\nx,x\ny,x\ny,y\n";
    let report = crate::measure_with(file, |options| {
        options.read.categories = words(&["y", "x", "z", "w"]);
    });
    assert_eq!(report.understood.categories, ["y", "x", "z", "w"]);
    assert_eq!(report.measure("bennett_s").unwrap().expected, Some(0.25));
}

#[test]
fn progress_ends_with_all_bytes() {
    let file = "A,B\nx,y\n".to_owned() + &"x,y\n".repeat(1_000_000);
    let mut heard = Vec::new();
    let options = Options::default();
    study::read::read(file.as_bytes(), &options, |bytes| heard.push(bytes)).unwrap();
    assert!(heard.is_sorted() && heard.len() > 3);
    assert_eq!(heard.last().copied(), u64::try_from(file.len()).ok());
}

#[test]
fn a_table_of_counts_is_two_raters_with_all_its_items() {
    let long = "item,rater,label\n1,a,x\n1,b,x\n2,a,x\n2,b,y\n3,a,y\n3,b,y\n4,a,y\n4,b,y\n";
    let expected = measure(long);
    let with_sums = "a / b\ty\tx\ttotal\nx\t1\t1\t2\ny\t2\t\t2\ntotal\t3\t1\t4\n";
    for file in [",x,y\nx,1,1\ny,0,2\n", with_sums, ",0,1\n0,1,1\n1,0,2\n"] {
        let report = measure(file);
        assert_eq!(report.understood.form, Some(Form::Contingency), "{file}");
        assert_eq!((report.understood.items, report.understood.categories.len()), (4, 2));
        assert_eq!(rounded(&report, "cohen_kappa", 6), rounded(&expected, "cohen_kappa", 6));
    }
    // A label that nobody used counts as one.
    let study = understood(",x,y,z\nx,1,1,0\ny,0,2,0\nz,0,0,0\n", &Options::default());
    assert_eq!(study.understood.categories, ["x", "y", "z"]);
    let asked = Options { form: Some(Form::Contingency), ..Options::default() };
    assert!(refusal(",x,y\nx,1,no\ny,0,2\n", &asked).contains("“no” is not a count"));
    assert_eq!(understood(",x,y\nw,1,0\ny,0,2\n", &asked).understood.categories, ["w", "x", "y"]);
    let huge = refusal(",x,y\nx,99999999999,0\ny,0,2\n", &Options::default());
    assert!(huge.starts_with("line 2, column 3"), "{huge}");
    // Ratings are not taken for counts.
    let study = understood("item,1,2\n1,0,1\n3,1,1\n", &Options::default());
    assert_eq!(study.understood.form, Some(Form::Wide));
}

#[test]
fn a_label_may_be_called_a_sum() {
    let report = measure(",none,some,all\nnone,30,5,1\nsome,6,20,4\nall,2,3,29\n");
    assert_eq!(report.understood.items, 100);
    assert_eq!(report.understood.categories, ["all", "none", "some"]);
    assert_eq!(rounded(&report, "percent", 2), "0.79");
    for file in [
        ",x,y,Sum\nx,20,5,25\ny,10,15,25\n",
        ",x,y\nx,20,5\ny,10,15\nTotal,30,20\n",
        ",x,y,sum\nx,20,5,25\ny,10,15,25\ntotal,30,20,50\n",
        ",x,y,total\nx,20,5,25\ny,10,15,25\ntotal,30,20,\n",
    ] {
        let study = understood(file, &Options::default()).understood;
        assert_eq!((study.items, study.categories), (50, words(&["x", "y"])), "{file}");
    }
}

#[test]
fn a_square_of_ratings_is_no_table_of_counts() {
    let file = "item,1,2,3\n1,0,1,1\n2,1,0,0\n3,1,1,0\n";
    let study = understood(file, &Options::default()).understood;
    assert_eq!((study.form, study.items), (Some(Form::Wide), 3));
    assert_eq!(study.raters, ["1", "2", "3"]);
    let asked = Options { form: Some(Form::Contingency), ..Options::default() };
    assert_eq!(understood(file, &asked).understood.form, Some(Form::Contingency));
    let file = "1,2,3\n2,2,3\n3,3,3\n";
    assert_eq!(understood(file, &Options::default()).understood.form, Some(Form::Contingency));
    let denied = Options { header: Some(false), ..Options::default() };
    let chosen = Options { raters: words(&["1-3"]), ..Options::default() };
    for options in [denied, chosen] {
        let study = understood(file, &options).understood;
        assert_eq!((study.form, study.items, study.raters.len()), (Some(Form::Wide), 3, 3));
    }
}

#[test]
fn a_label_with_a_line_and_a_column_is_not_missing() {
    let report = measure(",NA,y\nNA,20,5\ny,10,15\n");
    assert_eq!(report.understood.categories, ["NA", "y"]);
    assert_eq!((report.understood.items, report.understood.missing), (50, 0));
    assert_eq!(rounded(&report, "percent", 2), "0.70");
}

#[test]
fn stretches_as_pygamma_writes_them_are_units_in_parts_of_seconds() {
    let bare = "Ana,verb,0.5,2.25\nBo,verb,0.50,2\nBo,noun,3,4.0\n";
    for file in [bare, &format!("annotator,annotation,segment_start,segment_end\n{bare}")] {
        let study = understood(file, &Options::default());
        assert_eq!(study.understood.kind, Kind::Unitizing, "{file}");
        assert_eq!(study.understood.raters, ["Ana", "Bo"]);
        assert_eq!(study.understood.categories, ["noun", "verb"]);
        assert_eq!((study.understood.decimals, study.understood.ratings), (2, 3));
        let stretch = study.understood.continuum.unwrap();
        assert_eq!((stretch.begin, stretch.end), (0, 400));
    }
    let given = Options { continuum: Some((0, 10)), ..Options::default() };
    assert_eq!(understood(bare, &given).understood.continuum.unwrap().end, 1_000);
    let whole = "Ana,verb,0,2\nBo,verb,1,2\n";
    assert_eq!(understood(whole, &Options::default()).understood.decimals, 0);
    let finer = bare.repeat(100).replace("Ana", "A") + "Cy,verb,0.125,2\n";
    let told = refusal(finer, &Options::default());
    assert!(told.contains("the start 0.125 has more than 2 decimals"), "{told}");
}

#[test]
fn columns_beside_the_ratings_are_no_raters_and_what_was_taken_as_what_is_said() {
    let file = "group,ana,bo,text\nold,x,x,Gil sat\nold,x,y,Hal ran\nnew,y,y,Gil sat\n";
    let study = understood(file, &Options::default()).understood;
    assert_eq!(study.raters, ["ana", "bo"]);
    assert_eq!(study.other_columns, ["group", "text"]);
    assert_eq!(study.read_as, "a line is an item without a name; a column is a rater");
    let file = "ana,bo,doc\nx,x,1\nx,y,2\n";
    let study = understood(file, &Options::default()).understood;
    assert_eq!(study.read_as, "a line is an item, named by doc; a column is a rater");
    // A column that says nothing of itself may be one of items or of a rater.
    let file = "old,x,x\nold,x,y\nnew,y,y\nnew,x,y\nold,y,y\n";
    assert!(refusal(file, &Options::default()).starts_with("this can be read in 2 ways"));
}
