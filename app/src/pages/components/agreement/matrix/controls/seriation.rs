//! An order in which those who are alike stand beside each other.

/// The places 0 to `n` − 1 in an order that makes the similarity of neighbours large: a chain that
/// begins with the most similar two and grows at whichever end has the more similar next, and then has
/// parts turned round as long as that makes it better. Who cannot be compared is like nobody.
pub(super) fn seriate(n: usize, similarity: impl Fn(usize, usize) -> Option<f64>) -> Vec<usize> {
    let alike = |one: usize, other: usize| similarity(one, other).unwrap_or(UNLIKE);
    let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
    let best =
        pairs.reduce(
            |best, pair| {
                if alike(pair.0, pair.1) > alike(best.0, best.1) { pair } else { best }
            },
        );
    let Some((first, last)) = best else { return (0..n).collect() };
    let mut chain = vec![first, last];
    let mut rest: Vec<usize> = (0..n).filter(|it| *it != first && *it != last).collect();
    while let Some((at_end, place)) = next(&chain, &rest, alike) {
        let chosen = rest.remove(place);
        let position = if at_end { chain.len() } else { 0 };
        chain.insert(position, chosen);
    }
    turn_parts(&mut chain, alike);
    chain
}

/// Less than any measure of agreement can be.
const UNLIKE: f64 = -2.0;

/// Whether the next belongs at the end of the chain or at its start, and its place in the rest.
fn next(
    chain: &[usize],
    rest: &[usize],
    alike: impl Fn(usize, usize) -> f64,
) -> Option<(bool, usize)> {
    let (start, end) = (*chain.first()?, *chain.last()?);
    let ways = rest
        .iter()
        .enumerate()
        .flat_map(|(place, &it)| [(alike(end, it), true, place), (alike(start, it), false, place)]);
    let best = ways.reduce(|best, way| if way.0 > best.0 { way } else { best });
    best.map(|(_, at_end, place)| (at_end, place))
}

/// Turns a part of the chain round wherever its new neighbours are more alike.
fn turn_parts(chain: &mut [usize], alike: impl Fn(usize, usize) -> f64) {
    let gain = |chain: &[usize], from: usize, to: usize| -> Option<f64> {
        let (first, last) = (*chain.get(from)?, *chain.get(to)?);
        let before = from.checked_sub(1).and_then(|place| chain.get(place));
        let after = chain.get(to + 1);
        let changed = |neighbour: Option<&usize>, old: usize, new: usize| {
            neighbour.map_or(0.0, |it| alike(*it, new) - alike(*it, old))
        };
        Some(changed(before, first, last) + changed(after, last, first))
    };
    let length = chain.len();
    for _ in 0..MOST_SWEEPS {
        let mut is_better = false;
        for (from, to) in (0..length).flat_map(|from| (from + 1..length).map(move |to| (from, to)))
        {
            if gain(chain, from, to).is_some_and(|gain| gain > 1e-9)
                && let Some(part) = chain.get_mut(from..=to)
            {
                part.reverse();
                is_better = true;
            }
        }
        if !is_better {
            return;
        }
    }
}

/// How often at most all parts are looked at: after a few times hardly any is turned.
const MOST_SWEEPS: usize = 20;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Similar as far as two numbers lie close to each other.
    fn on_a_line(numbers: &[i32]) -> impl Fn(usize, usize) -> Option<f64> {
        move |one, other| Some(-f64::from((numbers[one] - numbers[other]).abs()) / 1000.0)
    }

    #[test]
    fn who_is_alike_stands_side_by_side() {
        let numbers = [50, 10, 40, 20, 30];
        let order: Vec<i32> =
            seriate(5, on_a_line(&numbers)).into_iter().map(|place| numbers[place]).collect();
        let sorted = order.is_sorted() || order.iter().rev().is_sorted();
        assert!(sorted, "{order:?}");
    }

    #[test]
    fn who_cannot_be_compared_stands_at_an_end() {
        let similarity = |one: usize, other: usize| (one != 1 && other != 1).then_some(0.5);
        let order = seriate(4, similarity);
        assert!(order[0] == 1 || order[3] == 1, "{order:?}");
    }

    proptest! {
        #[test]
        fn everybody_stands_once(numbers in prop::collection::vec(0_i32..1000, 0..12)) {
            let mut order = seriate(numbers.len(), on_a_line(&numbers));
            order.sort_unstable();
            prop_assert_eq!(order, (0..numbers.len()).collect::<Vec<_>>());
        }
    }
}
