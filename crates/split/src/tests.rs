//! Runs a module before and after splitting, and compares the results.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmi::{Engine, Instance, Linker, Module as Runnable, Store};

use crate::data::Data;
use crate::later::{Later, PartId, later, unmatched};
use crate::links::{ConstantId, Links, Slots};
use crate::module::Module;
use crate::places::{self, Part, Places};
use crate::split::{Modules, Names, split};
use crate::uses::check_numbers;

/// An app in which functions of a page are called directly, through the table, and by one another.
const APP: &str = r#"
(module
  (type $unary (func (param i32) (result i32)))
  (import "./app.js" "__wbg_loadRest_0123456789abcdef" (func $load (param i32) (result externref)))
  (memory (export "memory") 1)
  (table 3 funcref)
  (global $count (mut i32) (i32.const 0))
  (elem (i32.const 1) $common $page)
  (func $nothing)
  (func $common (type $unary) (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (i32.add (local.get 0) (i32.load (i32.const 8))))
  (func $page (type $unary) (i32.mul (call $common (local.get 0)) (call $deeper (i32.const 5))))
  (func $deeper (type $unary) (i32.add (local.get 0) (call $common (i32.const 100))))
  (func $other (type $unary) (call $page (i32.add (local.get 0) (i32.const 1))))
  (func (export "front") (type $unary) (call $common (local.get 0)))
  (func (export "direct") (type $unary) (i32.add (call $page (local.get 0)) (call $other (local.get 0))))
  (func (export "indirect") (type $unary) (call_indirect (type $unary) (local.get 0) (i32.const 2)))
  (func (export "count") (result i32) (global.get $count))
  (data (i32.const 8) "\07"))"#;

/// Two parts; the first is loaded whenever the second is.
const TWO: Places = Places {
    load: "__wbg_loadRest_",
    parts: &[
        Part { name: "one", with: &[], code: &["one::"] },
        Part { name: "two", with: &["one"], code: &["two::", "one::two::"] },
    ],
    types: &[""],
    stay: &["one::stays"],
};

/// The parts, and the numbers of those that were loaded, in the order in which that happened.
#[derive(Default)]
struct Host {
    parts: Vec<Runnable>,
    app: Option<Instance>,
    loads: Vec<i32>,
}

struct App {
    store: Store<Host>,
    instance: Instance,
}

impl App {
    fn start(first: &[u8], parts: &[Vec<u8>]) -> App {
        let engine = Engine::default();
        let read = |bytes: &[u8]| Runnable::new(&engine, bytes).expect("a valid module");
        let parts = parts.iter().map(|part| read(part)).collect();
        let mut store = Store::new(&engine, Host { parts, ..Host::default() });
        let mut linker = Linker::new(&engine);
        let load = |mut caller: wasmi::Caller<'_, Host>, number: i32| {
            caller.data_mut().loads.push(number);
            let part = caller.data().parts[number as usize - 1].clone();
            let app = caller.data().app.expect("it has started");
            let mut linker = Linker::new(caller.engine());
            let exports: Vec<_> = app
                .exports(&caller)
                .map(|export| (export.name().to_owned(), export.into_extern()))
                .collect();
            for (name, item) in exports {
                linker.define("m", &name, item).expect("each name once");
            }
            linker.instantiate_and_start(&mut caller, &part).expect("the part fits");
            wasmi::Ref::<wasmi::ExternRef>::Null
        };
        linker.func_wrap("./app.js", "__wbg_loadRest_0123456789abcdef", load).expect("one import");
        let instance = linker.instantiate_and_start(&mut store, &read(first)).expect("it starts");
        store.data_mut().app = Some(instance);
        App { store, instance }
    }

    fn call(&mut self, name: &str, argument: i32) -> i32 {
        let function = self.instance.get_typed_func::<i32, i32>(&self.store, name).expect(name);
        function.call(&mut self.store, argument).expect("it returns")
    }

    fn count(&mut self) -> i32 {
        let function =
            self.instance.get_typed_func::<(), i32>(&self.store, "count").expect("count");
        function.call(&mut self.store, ()).expect("it returns")
    }
}

/// Returns the functions with these names, to be loaded later with the part of this number.
fn named(module: &Module<'_>, names: &[&str], part: usize) -> Later {
    let is_named = |name: &str| names.contains(&name);
    let ids = module.ids().filter(|&id| module.function(id).is_some_and(|f| is_named(&f.name)));
    ids.map(|id| (id, PartId(part))).collect()
}

fn split_in_two(bytes: &[u8], module: &Module<'_>, moved: &Later) -> Modules {
    split(bytes, module, moved, &places::APP, &Links::default(), Names::Full).expect("two modules")
}

#[test]
fn answers_the_same_in_two_modules_as_in_one() {
    let bytes = wat::parse_str(APP).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    for names in
        [&["page"][..], &["page", "deeper"], &["page", "deeper", "other"], &["common"], &["deeper"]]
    {
        let moved = named(&module, names, 0);
        assert_eq!(moved.len(), names.len());
        let modules = split_in_two(&bytes, &module, &moved);
        for calls in [
            ["front", "direct", "indirect"],
            ["indirect", "front", "direct"],
            ["direct", "direct", "front"],
        ] {
            let mut whole = App::start(&bytes, &[]);
            let mut parted = App::start(&modules.first, &modules.parts);
            for (argument, name) in (3..).zip(calls) {
                assert_eq!(
                    parted.call(name, argument),
                    whole.call(name, argument),
                    "{names:?}: {name}"
                );
                assert_eq!(parted.count(), whole.count());
            }
            assert_eq!(parted.store.data().loads, [1], "{names:?}");
        }
    }
}

#[test]
fn loads_nothing_until_something_is_missing() {
    let bytes = wat::parse_str(APP).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let modules = split_in_two(&bytes, &module, &named(&module, &["page", "deeper"], 0));
    let mut app = App::start(&modules.first, &modules.parts);
    app.call("front", 1);
    assert_eq!(app.store.data().loads, []);
    app.call("indirect", 1);
    assert_eq!(app.store.data().loads, [1]);
}

#[test]
fn has_no_stub_for_what_only_its_part_calls_through_the_table() {
    let text = APP.replace(
        "(call $deeper (i32.const 5))",
        "(call_indirect (type $unary) (i32.const 5) (i32.const 3))",
    );
    let text = text.replace("(table 3 funcref)", "(table 4 funcref)");
    let bytes = wat::parse_str(text.replace("$common $page)", "$common $page $deeper)"));
    let bytes = bytes.expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let slots = Slots { in_code: BTreeSet::from([2, 3]), ..Slots::default() };
    let known = Links { slots, ..Links::default() };
    let moved = named(&module, &["page", "deeper"], 0);
    let functions = |links: &Links| {
        let modules = split(&bytes, &module, &moved, &places::APP, links, Names::Full);
        let modules = modules.expect("two modules");
        let mut whole = App::start(&bytes, &[]);
        let mut parted = App::start(&modules.first, &modules.parts);
        for name in ["front", "indirect", "direct"] {
            assert_eq!(parted.call(name, 3), whole.call(name, 3), "{name}");
        }
        Module::read(&modules.first).expect("a module").functions.len()
    };
    assert_eq!(functions(&known), functions(&Links::default()) - 1);
}

#[test]
fn refuses_what_cannot_be_told_from_numbers() {
    let check = |table: &str, links: &Links| {
        let bytes = wat::parse_str(format!("(module (func $f) {table})")).expect("a module");
        check_numbers(&Module::read(&bytes).expect("a module"), links)
    };
    let at = |constant: Range<u32>| Links { constants: vec![constant], ..Links::default() };
    assert_eq!(check("", &at(0x12_0000..0x12_0004)), Ok(()));
    assert_eq!(
        check("", &at(0x10_ffff..0x11_0001)),
        Err(
            "expected data that was linked with --global-base=1179648, found a constant that includes 1114112"
                .to_owned()
        )
    );
    let check = |table: &str, slot: u32| {
        let slots = Slots { held: BTreeSet::from([slot]), ..Slots::default() };
        check(table, &Links { slots, ..Links::default() })
    };
    assert_eq!(check("(table 5801 funcref) (elem (i32.const 5800) $f)", 5800), Ok(()));
    assert_eq!(
        check("(table 2 funcref) (elem (i32.const 1) $f)", 1),
        Err("expected a table that was linked with --table-base=5800, found one that begins at 1"
            .to_owned())
    );
    assert_eq!(
        check("(table 5801 funcref) (elem (i32.const 5800) $f)", 5801),
        Err("expected a function at 5801 in the table, found none".to_owned())
    );
}

#[test]
fn loads_each_part_when_it_is_called() {
    let bytes = wat::parse_str(APP).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    // From the first module, through the table, from one part to the other, and back.
    for (one, two, name, expected) in [
        (&["page"][..], &["deeper"][..], "direct", &[1, 2][..]),
        (&["deeper"], &["page"], "indirect", &[2, 1]),
        (&["page"], &["common"], "front", &[2]),
        (&["page"], &["common"], "indirect", &[1, 2]),
        (&["page"], &["deeper", "other"], "front", &[]),
        (&["page", "common"], &["deeper", "other"], "direct", &[1, 2]),
    ] {
        let mut moved = named(&module, one, 0);
        moved.extend(named(&module, two, 1));
        let modules = split(&bytes, &module, &moved, &TWO, &Links::default(), Names::Full)
            .expect("three modules");
        let mut whole = App::start(&bytes, &[]);
        let mut parted = App::start(&modules.first, &modules.parts);
        for argument in 3..5 {
            assert_eq!(parted.call(name, argument), whole.call(name, argument), "{one:?}: {name}");
            assert_eq!(parted.count(), whole.count());
        }
        assert_eq!(parted.store.data().loads, expected, "{one:?}, {two:?}: {name}");
    }
}

/// Returns links with constants at these places, and these addresses in code.
fn links(constants: &[Range<u32>], addresses: &[(u32, &[ConstantId])]) -> Links {
    let addresses = addresses.iter().map(|(number, to)| (*number, to.iter().copied().collect()));
    Links {
        constants: constants.to_vec(),
        addresses: addresses.collect(),
        within: vec![BTreeSet::new(); constants.len()],
        ..Links::default()
    }
}

/// A function of the page that reads bytes from 2000 on, and one of each part with a number.
const READS: &str = r#"
(module
  (import "./app.js" "__wbg_loadRest_0123456789abcdef" (func $load (param i32) (result externref)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (global $count (mut i32) (i32.const 0))
  (func (export "front") (param i32) (result i32) (drop (i32.const FRONT))
    (i32.load8_u offset=2000 (local.get 0)))
  (func $nothing)
  (func $one (param i32) (result i32) (i32.load8_u offset=ONE (local.get 0)))
  (func $two (param i32) (result i32) (drop (i64.const TWO)) (local.get 0))
  (func (export "one") (param i32) (result i32) (call $one (local.get 0)))
  (func (export "two") (param i32) (result i32) (call $two (local.get 0)))
  (func (export "count") (result i32) (global.get $count))
  (data (i32.const 2000) "aaaaaaaabbbbbbbbcccccccc")
  (data (i32.const 2026) "ddddddDDDDDD")
  (data (i32.const 3000) "changes"))"#;

/// The constants of [`READS`]. The last has no data at its start.
const CONSTANTS: [Range<u32>; 4] = [2000..2008, 2008..2016, 2016..2024, 2024..2032];

/// Checks which bytes are in the first module, the first part and the second, if its functions have these numbers.
#[track_caller]
fn check_data(links: &Links, numbers: [u64; 3], expected: [&str; 3]) {
    let [front, one, two] = numbers.map(|number| number.to_string());
    let text = READS.replace("FRONT", &front).replace("ONE", &one).replace("TWO", &two);
    let bytes = wat::parse_str(text).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let mut moved = named(&module, &["one"], 0);
    moved.extend(named(&module, &["two"], 1));
    let modules = split(&bytes, &module, &moved, &TWO, links, Names::Full).expect("three modules");
    let data_of = |bytes: &[u8]| -> String {
        let sections =
            wasmparser::Parser::new(0).parse_all(bytes).filter_map(|payload| match payload {
                Ok(wasmparser::Payload::DataSection(segments)) => Some(segments),
                _ => None,
            });
        let segments = sections.flatten().map(|segment| segment.expect("a segment").data);
        segments.map(|data| std::str::from_utf8(data).expect("a text")).collect()
    };
    let [part_one, part_two] = &modules.parts[..] else { panic!("expected two parts") };
    assert_eq!([&modules.first, part_one, part_two].map(|bytes| data_of(bytes)), expected);
    let mut whole = App::start(&bytes, &[]);
    let mut parted = App::start(&modules.first, &modules.parts);
    // Each part reads its own data; once both are loaded, all data is there.
    for name in ["one", "two"] {
        assert_eq!(parted.call(name, 0), whole.call(name, 0), "{name}");
    }
    for at in 0..1010 {
        assert_eq!(parted.call("front", at), whole.call("front", at), "{at}");
    }
}

#[test]
fn moves_constants_to_the_part_that_needs_them() {
    let links = links(&CONSTANTS, &[]);
    // The function of the page that reads the constants refers to the first.
    check_data(&links, [0, 0, 0], ["aaaaaaaabbbbbbbbccccccccddddddDDDDDDchanges", "", ""]);
    check_data(&links, [0, 2008, 2024], ["aaaaaaaaccccccccDDDDDDchanges", "bbbbbbbb", "dddddd"]);
    check_data(
        &links,
        [0, 2015, 2017 << 32],
        ["aaaaaaaaddddddDDDDDDchanges", "bbbbbbbb", "cccccccc"],
    );
    // What both need goes to the part that the other comes with; what the first module needs stays.
    check_data(&links, [0, 2008, 2008], ["aaaaaaaaccccccccddddddDDDDDDchanges", "bbbbbbbb", ""]);
    check_data(&links, [2008, 2008, 2016], ["aaaaaaaabbbbbbbbddddddDDDDDDchanges", "", "cccccccc"]);
}

#[test]
fn follows_addresses_beside_constants_and_in_them() {
    // The end of the second is where the third begins.
    let beside = links(&CONSTANTS, &[(2016, &[1]), (1990, &[3])]);
    check_data(&beside, [0, 2016, 1990], ["aaaaaaaaDDDDDDchanges", "bbbbbbbbcccccccc", "dddddd"]);
    let mut within = links(&CONSTANTS, &[]);
    within.within[1].insert(2);
    check_data(&within, [0, 2008, 0], ["aaaaaaaaddddddDDDDDDchanges", "bbbbbbbbcccccccc", ""]);
    check_data(&within, [0, 2008, 2016], ["aaaaaaaaddddddDDDDDDchanges", "bbbbbbbbcccccccc", ""]);
    within.held.insert(2);
    check_data(&within, [0, 2008, 0], ["aaaaaaaaccccccccddddddDDDDDDchanges", "bbbbbbbb", ""]);
}

#[test]
fn leaves_data_alone_that_is_referred_to_by_number() {
    let divided = |module: &str| {
        let bytes = wat::parse_str(module).expect("a module");
        let module = Module::read(&bytes).expect("a module");
        let data = Data::divided(&bytes, &module, &Later::new(), &places::APP, &Links::default());
        data.expect("a module").map(|data| data.count())
    };
    assert_eq!(divided(r#"(module (memory 1) (data (i32.const 8) "a"))"#), Some(1));
    assert_eq!(divided(r#"(module (memory 1) (data (i32.const 8) "a") (data "x"))"#), None);
    let global = r#"(module (global $g i32 (i32.const 8)) (memory 1) (data (global.get $g) "a"))"#;
    assert_eq!(divided(global), None);
}

#[test]
fn refuses_a_module_that_cannot_load_its_rest() {
    let bytes = wat::parse_str("(module (func $f))").expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let refused =
        split(&bytes, &module, &Later::new(), &places::APP, &Links::default(), Names::Full)
            .map(|_| ());
    assert_eq!(
        refused,
        Err("expected an imported function __wbg_loadRest_…, found none".to_owned())
    );
}

#[test]
fn moves_functions_of_later_code_and_what_only_they_call() {
    let padding = "(drop (i32.const 1000000)) ".repeat(60);
    let text = r#"
(module
  (import "./app.js" "__wbg_loadRest_0" (func $load (param i32) (result externref)))
  (table 2 funcref)
  (elem (i32.const 0) $"core::ptr::drop_in_place::<cache_explorer_pages::build::Line>" $"cache_explorer_pages::build::page")
  (func $"core::ptr::drop_in_place::<cache_explorer_pages::build::Line>")
  (func $"cache_explorer_pages::build::page" PADDING (call $"helper") (call $"shared"))
  (func $"helper")
  (func $"shared")
  (func $"leptos::For::<cache_explorer_pages::build::Line>" PADDING)
  (func (export "front") (call $"shared") (call $"leptos::For::<cache_explorer_pages::build::Line>")))"#;
    let bytes = wat::parse_str(text.replace("PADDING", &padding)).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let names: Vec<_> = later(&module, &places::APP, &Links::default())
        .into_keys()
        .filter_map(|id| Some(module.function(id)?.name.as_str()))
        .collect();
    // Small functions may have been merged with others.
    let expected = [
        "cache_explorer_pages::build::page",
        "helper",
        "leptos::For::<cache_explorer_pages::build::Line>",
    ];
    assert_eq!(names, expected);
}

#[test]
fn gives_a_function_to_the_part_that_all_its_callers_come_with() {
    let padding = "(drop (i32.const 1000000)) ".repeat(60);
    let text = r#"
(module
  (import "./app.js" "__wbg_log_0" (func $log))
  (func $"one::a" PADDING (call $log) (call $"of one") (call $"of both") (call $"of all"))
  (func $"two::b" PADDING (call $"of two") (call $"of both") (call $"of all") (call $"one::a"))
  (func $"one::two::longest" PADDING)
  (func $"one::stays" PADDING)
  (func $"of one" (call $"below one"))
  (func $"below one")
  (func $"of two")
  (func $"of both")
  (func $"of all")
  (func $"of nobody")
  (func (export "front") (call $"one::a") (call $"two::b") (call $"one::two::longest") (call $"one::stays") (call $"of all")))"#;
    let bytes = wat::parse_str(text.replace("PADDING", &padding)).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let later = later(&module, &TWO, &Links::default());
    assert!(later.keys().all(|&id| module.function(id).is_some()), "imported functions stay");
    let parts: Vec<_> = later
        .iter()
        .filter_map(|(&id, part)| Some((module.function(id)?.name.as_str(), part.0)))
        .collect();
    let expected = [
        ("one::a", 0),
        ("two::b", 1),
        ("one::two::longest", 1),
        ("of one", 0),
        ("below one", 0),
        ("of two", 1),
        ("of both", 0),
    ];
    assert_eq!(parts, expected);
}

#[test]
fn gives_what_is_called_through_the_table_to_the_part_that_has_its_place() {
    let padding = "(drop (i32.const 1000000)) ".repeat(60);
    let text = r#"
(module
  (import "./app.js" "__wbg_log_0" (func $log))
  (table 105 funcref)
  (elem (i32.const 100) $"written in code" $"in a constant" $"of front too" $"in data that may change" $"of nobody")
  (func $"one::a" PADDING (drop (i32.const 100)) (drop (i32.const 2000)) (drop (i32.const 102)))
  (func $"two::b" PADDING)
  (func $"written in code" (call $"below"))
  (func $"below" (call $log))
  (func $"in a constant")
  (func $"of front too")
  (func $"in data that may change")
  (func $"of nobody")
  (func (export "front") (call $"one::a") (call $"two::b") (drop (i32.const 101)) (drop (i32.const 102))))"#;
    let bytes = wat::parse_str(text.replace("PADDING", &padding)).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let slots = Slots {
        in_code: BTreeSet::from([100, 102]),
        within: BTreeMap::from([(1, BTreeSet::from([101]))]),
        held: BTreeSet::from([103]),
    };
    // The first constant refers to the second, which contains a place in the table.
    let mut links = Links { slots, ..links(&[2000..2008, 2008..2016], &[]) };
    links.within[0].insert(1);
    let later = later(&module, &TWO, &links);
    let moved = later.into_keys().filter_map(|id| Some(module.function(id)?.name.as_str()));
    let expected = ["one::a", "two::b", "written in code", "below", "in a constant"];
    assert_eq!(moved.collect::<Vec<_>>(), expected);
}

#[test]
fn names_the_entries_that_match_no_function() {
    let text = r#"
(module
  (func $"<&mut one::a")
  (func $"other::two::b")
  (func $"keeps one::stays"))"#;
    let bytes = wat::parse_str(text).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let types = Places { types: &["one::two"], ..TWO };
    assert_eq!(unmatched(&module, &types), ["two::", "one::two::"]);
    let gone = Places { stay: &["one::went"], ..TWO };
    assert_eq!(unmatched(&module, &gone), ["one::two::", "one::went"]);
}
