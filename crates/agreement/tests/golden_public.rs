//! Cases from papers and peer libraries, each with its source and tolerance.

#[path = "../examples/check_cases/main.rs"]
#[expect(dead_code, reason = "the program's own main is not run here")]
mod check_cases;

use serde_json::Value;

#[test]
fn every_case_is_met_within_its_tolerance() {
    let file: Value = serde_json::from_str(include_str!("golden/public.json")).unwrap();
    let cases = check_cases::cases(&file).unwrap();
    assert_eq!(cases.len(), 986);
    assert_eq!(check_cases::failures(cases), Vec::<String>::new());
}
