//! Two ways to divide a text: refused, or compared with results from 0 to 1.
#![no_main]

use agreement::{Segmentation, boundary_similarity, pk, segmentation_similarity, window_diff};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u64>, Vec<u64>, Vec<u8>, Vec<u8>, u64)| {
    let (large, other_large, small, other_small, near) = input;
    let of_small = |masses: Vec<u8>| Segmentation::from_masses(masses.into_iter().map(u64::from));
    let larges = (Segmentation::from_masses(large), Segmentation::from_masses(other_large));
    let smalls = (of_small(small), of_small(other_small));
    for (first, second) in [larges, smalls] {
        let (Ok(first), Ok(second)) = (first, second) else { continue };
        assert!(first.boundaries().is_sorted_by(|a, b| a < b));
        assert!(first.boundaries().last().is_none_or(|&last| last < first.length()));
        let there = boundary_similarity(&first, &second, near);
        assert_eq!(there, boundary_similarity(&second, &first, near));
        let mut values = vec![there, segmentation_similarity(&first, &second, near)];
        // Windows slide over the whole text.
        if first.length() < 1 << 16 {
            values.extend([pk(&first, &second), window_diff(&first, &second)]);
        }
        for value in values.into_iter().flatten() {
            assert!((0.0..=1.0).contains(&value));
        }
    }
});
