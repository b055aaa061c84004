//! Lists of folders as web servers show them, pages of links (Apache, nginx, `python -m http.server` and the like), and
//! lists of buckets, as S3 defines them (`ListObjectsV2`).
//!
//! A page of links is not made for programs, so only what the pages of all servers have in common counts: links to
//! names in the same folder, which end with a slash for folders. A server that shows no list answers with an error, or
//! with a page without such links.

use std::collections::HashSet;

use rusty_s3::actions::ListObjectsV2;

/// The files in a folder and its subfolders.
pub struct FolderListing {
    /// Their paths in it.
    pub files: Vec<String>,
    /// `false` if there are more.
    pub is_complete: bool,
}

/// Returns the distinct names, directly in the folder of a page, that the page links to.
pub fn names(page: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut met = HashSet::new();
    let mut rest = page;
    while let Some(at) = find_ignoring_case(rest, "href=") {
        rest = &rest[at + "href=".len()..];
        let value = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                rest = &rest[1..];
                rest.split(quote).next()
            }
            _ => rest.split(|c: char| c.is_whitespace() || c == '>').next(),
        };
        // In a value, `href=` is not an attribute.
        let value = value.unwrap_or_default();
        rest = &rest[value.len()..];
        if let Some(name) = name_of(value)
            && met.insert(name.clone())
        {
            names.push(name);
        }
    }
    names
}

/// A page of the list of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketPage {
    /// The keys that begin with the requested prefix, without that prefix.
    pub keys: Vec<String>,
    /// The token that requests the next page, if there is one.
    pub next: Option<String>,
}

impl BucketPage {
    /// Reads a page of the keys that begin with `prefix`; `None` if it is not one.
    pub fn read(page: &str, prefix: &str) -> Option<BucketPage> {
        let page = ListObjectsV2::parse_response(page).ok()?;
        let below = |key: &str| key.strip_prefix(prefix).map(str::to_owned);
        let keys = page.contents.iter().filter_map(|object| below(&object.key)).collect();
        Some(BucketPage { keys, next: page.next_continuation_token })
    }
}

fn find_ignoring_case(text: &str, sought: &str) -> Option<usize> {
    let windows = text.as_bytes().windows(sought.len());
    windows.into_iter().position(|window| window.eq_ignore_ascii_case(sought.as_bytes()))
}

/// Returns the name that a link points to; `None` if it points outside the folder.
fn name_of(link: &str) -> Option<String> {
    let link = decode_references(link);
    let link = link.split(['?', '#']).next().unwrap_or_default();
    let link = match link.strip_prefix("./") {
        Some(link) => link,
        // The text before a colon is a scheme.
        None if link.contains(':') => return None,
        None => link,
    };
    let name = link.strip_suffix('/').unwrap_or(link);
    let decoded = decode(name)?;
    let is_name = !decoded.is_empty()
        && !matches!(decoded.as_str(), "." | "..")
        && !decoded.contains(['/', '\\'])
        && !decoded.contains(char::is_control);
    let end = if link.ends_with('/') { "/" } else { "" };
    is_name.then(|| format!("{decoded}{end}"))
}

/// The longest reference to a character, `#x10FFFF;`.
const LONGEST_REFERENCE: usize = 9;

/// Decodes the references that HTML requires in a value, and others that servers write: `&amp;`, `&#43;`, `&#x2B;` and
/// the like.
fn decode_references(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        let end = after.bytes().take(LONGEST_REFERENCE).position(|byte| byte == b';');
        match end.and_then(|end| Some((character(&after[..end])?, &after[end + 1..]))) {
            Some((character, after)) => {
                text.push(character);
                rest = after;
            }
            None => {
                text.push('&');
                rest = after;
            }
        }
    }
    text + rest
}

/// Returns the character of a reference without `&` and `;`.
fn character(name: &str) -> Option<char> {
    let number = |digits: &str, base| char::from_u32(u32::from_str_radix(digits, base).ok()?);
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match name.strip_prefix('#')? {
            digits if digits.starts_with(['x', 'X']) => number(&digits[1..], 16),
            digits => number(digits, 10),
        },
    }
}

/// Decodes `%20` and the like; `None` for what is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        let digit = |at: usize| Some(char::from(*more.get(at)?).to_digit(16)? as u8);
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high << 4 | low);
                rest = &more[2..];
            }
            _ => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn reads_the_lists_of_common_servers() {
        #[track_caller]
        fn check(page: &str, expected: &[&str]) {
            assert_eq!(names(page), expected);
        }
        let python = "<ul>\n<li><a href=\"2026/\">2026/</a></li>\n<li><a href=\"index.manifest.json\">x</a></li>";
        check(python, &["2026/", "index.manifest.json"]);
        let apache = "<a href=\"?C=N;O=D\">Name</a> <A HREF='/v3/manifests/'>Parent</A> <a href=e4s/>e4s/</a>";
        check(apache, &["e4s/"]);
        check(
            "<a href=\"../\">../</a>\n<a href=\"a%20b/\">a b/</a> <a href=\"./x/\">",
            &["a b/", "x/"],
        );
        check(
            "<a href=\"https://evil.example/x/\"> <a href=\"%2e%2e/\"> <a href=\"a%2Fb\"> <a href=mailto:me> <a href=",
            &[],
        );
        check("<a href=\"&#46;&#x2e;/\"> <a href=\"&#47;x\"> <a href=\"javascript&#58;x\">", &[]);
        check(
            "<a href=\"./a:b&amp;c/\"> <a href=\"d%3Ae&#43;f&#x2B;g\"> <a href=\"h&i;j&\">",
            &["a:b&c/", "d:e+f+g", "h&i;j&"],
        );
        check("no list at all", &[]);
    }
}
