//! Properties of the readers of what people type.

use cache_advice::machine_words::DescribedMachine;
use cache_ingest::oci::Address;
use cache_query::address;
use cache_query::host::Host;
use spack_spec::{Dialect, Spec};

use crate::assert_is_message;

/// The number of cursor positions that are tried in a long text.
const CURSORS: usize = 100;

/// A text is rejected, or it is a spec whose printed form reads as the same spec. An error points into the text, and
/// the part that was understood is a spec as well.
pub fn spec(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for dialect in [Dialect::V0, Dialect::V1] {
        spec_in(&text, dialect);
    }
}

fn spec_in(text: &str, dialect: Dialect) {
    let reading = Spec::read(text, dialect);
    let mut end = 0;
    for part in &reading.parts {
        let span = part.span.clone();
        assert!(end <= span.start && text.get(span.clone()).is_some(), "{span:?} after {end}");
        end = span.end;
    }
    for problem in &reading.problems {
        assert!(text.get(problem.span.clone()).is_some(), "{problem:?}");
        assert_is_message(&problem.to_string());
        assert_is_message(&problem.in_text(text));
    }
    for cursor in (0..CURSORS.min(text.len())).chain([text.len(), text.len() + 1]) {
        let span = Spec::complete(text, cursor, dialect).span;
        assert!(text.get(span.clone()).is_some() && span.end <= cursor, "{span:?} at {cursor}");
    }
    reading.constraints_after_percent().for_each(drop);

    let exact = format!("{:#}", reading.spec);
    match Spec::parse(&exact, dialect) {
        Ok(again) => assert_eq!(again, reading.spec, "it was printed as {exact}"),
        Err(error) => panic!("it was printed as {}", error.in_text(&exact)),
    }
    // Spack's form, which cannot always be read back.
    let _ = reading.spec.to_string();
}

/// An address is read as a query and a list of what was ignored; the address of that query is read as the same query,
/// with nothing ignored.
pub fn address(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (query, ignored) = address::decode(&text);
    ignored.iter().for_each(|one| drop(one.to_string()));
    let address = address::encode(&query);
    let (again, ignored) = address::decode(&address);
    assert_eq!(again, query, "its address is {address}");
    assert_eq!(ignored, [], "its address is {address}");
    assert_eq!(address::encode(&again), address);
}

/// A machine is described by what was understood of a text, and each part that was assumed has a reason.
pub fn machine(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let machine = DescribedMachine::read(&text);
    if let Some(arch) = machine.arch() {
        let libc = machine.libc.value().unwrap_or_default();
        let host = Host::from_arch(&arch, libc).unwrap_or_else(|error| panic!("{arch}: {error}"));
        assert_eq!(host.arch(), arch);
    }
    machine.assumptions().iter().for_each(|words| assert_is_message(words));
    assert_eq!(DescribedMachine::read(&text), machine);
    if let Err(error) = Address::parse(&text) {
        assert_is_message(&error.to_string());
    }
}
