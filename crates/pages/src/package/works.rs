//! The column of the table of builds with the verdict for the user's machine.

use cache_advice::fit::Fit;
use cache_index::index::BuildId;
use cache_index::number::grouped;
use cache_index::sorting;
use cache_query::host::Runs;
use maud::{Markup, html};

use site::explorer::Explorer;

use crate::data::fits;
use crate::parts::verdict::{class, icon};

/// Moves builds that work on the machine to the start and those that do not to the end, once that is known.
pub(super) fn working_first(explorer: Explorer, list: &mut Vec<BuildId>) {
    if let Some(fits) = fits::of_all(explorer, list) {
        let mut judged: Vec<(Runs, BuildId)> =
            fits.iter().map(|fit| fit.works).zip(list.iter().copied()).collect();
        sorting::sort_by_key(&mut judged, |(works, _)| *works);
        *list = judged.into_iter().map(|(_, build)| build).collect();
    }
}

/// Writes the verdict on a build, or on builds that share a line of the table: an icon and a word, with the reason. `None`
/// without a machine.
pub(super) fn write(explorer: Explorer, builds: &[BuildId]) -> Option<Markup> {
    let Some(fits) = fits::of_all(explorer, builds) else {
        return fits::are_awaited(explorer).then(|| html! { span.muted { "…" } });
    };
    let (&first, &build) = (fits.first()?, builds.first()?);
    let working = fits.iter().filter(|fit| fit.works == Runs::Yes).count();
    let (works, word, reason) = if fits.iter().all(|fit| *fit == first) {
        let reason = fits::of(explorer, build).map_or(String::new(), |(_, reason)| reason);
        // What works needs no reason in a list.
        let reason = if first.works == Runs::Yes { String::new() } else { reason };
        (first.works, first.word().to_owned(), reason)
    } else if working > 0 {
        let word = format!("{} of {} work", grouped(working), grouped(fits.len()));
        (Runs::Unknown, word, "expand the line to see which".to_owned())
    } else {
        let unknown = fits.iter().find(|fit| fit.works == Runs::Unknown);
        let Fit { works, .. } = *unknown.unwrap_or(&first);
        let word = if works == Runs::Unknown { "unknown" } else { "none works" };
        (works, word.to_owned(), "not for the same reason; expand the line to see each".to_owned())
    };
    Some(html! {
        span class={ (class(works)) " brief" } {
            (icon(works).write())
            b { (word) }
            @if !reason.is_empty() { bdi.reason title=(reason) { (reason) } }
        }
    })
}
