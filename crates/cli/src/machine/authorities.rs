//! The certificate authorities that vouch for servers: those that Mozilla trusts, which are part of this command, or those
//! in the file that the environment variable `SSL_CERT_FILE` names.
//!
//! OpenSSL and programs that use it, such as curl and Python, read the same variable, with the same meaning: the file, in
//! PEM, replaces the other authorities. So users whose cache needs its own authority have mostly set it already.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

/// The environment variable.
const VARIABLE: &str = "SSL_CERT_FILE";

/// Returns the authorities. A file without any is an error: falling back to the others would trust servers that the user
/// excluded.
pub(super) fn authorities() -> Result<RootCerts, String> {
    match std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        None => Ok(RootCerts::WebPki),
        Some(path) => read(&path),
    }
}

fn read(path: &OsStr) -> Result<RootCerts, String> {
    let shown = Path::new(path).display();
    let bytes = fs::read(path)
        .map_err(|error| format!("{shown}, which {VARIABLE} names, could not be read: {error}"))?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in parse_pem(&bytes) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(error) => {
                return Err(format!("{shown}, which {VARIABLE} names, is not valid PEM: {error}"));
            }
        }
    }
    if certificates.is_empty() {
        return Err(format!("{shown}, which {VARIABLE} names, has no certificate in PEM"));
    }
    Ok(RootCerts::from(certificates))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_certificates_and_rejects_files_without_any() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tls");
        #[track_caller]
        fn check(path: &Path, expected: Option<&str>) {
            let error = read(path.as_os_str()).err();
            assert_eq!(error.is_some(), expected.is_some(), "{error:?}");
            assert!(error.unwrap_or_default().contains(expected.unwrap_or_default()));
        }
        check(&data.join("authority.pem"), None);
        check(&data.join("server.key"), Some("has no certificate"));
        check(&data.join("README.md"), Some("has no certificate"));
        check(&data.join("missing.pem"), Some("could not be read"));
    }
}
