//! Lists of texts without repetitions.

use cache_index::sorting;

/// Adds a text to a list, unless it is blank or already there. Only for short lists, such as those of an address.
pub(crate) fn push_once(list: &mut Vec<String>, text: &str) {
    let text = text.trim();
    if !text.is_empty() && !list.iter().any(|other| other == text) {
        list.push(text.to_owned());
    }
}

/// Removes elements that are already in the list, in the time that sorting takes. The order does not change.
pub(crate) fn keep_once<T: Ord>(list: &mut Vec<T>) {
    let order = sorting::positions(list.len(), &|a, b| list[a].cmp(&list[b]));
    let mut is_new = vec![true; list.len()];
    for pair in order.windows(2) {
        // The sort is stable, so the second one comes later in the list.
        let [one, other] = [pair[0] as usize, pair[1] as usize];
        is_new[other] = list[one] != list[other];
    }
    let mut is_new = is_new.into_iter();
    list.retain(|_| is_new.next().unwrap_or_default());
}

/// Returns texts in their order, without those that are blank or repeated.
pub(crate) fn texts_once<'t>(texts: impl IntoIterator<Item = &'t String>) -> Vec<String> {
    let texts = texts.into_iter().map(|text| text.trim());
    let mut list: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    keep_once(&mut list);
    list.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keeps_the_same_texts_at_once_as_one_by_one(texts in prop::collection::vec("[ab ]{0,2}", 0..40)) {
            let mut pushed = Vec::new();
            texts.iter().for_each(|text| push_once(&mut pushed, text));
            prop_assert_eq!(texts_once(&texts), pushed);
        }
    }
}
