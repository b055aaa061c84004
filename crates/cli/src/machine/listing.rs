//! Lists of folders as web servers show them: pages of links (Apache, nginx, `python -m http.server` and the like).
//!
//! Such a page is not made for programs, so only what every server has in it counts: links to names in the same folder,
//! those of folders with a slash at their end. A server that shows no list answers with an error, or with a page without
//! such links.

/// The files of a folder and its folders.
pub(super) struct FolderListing {
    /// Their paths in it.
    pub(super) files: Vec<String>,
    /// `false` if there are more.
    pub(super) is_complete: bool,
}

/// Returns the names that a page links to, of what is directly in its folder.
pub(super) fn names(page: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = page;
    while let Some(at) = find_ignoring_case(rest, "href=") {
        rest = &rest[at + "href=".len()..];
        let value = match rest.chars().next() {
            Some(quote @ ('"' | '\'')) => rest[1..].split(quote).next(),
            _ => rest.split(|c: char| c.is_whitespace() || c == '>').next(),
        };
        if let Some(name) = value.and_then(name_of)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

fn find_ignoring_case(text: &str, sought: &str) -> Option<usize> {
    let windows = text.as_bytes().windows(sought.len());
    windows.into_iter().position(|window| window.eq_ignore_ascii_case(sought.as_bytes()))
}

/// Returns the name that a link leads to; `None` if it leads elsewhere.
fn name_of(link: &str) -> Option<String> {
    let link = link.strip_prefix("./").unwrap_or(link);
    let link = link.split(['?', '#']).next().unwrap_or_default();
    let name = link.strip_suffix('/').unwrap_or(link);
    let decoded = decode(name)?;
    let is_name = !decoded.is_empty()
        && !matches!(decoded.as_str(), "." | "..")
        && !decoded.contains(['/', '\\', ':', '&'])
        && !decoded.contains(char::is_control);
    let end = if link.ends_with('/') { "/" } else { "" };
    is_name.then(|| format!("{decoded}{end}"))
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
            "<a href=\"https://evil.example/x/\"> <a href=\"%2e%2e/\"> <a href=\"a%2Fb\"> <a href=",
            &[],
        );
        check("no list at all", &[]);
    }
}
