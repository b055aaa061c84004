//! Which addresses may be contacted: the URLs in a manifest on a public host must not lead to this machine or a private
//! network, no matter what their names resolve to.
//!
//! IANA's registries of [IPv4] and [IPv6] addresses with a special purpose (RFC 6890) list the addresses that do not belong
//! to a host on the Internet. None of their blocks is contacted. Of IPv6, only addresses in the range that is assigned to
//! hosts (`2000::/3`) are contacted, which leaves out local and multicast addresses, and those that wrap an address of IPv4
//! (`::127.0.0.1`, 6to4, Teredo). Addresses of the translator between the two (`64:ff9b::/96`) are judged by the address in
//! them.
//!
//! The check is made when a connection is opened, on each address that it may be opened to. A proxy opens connections by
//! itself: then the check is on what the name resolves to on this machine, if it resolves at all.
//!
//! [IPv4]: https://www.iana.org/assignments/iana-ipv4-special-registry
//! [IPv6]: https://www.iana.org/assignments/iana-ipv6-special-registry

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ureq::unversioned::resolver::{DefaultResolver, Resolver};
use ureq::unversioned::transport::{ConnectionDetails, Connector, Transport};

/// The addresses that may be contacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    All,
    Public,
}

/// Refuses connections to addresses that may not be contacted.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) allowed: Addresses,
    /// `true` if requests go through a proxy, which may itself be at any address.
    pub(super) has_proxy: bool,
}

impl<In: Transport> Connector<In> for Guard {
    type Out = In;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<In>, ureq::Error> {
        if self.allowed == Addresses::Public {
            match details.config.proxy() {
                // ureq connects to the proxy itself with a configuration without a proxy.
                None if self.has_proxy => {}
                Some(proxy) if !proxy.is_no_proxy(details.uri) => {
                    let resolver = DefaultResolver::default();
                    let resolved = resolver.resolve(details.uri, details.config, details.timeout);
                    resolved.map_or(Ok(()), |addresses| check(&addresses))?;
                }
                _ => check(&details.addrs)?,
            }
        }
        Ok(chained)
    }
}

fn check(addresses: &[SocketAddr]) -> Result<(), ureq::Error> {
    match addresses.iter().all(|address| is_public(address.ip())) {
        true => Ok(()),
        false => Err(ureq::Error::Other(Box::new(NotPublic))),
    }
}

/// Why no connection was made.
#[derive(Debug)]
pub(super) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a manifest on a public host names an address on this machine or in a private \
             network; --allow-local allows that"
        )
    }
}

impl std::error::Error for NotPublic {}

/// The blocks of IPv4 with a special purpose, and the multicast blocks. A block is an address and the length of its prefix
/// in bits.
const SPECIAL_V4: [(Ipv4Addr, u32); 18] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 31, 196, 0), 24),
    (Ipv4Addr::new(192, 52, 193, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(192, 175, 48, 0), 24),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The blocks with a special purpose among the addresses of IPv6 that are assigned to hosts.
const SPECIAL_V6: [(Ipv6Addr, u32); 5] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// The addresses of IPv6 that are assigned to hosts.
const ASSIGNED_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Returns `true` if anybody can reach an address.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|block| is_in_v4(address, block)),
        IpAddr::V6(address) => match address.segments() {
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                let bits = (u32::from(high) << 16) | u32::from(low);
                is_public(IpAddr::V4(Ipv4Addr::from(bits)))
            }
            _ => {
                is_in_v6(address, &ASSIGNED_V6)
                    && !SPECIAL_V6.iter().any(|block| is_in_v6(address, block))
            }
        },
    }
}

fn is_in_v4(address: Ipv4Addr, (first, length): &(Ipv4Addr, u32)) -> bool {
    (address.to_bits() ^ first.to_bits()).leading_zeros() >= *length
}

fn is_in_v6(address: Ipv6Addr, (first, length): &(Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ first.to_bits()).leading_zeros() >= *length
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    use super::*;
    use crate::machine::failure::Failure;
    use crate::machine::fetch::agent_with;

    /// All rows of both registries, as of October 2025.
    const REGISTRIES: &str = include_str!("special_purpose_addresses.csv");

    #[track_caller]
    fn check(address: &str, expected: bool) {
        assert_eq!(is_public(address.parse().expect("an address")), expected, "{address}");
    }

    /// Returns the first and the last address of a block.
    fn ends(block: &str) -> [IpAddr; 2] {
        let (first, length) = block.split_once('/').expect("a length");
        let length: u32 = length.parse().expect("a number");
        match first.parse().expect("an address") {
            IpAddr::V4(first) => {
                let last = first.to_bits() | u32::MAX.checked_shr(length).unwrap_or(0);
                [first.into(), Ipv4Addr::from_bits(last).into()]
            }
            IpAddr::V6(first) => {
                let last = first.to_bits() | u128::MAX.checked_shr(length).unwrap_or(0);
                [first.into(), Ipv6Addr::from_bits(last).into()]
            }
        }
    }

    #[test]
    fn contacts_no_address_with_a_special_purpose() {
        let rows: Vec<&str> = REGISTRIES.lines().skip(1).collect();
        assert_eq!(rows.len(), 26 + 25);
        for row in rows {
            let (block, _) = row.split_once(',').expect("a name");
            // An address of the translator leads wherever the address in it does.
            let is_translated = block == "64:ff9b::/96";
            for address in ends(block).into_iter().filter(|_| !is_translated) {
                assert!(!is_public(address), "{address} in {row}");
            }
        }
    }

    #[test]
    fn contacts_the_neighbours_of_blocks_with_a_special_purpose() {
        for address in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.1",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.1",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "198.51.99.255",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "8.8.8.8",
            "2000::1",
            "2001:200::1",
            "2001:db7:ffff::1",
            "2001:db9::1",
            "2003::1",
            "2606:4700::1111",
            "2620:4f:7fff::1",
            "3ffe:ffff::1",
        ] {
            check(address, true);
        }
    }

    #[test]
    fn judges_addresses_that_wrap_another() {
        for address in [
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "::8.8.8.8",
            "64:ff9b::7f00:1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::8.8.8.8",
            "2002:7f00:1::",
            "2002:808:808::1",
            "2001:0:808:808::1",
        ] {
            check(address, false);
        }
        for address in ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"] {
            check(address, true);
        }
    }

    #[test]
    fn contacts_no_local_or_multicast_address() {
        for address in ["fe80::1", "fec0::1", "fd00:ec2::254", "ff02::1", "4000::1", "224.0.0.1"] {
            check(address, false);
        }
    }

    #[test]
    fn checks_what_a_proxy_is_asked_for_but_not_where_the_proxy_is() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let proxy = format!("http://{}", listener.local_addr().expect("an address"));
        let (said, asked) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
                let _ = said.send(lines.next().expect("a line").expect("a text"));
                while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                let _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
            }
        });
        let proxy = ureq::Proxy::new(&proxy).expect("a proxy");
        let agent = agent_with(Addresses::Public, Some(proxy)).expect("an agent");
        let failure = |url: &str| Failure::of(agent.get(url).call().expect_err("no answer"));
        for local in ["http://127.0.0.1/x", "http://[::ffff:10.0.0.1]/x", "http://2130706433/x"] {
            assert_eq!(failure(local), Failure::NotPublic, "{local}");
        }
        assert_ne!(failure("http://8.8.8.8/x"), Failure::NotPublic);
        assert_eq!(asked.recv().as_deref(), Ok("CONNECT 8.8.8.8:80 HTTP/1.1"));
    }
}
