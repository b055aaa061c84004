//! Which addresses may be contacted: the URLs in a manifest on a public host must not lead to this machine or a private
//! network, whatever their names resolve to.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// The addresses that may be contacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    All,
    Public,
}

impl Resolver for Addresses {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let resolved = DefaultResolver::default().resolve(uri, config, timeout)?;
        if *self == Addresses::Public && !resolved.iter().all(|address| is_public(address.ip())) {
            return Err(ureq::Error::Other(Box::new(NotPublic)));
        }
        Ok(resolved)
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

/// Returns `true` if anybody can reach an address.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            // Addresses that providers share among their customers.
            let is_shared = first == 100 && (64..128).contains(&second);
            !(address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || address.is_broadcast()
                || first == 0
                || is_shared)
        }
        IpAddr::V6(address) => match address.segments() {
            // IPv4 through a translator.
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                let bits = (u32::from(high) << 16) | u32::from(low);
                is_public(IpAddr::V4(Ipv4Addr::from(bits)))
            }
            _ => {
                !(address.is_loopback()
                    || address.is_unspecified()
                    || address.is_multicast()
                    || address.is_unique_local()
                    || address.is_unicast_link_local())
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn distinguishes_public_addresses_from_local_ones() {
        for local in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
        ] {
            assert!(!is_public(local.parse().expect("an address")), "{local}");
        }
        for public in ["8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1111"] {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
    }
}
