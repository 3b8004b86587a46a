//! Files that are wrong, each with the exact words about it.

use study::read::{Extent, Form, Level, Options};

use crate::{refusal, words};

fn says(file: impl AsRef<[u8]>, message: &str) {
    says_with(file, &Options::default(), message);
}

fn says_with(file: impl AsRef<[u8]>, options: &Options, message: &str) {
    assert_eq!(refusal(file, options), message);
}

fn units() -> Options {
    Options { units: Some(Some(Extent::End)), ..Options::default() }
}

#[test]
fn nothing() {
    says("", "the file is empty; expected a line for each item");
    says("\u{feff}\n\n", "the file is empty; expected a line for each item");
}

#[test]
fn a_header_and_nothing_below() {
    says(
        "item,A,B\n",
        "there is nothing below the header; expected a line for each item (with --no-header the \
         first line is one)",
    );
}

#[test]
fn another_encoding() {
    says(
        b"A,B\nx,y\nx,caf\xe9\n",
        "line 3, column 6: byte 0xE9 is not UTF-8; expected a file saved as UTF-8",
    );
    says(
        "ä,B\nö,y\n".encode_utf16().flat_map(u16::to_le_bytes).fold(
            vec![0xFF, 0xFE],
            |mut bytes, byte| {
                bytes.push(byte);
                bytes
            },
        ),
        "this is UTF-16; expected a file saved as UTF-8",
    );
}

#[test]
fn unequal_numbers_of_columns() {
    says("A,B\nx,y\nx\n", "line 3, column 1: there are 1 columns; expected 2, as in line 1");
    says("A,B\nx,y\nx,y,z\n", "line 3, column 5: there are 3 columns; expected 2, as in line 1");
}

#[test]
fn quotes() {
    says(
        "A,B\nx,\"y\nx,y\n",
        "line 2, column 3: the quote that opens here is never closed; expected another \" before \
         the file ends",
    );
    says(
        "A,B\nx,\"y\"z\n",
        "line 2, column 6: “z” follows a closing quote; expected a comma or the end of the line",
    );
    let long = format!("A,B\nx,\"{}", "y\n".repeat(600_000));
    says(
        long,
        "line 2, column 1: the line is longer than 1 MiB; expected an item, or a rating, on each \
         line",
    );
}

#[test]
fn columns_and_raters_that_are_not_there() {
    let raters = |names: &[&str]| Options { raters: words(names), ..Options::default() };
    says_with("A,B\nx,y\n", &raters(&["A", "C"]), "there is no column “C”; there are A, B");
    says_with("A,B\nx,y\n", &raters(&["1-3"]), "there is no column “1-3”; there are A, B");
    says_with("A,B\nx,y\n", &raters(&["1", "A"]), "“A” is asked for twice");
    let file = "item,rater,label\n1,Ann,x\n1,Bob,x\n";
    says_with(file, &raters(&["Cid"]), "there is no rater “Cid”; there are Ann, Bob");
    says(
        "A,A\nx,y\n",
        "line 1, column 3: the column “A” is there twice; expected a name of its own for each \
         rater",
    );
}

#[test]
fn columns_that_cannot_be_told() {
    let long = Options { form: Some(Form::Long), ..Options::default() };
    says_with(
        "a,b,c,d\nx,y,z,w\n",
        &long,
        "which columns hold the item, the rater and the category cannot be told from the header; \
         name them with --columns",
    );
    let either = Options { units: Some(None), ..Options::default() };
    says_with(
        "Ann,0,5,x\n",
        &either,
        "say whether units have a length or an end: --units=length or --units=end",
    );
}

#[test]
fn long_tables() {
    says(
        "item,rater,label\n1,Ann,x\n1,Bob,x\n1,Ann,y\n",
        "line 4, column 1: “Ann” has rated “1” otherwise before, in line 2; expected one rating of \
         an item by a rater",
    );
    says(
        "item,rater,label\n1,,x\n",
        "line 2, column 3: the rater is missing; expected one on every line",
    );
    says(
        "item,rater,label\n,Ann,x\n",
        "line 2, column 1: the item is missing; expected one on every line",
    );
}

#[test]
fn sums_that_do_not_add_up() {
    let hint = "expected their sum, or another name if it is a label";
    for (file, message) in [
        (
            ",x,y\nx,20,5\ny,10,15\ntotal,99,1\n",
            "line 4, column 7: “total” is 99 where the others add up to 30",
        ),
        (
            ",x,y,all\nx,20,5,25\ny,10,15,26\n",
            "line 3, column 9: “all” is 26 where the others add up to 25",
        ),
        (
            ",x,y,sum\nx,20,5,25\ny,10,15,25\nsum,30,20,51\n",
            "line 4, column 11: “sum” is 51 where the others add up to 50",
        ),
        (
            ",x,y,sum\nx,20,5,25\ny,10,15,25\nsum,30,21,50\n",
            "line 4, column 11: “sum” is 50 where the others add up to 51",
        ),
    ] {
        says(file, &format!("{message}; {hint}"));
    }
    let asked = Options { form: Some(Form::Contingency), ..Options::default() };
    says_with(
        ",x,y\nx,1,1\ntotal,1,1\ny,0,2\n",
        &asked,
        "line 3, column 1: “total” is the label of no column; expected the same labels in lines \
         and columns",
    );
}

#[test]
fn numbers() {
    let at = |level| Options { level, ..Options::default() };
    says_with(
        "A,B\n1,2\n2,two\n",
        &at(Level::Interval),
        "line 3, column 3: “two” is not a number; expected a number, as distances are measured",
    );
    says_with(
        "A,B\ngood,bad\n",
        &at(Level::Ordinal),
        "line 2, column 1: “good” is not a number; expected numbers, or the order of the \
         categories with --categories",
    );
    says_with(
        "A,B\n1,2\n2,-1\n",
        &at(Level::Ratio),
        "line 3, column 3: -1 is negative; expected numbers from 0 up, as ratios have a zero",
    );
    says_with(
        "A,B\n1,2\n2,1e999\n",
        &at(Level::Interval),
        "line 3, column 3: 1e999 is too large; expected a number below 1.8e308",
    );
}

#[test]
fn categories_that_were_not_declared() {
    let options = Options { categories: words(&["PER", "ORG"]), ..Options::default() };
    says_with(
        "A,B\nPER,ORG\nPER,LOC\n",
        &options,
        "line 3, column 5: “LOC” is not among the categories declared with --categories",
    );
    let twice = Options { categories: words(&["PER", "PER"]), ..Options::default() };
    says_with("A,B\nPER,PER\n", &twice, "“PER” is asked for twice");
}

#[test]
fn units_of_wrong_numbers() {
    let says = |line: &str, message: &str| {
        says_with(format!("Ann,0,5,x\n{line}\n"), &units(), &format!("line 2, column {message}"));
    };
    says("Ann,5,3,x", "7: the end 3 lies before the start 5; expected an end behind the start");
    says("Ann,5,5,x", "7: the unit at 5 has no length; expected a length of 1 or more");
    says("Ann,-5,3,x", "5: the start -5 is negative; expected a whole number from 0 up");
    says(
        "Ann,5,18446744073709551616,x",
        "7: the end 18446744073709551616 is too large; expected at most 18446744073709551615",
    );
    says("Ann,5.5,8,x", "5: “5.5” is not the start of a unit; expected a whole number");
    says("Ann,5,,x", "7: the end is missing; expected one on every line");
    says("Ann,5,8,", "9: the category is missing; expected one on every line");
    says(
        "Ann,3,8,x",
        "5: “Ann” has marked part of 3–8 as “x” before, in line 1; expected units of one rater \
         and category to lie apart",
    );
}

#[test]
fn units_that_leave_the_numbers_or_the_continuum() {
    let length = Options { units: Some(Some(Extent::Length)), ..Options::default() };
    says_with(
        "Ann,18446744073709551615,5,x\n",
        &length,
        "line 1, column 26: the end 18446744073709551615 + 5 is too large; expected at most \
         18446744073709551615",
    );
    let short = Options { continuum: Some((10, 20)), ..units() };
    says_with(
        "Ann,12,21,x\n",
        &short,
        "line 1, column 5: the unit 12–21 lies outside of the continuum 10–20",
    );
}

#[test]
fn the_overlap_that_is_told_is_the_later_line() {
    says_with(
        "Ann,10,20,x\nBob,0,5,x\nAnn,0,5,x\nAnn,4,12,x\n",
        &units(),
        "line 4, column 5: “Ann” has marked part of 4–12 as “x” before, in line 3; expected units \
         of one rater and category to lie apart",
    );
}

#[test]
fn places_count_characters_and_lines_within_quotes() {
    says(
        "Ä,B\n\"é\né\",y\nx,y,z\n",
        "line 4, column 5: there are 3 columns; expected 2, as in line 1",
    );
    says(
        "A,B\n\"é\né\",\"y\"z\nx,y\n",
        "line 3, column 7: “z” follows a closing quote; expected a comma or the end of the line",
    );
}
