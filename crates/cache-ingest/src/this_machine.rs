//! The names of this machine, the only one to which requests need not be encrypted.

/// Returns `true` if the host of a URL, with or without a port, is this machine.
pub fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::is_this_machine;

    #[test]
    fn knows_only_the_names_of_this_machine() {
        for host in ["localhost", "localhost:8642", "127.0.0.1:1", "[::1]:80", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in
            ["", "evil.example", "localhost.evil.example:8642", "127.0.0.1.evil.example", "::1"]
        {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
