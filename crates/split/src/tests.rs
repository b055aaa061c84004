//! Runs a module before and after splitting, and compares.

use std::collections::BTreeSet;

use wasmi::{Engine, Instance, Linker, Module as Runnable, Store};

use crate::data::{Data, END, START};
use crate::later::later;
use crate::module::{FunctionId, Module};
use crate::places;
use crate::split::{Names, split};

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

/// The calls that loaded the rest.
#[derive(Default)]
struct Host {
    rest: Option<Runnable>,
    app: Option<Instance>,
    loads: usize,
}

struct App {
    store: Store<Host>,
    instance: Instance,
}

impl App {
    fn start(first: &[u8], rest: Option<&[u8]>) -> App {
        let engine = Engine::default();
        let read = |bytes: &[u8]| Runnable::new(&engine, bytes).expect("a valid module");
        let mut store = Store::new(&engine, Host { rest: rest.map(read), ..Host::default() });
        let mut linker = Linker::new(&engine);
        let load = |mut caller: wasmi::Caller<'_, Host>, at_once: i32| {
            assert_eq!(at_once, 1, "a stub cannot wait");
            caller.data_mut().loads += 1;
            let rest = caller.data().rest.clone().expect("only a split module loads its rest");
            let app = caller.data().app.expect("it has started");
            let mut linker = Linker::new(caller.engine());
            let exports: Vec<_> = app
                .exports(&caller)
                .map(|export| (export.name().to_owned(), export.into_extern()))
                .collect();
            for (name, item) in exports {
                linker.define("m", &name, item).expect("each name once");
            }
            linker.instantiate_and_start(&mut caller, &rest).expect("the rest fits");
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

/// Returns the functions with these names, to be loaded later.
fn named(module: &Module<'_>, names: &[&str]) -> BTreeSet<FunctionId> {
    let is_named =
        |id: &FunctionId| module.function(*id).is_some_and(|f| names.contains(&f.name.as_str()));
    module.ids().filter(is_named).collect()
}

#[test]
fn answers_the_same_in_two_modules_as_in_one() {
    let bytes = wat::parse_str(APP).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    for names in
        [&["page"][..], &["page", "deeper"], &["page", "deeper", "other"], &["common"], &["deeper"]]
    {
        let moved = named(&module, names);
        assert_eq!(moved.len(), names.len());
        let parts = split(&bytes, &module, &moved, Names::Full).expect("two modules");
        for calls in [
            ["front", "direct", "indirect"],
            ["indirect", "front", "direct"],
            ["direct", "direct", "front"],
        ] {
            let mut whole = App::start(&bytes, None);
            let mut parted = App::start(&parts.first, Some(&parts.rest));
            for (argument, name) in (3..).zip(calls) {
                assert_eq!(
                    parted.call(name, argument),
                    whole.call(name, argument),
                    "{names:?}: {name}"
                );
                assert_eq!(parted.count(), whole.count());
            }
            assert_eq!(parted.store.data().loads, 1, "{names:?}");
        }
    }
}

#[test]
fn loads_nothing_until_something_is_missing() {
    let bytes = wat::parse_str(APP).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let parts = split(&bytes, &module, &named(&module, &["page", "deeper"]), Names::Full)
        .expect("two modules");
    let mut app = App::start(&parts.first, Some(&parts.rest));
    app.call("front", 1);
    assert_eq!(app.store.data().loads, 0);
    app.call("indirect", 1);
    assert_eq!(app.store.data().loads, 1);
}

#[test]
fn moves_marked_data() {
    let marked = format!("{}later{}", text(START), text(END));
    let app = r#"
(module
  (import "./app.js" "__wbg_loadRest_0123456789abcdef" (func $load (param i32) (result externref)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (global $count (mut i32) (i32.const 0))
  (func (export "front") (param i32) (result i32) (i32.load8_u (local.get 0)))
  (func $nothing)
  (func $page (param i32) (result i32) (i32.load8_u (local.get 0)))
  (func (export "page") (param i32) (result i32) (call $page (local.get 0)))
  (func (export "count") (result i32) (global.get $count))
  (data (i32.const 1000) "before")
  (data (i32.const 2000) "MARKEDbetweenMARKEDafter"))"#;
    let bytes = wat::parse_str(app.replace("MARKED", &marked)).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let parts =
        split(&bytes, &module, &named(&module, &["page"]), Names::Full).expect("two modules");
    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
    assert!(!has(&parts.first, b"later") && has(&parts.first, b"between"));
    assert!(has(&parts.rest, b"later") && !has(&parts.rest, b"between"));
    let mut whole = App::start(&bytes, None);
    let mut parted = App::start(&parts.first, Some(&parts.rest));
    // Until the rest is there, nobody reads its data.
    let first = 2000 + marked.len() as i32;
    for (at, is_there) in [(1000, true), (2000, false), (first, true), (first + 7, false)] {
        let expected = if is_there { whole.call("front", at) } else { 0 };
        assert_eq!(parted.call("front", at), expected, "{at}");
    }
    parted.call("page", 0);
    for at in (1000..1010).chain(1990..2100) {
        assert_eq!(parted.call("front", at), whole.call("front", at), "{at}");
    }
}

#[test]
fn leaves_data_alone_that_is_referred_to_by_number() {
    let marked = format!("{}later{}", text(START), text(END));
    let divided = |module: &str| {
        let bytes = wat::parse_str(module.replace("MARKED", &marked)).expect("a module");
        Data::divided(&bytes).expect("a module").map(|data| data.count())
    };
    assert_eq!(divided(r#"(module (memory 1) (data (i32.const 8) "aMARKEDb"))"#), Some(2));
    assert_eq!(divided(r#"(module (memory 1) (data (i32.const 8) "MARKED"))"#), Some(0));
    assert_eq!(divided(r#"(module (memory 1) (data (i32.const 8) "plain"))"#), None);
    assert_eq!(divided(r#"(module (memory 1) (data (i32.const 8) "MARKED") (data "x"))"#), None);
    let global =
        r#"(module (global $g i32 (i32.const 8)) (memory 1) (data (global.get $g) "MARKED"))"#;
    assert_eq!(divided(global), None);
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("a text")
}

#[test]
fn refuses_a_module_that_cannot_load_its_rest() {
    let bytes = wat::parse_str("(module (func $f))").expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let refused = split(&bytes, &module, &BTreeSet::new(), Names::Full).map(|_| ());
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
  (elem (i32.const 0) $"core::ptr::drop_in_place::<cache_explorer_site::view::pages::build::Line>" $"cache_explorer_site::view::pages::build::page")
  (func $"core::ptr::drop_in_place::<cache_explorer_site::view::pages::build::Line>")
  (func $"cache_explorer_site::view::pages::build::page" PADDING (call $"helper") (call $"shared"))
  (func $"helper")
  (func $"shared")
  (func $"leptos::For::<cache_explorer_site::view::pages::build::Line>" PADDING)
  (func (export "front") (call $"shared") (call $"leptos::For::<cache_explorer_site::view::pages::build::Line>")))"#;
    let bytes = wat::parse_str(text.replace("PADDING", &padding)).expect("a module");
    let module = Module::read(&bytes).expect("a module");
    let names: Vec<_> = later(&module, &places::APP)
        .into_iter()
        .filter_map(|id| Some(module.function(id)?.name.as_str()))
        .collect();
    // Small functions may have been merged with others.
    let expected = [
        "cache_explorer_site::view::pages::build::page",
        "helper",
        "leptos::For::<cache_explorer_site::view::pages::build::Line>",
    ];
    assert_eq!(names, expected);
}
