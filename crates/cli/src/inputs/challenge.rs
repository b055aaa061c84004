//! The ways to sign in that a server offers: the header `WWW-Authenticate` (RFC 9110, 11.6.1).
//!
//! ```text
//! Bearer realm="https://auth.example.org/token",service="registry",scope="repository:a:pull", Basic realm="x"
//! ```

/// One way to sign in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Challenge {
    scheme: String,
    parameters: Vec<(String, String)>,
}

impl Challenge {
    /// Returns `true` if its scheme is the given one, which must be in lower case.
    pub(super) fn is(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// Returns a parameter, if it is there.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let is_it = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
        self.parameters.iter().find(is_it).map(|(_, value)| value.as_str())
    }
}

/// Returns the ways that a header offers. The list ends where the header is invalid.
pub(super) fn challenges(header: &str) -> Vec<Challenge> {
    let mut challenges: Vec<Challenge> = Vec::new();
    let mut rest = header.trim_start();
    while !rest.is_empty() {
        let (word, after) = token(rest);
        if word.is_empty() {
            break;
        }
        let after = after.trim_start();
        match after.strip_prefix('=') {
            // A parameter of the current way.
            Some(after) => {
                let Some((value, after)) = value(after.trim_start()) else { break };
                let Some(last) = challenges.last_mut() else { break };
                last.parameters.push((word.to_owned(), value));
                rest = after;
            }
            None => {
                challenges.push(Challenge { scheme: word.to_owned(), parameters: Vec::new() });
                rest = after;
            }
        }
        rest = rest.trim_start_matches([' ', '\t', ',']);
    }
    challenges
}

fn token(text: &str) -> (&str, &str) {
    let is_token =
        |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter);
    text.split_at(text.find(|letter| !is_token(letter)).unwrap_or(text.len()))
}

/// Reads a token or a quoted text.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, rest) = token(text);
        return Some((value.to_owned(), rest));
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' => value.push(letters.next()?.1),
            _ => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, expected: &[(&str, &[(&str, &str)])]) {
        let expected: Vec<Challenge> = expected
            .iter()
            .map(|(scheme, parameters)| Challenge {
                scheme: (*scheme).to_owned(),
                parameters: parameters
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
            })
            .collect();
        assert_eq!(challenges(header), expected);
    }

    #[test]
    fn every_way_to_sign_in_is_read() {
        check("Basic realm=\"a b\"", &[("Basic", &[("realm", "a b")])]);
        check(
            "Bearer realm=\"https://x/t\",service=\"r\", scope = \"repository:a:pull,push\" , Basic realm=x",
            &[
                (
                    "Bearer",
                    &[
                        ("realm", "https://x/t"),
                        ("service", "r"),
                        ("scope", "repository:a:pull,push"),
                    ],
                ),
                ("Basic", &[("realm", "x")]),
            ],
        );
        check(
            "Negotiate, Basic realm=\"say \\\"x\\\"\"",
            &[("Negotiate", &[]), ("Basic", &[("realm", "say \"x\"")])],
        );
    }

    #[test]
    fn what_is_not_understood_ends_the_list() {
        check("", &[]);
        check("=", &[]);
        check("realm=\"x\"", &[]);
        check("Basic realm=\"x", &[("Basic", &[])]);
        check("Basic @", &[("Basic", &[])]);
    }
}
