//! Requests for the beginning of a file.

use ureq::RequestBuilder;
use ureq::http::header::RANGE;
use ureq::typestate::WithoutBody;

/// Requests only the first bytes, if a number is given.
pub(super) fn only_first(
    request: RequestBuilder<WithoutBody>,
    first: Option<u64>,
) -> RequestBuilder<WithoutBody> {
    match first.and_then(|first| first.checked_sub(1)) {
        Some(last) => request.header(RANGE, format!("bytes=0-{last}")),
        None => request,
    }
}
