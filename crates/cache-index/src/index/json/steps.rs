//! Ascending numbers, each as its step from the one before; the first from 0.

use super::LoadError;

/// Writes ascending numbers as steps.
pub(super) fn to_steps(ascending: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut last = 0;
    ascending.into_iter().map(|number| number - std::mem::replace(&mut last, number)).collect()
}

/// The inverse of [`to_steps`], which rejects numbers that do not ascend or are not below a limit.
pub(super) fn from_steps(
    field: &'static str,
    steps: &[u32],
    limit: u32,
) -> Result<Vec<u32>, LoadError> {
    let mut numbers = Vec::with_capacity(steps.len());
    let mut last = 0u32;
    for (at, &step) in steps.iter().enumerate() {
        last = last.checked_add(step).ok_or(LoadError::BadCode(field))?;
        if last >= limit || at > 0 && step == 0 {
            return Err(LoadError::BadCode(field));
        }
        numbers.push(last);
    }
    Ok(numbers)
}
