//! Addresses of repositories: `oci://HOST/REPOSITORY`, as `spack mirror add` takes them.
//!
//! `oci://` is HTTPS, or plain HTTP on this machine, where `oci+http://` means the same. As in Spack, an
//! address has no tag. An address with a user name or a password is rejected without repeating it.

use thiserror::Error;

use crate::problem::quote;
use crate::this_machine::is_this_machine;

/// The address of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The registry, with its port if it has one.
    pub host: String,
    /// The repository, such as `us/cache`.
    pub repository: String,
    /// `true` if requests are not encrypted, which is only allowed on this machine.
    pub is_plain: bool,
}

/// The reason why a text is not the address of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// The text is not `oci://HOST/REPOSITORY`.
    #[error("expected oci://HOST/REPOSITORY without a name, a password or a tag")]
    Shape,
    /// Plain HTTP, to another machine.
    #[error(
        "{} is another machine, where requests must be encrypted; expected oci://",
        quote(host)
    )]
    NotEncrypted {
        /// The machine.
        host: String,
    },
    /// A name that registries do not allow.
    #[error(
        "expected the name of a repository, in small letters, digits and `.`, `_`, `-` between them, found \
         {}",
        quote(repository)
    )]
    BadRepository {
        /// The name.
        repository: String,
    },
}

const SCHEME: &str = "oci://";
const PLAIN_SCHEME: &str = "oci+http://";

impl Address {
    /// Returns `true` if a text is meant as such an address.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with(SCHEME) || text.starts_with(PLAIN_SCHEME)
    }

    /// Parses an address.
    pub fn parse(text: &str) -> Result<Address, AddressError> {
        let rest = text.strip_prefix(SCHEME).map(|rest| (rest, false));
        let rest = rest.or_else(|| Some((text.strip_prefix(PLAIN_SCHEME)?, true)));
        let (rest, wants_plain) = rest.ok_or(AddressError::Shape)?;
        let (host, repository) = rest.split_once('/').ok_or(AddressError::Shape)?;
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
        if host.is_empty() || !host.bytes().all(is_host) {
            return Err(AddressError::Shape);
        }
        let repository = repository.trim_end_matches('/').to_owned();
        if !repository.split('/').all(is_component) {
            return Err(AddressError::BadRepository { repository });
        }
        let is_plain = is_this_machine(host);
        if wants_plain && !is_plain {
            return Err(AddressError::NotEncrypted { host: host.to_owned() });
        }
        Ok(Address { host: host.to_owned(), repository, is_plain })
    }
}

/// Returns `true` for a valid part of a repository's name, by the grammar of registries.
fn is_component(part: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let (first, last) = (part.bytes().next(), part.bytes().last());
    first.is_some_and(is_letter)
        && last.is_some_and(is_letter)
        && part.bytes().all(|byte| is_letter(byte) || b"._-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_spack_takes() {
        #[track_caller]
        fn check(text: &str, host: &str, repository: &str, is_plain: bool) {
            let expected = Address { host: host.into(), repository: repository.into(), is_plain };
            assert_eq!(Address::parse(text), Ok(expected));
        }
        check("oci://ghcr.io/us/spack-cache", "ghcr.io", "us/spack-cache", false);
        check("oci://localhost:5000/cache", "localhost:5000", "cache", true);
        check("oci+http://127.0.0.1:5000/a/b_c/", "127.0.0.1:5000", "a/b_c", true);
        check("oci://[::1]:80/a", "[::1]:80", "a", true);
        check("oci://localhost.example.org/a", "localhost.example.org", "a", false);
    }

    #[test]
    fn refuses_anything_else_without_repeating_a_secret() {
        for text in [
            "oci://ghcr.io",
            "oci:///a",
            "oci://user:hunter2@ghcr.io/a",
            "oci://ghcr.io/a:hunter2",
            "oci://ghcr.io/../a",
            "oci://ghcr.io/A",
            "oci+http://ghcr.io/a",
            "https://ghcr.io/a",
            "oci://ghcr.io//a",
        ] {
            let error = Address::parse(text).expect_err(text).to_string();
            assert!(!error.contains("user"), "{error}");
        }
        let long = format!("oci://ghcr.io/{}", "A".repeat(9_000));
        assert!(Address::parse(&long).expect_err("capital letters").to_string().len() < 300);
        let error = Address::parse("oci://user:hunter2@ghcr.io/a").expect_err("a password");
        assert_eq!(error, AddressError::Shape);
    }
}
