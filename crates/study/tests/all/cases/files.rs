//! Separators, titles, and what is no table.

use super::Right::Refused;
use super::{OF_SIX, SIX, case, check, wide};

#[test]
fn separators_titles_and_names_like_numbers() {
    let labels = ["yes", "no"];
    let usual = wide("item,Ana,Bo", ",", labels);
    let mut cases = Vec::new();
    for separator in [",", ";", "\t", "|", " ", "  ", " | ", " , "] {
        cases.push(case("F10", wide("item,Ana,Bo", separator, labels), OF_SIX));
        let bare = wide("Ana,Bo", separator, labels);
        let bare: String = bare
            .lines()
            .map(|line| {
                let cut = if line.starts_with("Ana") {
                    line
                } else {
                    line.split_once(separator).unwrap().1
                };
                format!("{cut}\n")
            })
            .collect();
        cases.push(case("F10", bare, OF_SIX));
    }
    let markdown: String = usual
        .lines()
        .enumerate()
        .map(|(place, line)| {
            let rule = if place == 0 { "|---|:--:|---:|\n" } else { "" };
            format!("| {} |\n{rule}", line.replace(',', " | "))
        })
        .collect();
    cases.push(case("F10", markdown, OF_SIX));
    // So R writes tables.
    let of_r: String = usual
        .lines()
        .map(|line| format!("{}\n", line.replace("item,", "").replace(',', "\" \"")))
        .collect();
    let of_r: String = of_r.lines().map(|line| format!("\"{line}\"\n")).collect();
    cases.push(case("F10", of_r, OF_SIX));
    // A separator behind every line.
    let trailing: String = usual.lines().map(|line| format!("{line},\n")).collect();
    cases.push(case("F8", trailing.clone(), OF_SIX));
    cases.push(case(
        "F8",
        trailing
            .lines()
            .filter_map(|line| line.split_once(','))
            .fold(String::new(), |file, (_, rest)| file + rest + "\n"),
        OF_SIX,
    ));
    cases.push(case("F8", trailing.replacen(",\n", "\n", 1), OF_SIX));
    cases.push(case(
        "F8",
        usual.lines().map(|line| format!("{line};;\n")).collect::<String>().replace(',', ";"),
        OF_SIX,
    ));
    // Raters called like numbers.
    for heading in ["Nan,Bo", "Ana,Inf", "nan,Bo", "Infinity,NAN", "2023,2024", "1,2"] {
        let rows: String = SIX.iter().map(|(a, b)| format!("{a},{b}\n")).collect();
        cases.push(case("F9", format!("{heading}\n{rows}"), OF_SIX));
    }
    // Lines that spreadsheets and people add.
    for (before, separator) in [
        ("sep=;\n", ";"),
        ("sep=,\n", ","),
        ("sep=\t\n", "\t"),
        ("\"sep=;\"\n", ";"),
        ("# made by a program\n", ","),
        ("# made by a program, in 2026\n#\n", ";"),
        ("Ratings of May\n\n", ","),
        ("\u{feff}sep=|\n", "|"),
    ] {
        cases.push(case(
            "F13",
            format!("{before}{}", wide("item,Ana,Bo", separator, labels)),
            OF_SIX,
        ));
    }
    cases.push(case("F13", usual.replace("\n4,", "\n# half\n4,"), OF_SIX));
    cases.push(case("F13", wide("#,Ana,Bo", ",", labels), OF_SIX));
    for file in ["A\nx\ny\nx\n", "x\n", "item\n1\n2\n", "one word\nand more words than that\n"] {
        cases.push(case("F13", file, Refused(&["there is one column"])));
    }
    cases.push(case(
        "F13",
        "PK\u{3}\u{4}\u{14}\0\u{6}\0",
        Refused(&["a spreadsheet", "saved as CSV"]),
    ));
    for file in ["{\"item\": 1}\n", "[{\"item\": 1}]", "[\n{}]"] {
        cases.push(case("F13", file, Refused(&["this is JSON"])));
    }
    cases.push(case("F13", "%PDF-1.7\n", Refused(&["a PDF"])));
    let utf16 = |swap: bool| -> String {
        usual.chars().flat_map(|c| if swap { ['\0', c] } else { [c, '\0'] }).collect()
    };
    cases.push(case("F13", utf16(false), Refused(&["UTF-16", "UTF-8"])));
    cases.push(case("F13", utf16(true), Refused(&["UTF-16", "UTF-8"])));
    cases.push(case(
        "F13",
        "item,A,B\n1,x\0,x\n2,y,y\n3,x,x\n",
        Refused(&["line 2, column 3", "NUL"]),
    ));
    check(&cases);
}
