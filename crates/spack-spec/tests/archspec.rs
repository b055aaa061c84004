//! Compares the table of microarchitectures with that of archspec, the library that Spack uses to detect and compare them.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use archspec::cpu::Microarchitecture;
use spack_spec::{Target, Vendor};

#[test]
fn has_the_table_of_archspec() {
    let known = Microarchitecture::known_targets();
    let names: BTreeSet<&str> = known.keys().map(String::as_str).collect();
    assert_eq!(Target::all().map(Target::name).collect::<BTreeSet<_>>(), names);
    for target in Target::all() {
        let recorded = &known[target.name()];
        let ancestors: BTreeSet<&str> = recorded.ancestors().iter().map(|a| a.name()).collect();
        assert_eq!(target.ancestors().map(Target::name).collect::<BTreeSet<_>>(), ancestors);
        let mut features: BTreeSet<String> = recorded.all_features().into_iter().collect();
        // An alias in archspec's data, which its Rust version does not apply.
        if features.contains("ssse3") {
            features.insert("sse3".to_owned());
        }
        let own: BTreeSet<String> = target.features().into_iter().map(str::to_owned).collect();
        assert_eq!(own, features, "{target}");
        assert_eq!(vendor(target.vendor()), recorded.vendor(), "{target}");
    }
}

/// Returns archspec's name for a vendor.
fn vendor(vendor: Vendor) -> &'static str {
    match vendor {
        Vendor::Generic => "generic",
        Vendor::Intel => "GenuineIntel",
        Vendor::Amd => "AuthenticAMD",
        Vendor::Ampere => "Ampere",
        Vendor::Arm => "ARM",
        Vendor::Fujitsu => "Fujitsu",
        Vendor::Apple => "Apple",
        Vendor::Cavium => "Cavium",
        Vendor::Ibm => "IBM",
        Vendor::SiFive => "SiFive",
        Vendor::SpacemiT => "SpacemiT",
        _ => "a vendor that the test does not know",
    }
}
