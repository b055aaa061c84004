//! Codes of a list whose values are in the order of their first occurrence in a column.
//!
//! A value that occurs for the first time needs no code, because it is the next one in the list: it is written as 0.
//! Any other number counts back through the values so far: 1 is the newest. Similar neighbours become runs of 1.

/// Writes codes as distances.
pub(super) fn to_distances(codes: &[u32]) -> Vec<u32> {
    let mut met = 0;
    codes
        .iter()
        .map(|&code| {
            if code == met {
                met += 1;
                0
            } else {
                met - code
            }
        })
        .collect()
}

/// The inverse of [`to_distances`]; `None` if a code would not be below `values`.
pub(super) fn from_distances(distances: &[u32], values: usize) -> Option<Vec<u32>> {
    let mut met: u32 = 0;
    distances
        .iter()
        .map(|&distance| {
            if distance == 0 {
                met += 1;
                ((met as usize) <= values).then(|| met - 1)
            } else {
                met.checked_sub(distance)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_the_distances_it_writes(values in prop::collection::vec(0u32..9, 0..40)) {
            let mut order: Vec<u32> = Vec::new();
            let codes: Vec<u32> = values
                .iter()
                .map(|value| {
                    let met = order.iter().position(|other| other == value);
                    met.unwrap_or_else(|| {
                        order.push(*value);
                        order.len() - 1
                    }) as u32
                })
                .collect();
            let distances = to_distances(&codes);
            prop_assert_eq!(from_distances(&distances, order.len()), Some(codes));
            if !order.is_empty() {
                prop_assert_eq!(from_distances(&distances, order.len() - 1), None);
            }
        }

        #[test]
        fn rejects_distances_out_of_range(
            distances in prop::collection::vec(0u32..5, 0..40),
            values in 0usize..9,
        ) {
            if let Some(codes) = from_distances(&distances, values) {
                prop_assert!(codes.iter().all(|&code| (code as usize) < values));
            }
        }
    }
}
