//! What changed between two snapshots.

use serde_json::{Value, json};

use crate::desk::{Desk, data};

#[test]
fn lists_changes_by_package() {
    let desk = Desk::new();
    let (old, new) =
        (data("environment/zlib-only/index.json"), data("environment/dev-path/index.json"));
    let outcome = desk.run(&["changes", &old, &new, "--json"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let changes: Value = serde_json::from_str(&outcome.out).expect("JSON");
    let count = |side: &str| changes[side].as_array().map_or(0, Vec::len);
    let packages = changes["packages"].as_array().expect("a list");
    let sum = |field: &str| packages.iter().filter_map(|p| p[field].as_u64()).sum::<u64>() as usize;
    assert!(count("came") > 10);
    assert_eq!((sum("came"), sum("went")), (count("came"), count("went")));
    let hdf5 = packages.iter().find(|package| package["package"] == "hdf5").expect("hdf5");
    assert_eq!((&hdf5["class"], &hdf5["before"]), (&json!("new package"), &json!([])));

    let back = desk.run(&["changes", &new, &old, "--json"]);
    let back: Value = serde_json::from_str(&back.out).expect("JSON");
    assert_eq!(
        (&back["came"], &back["went"], &back["stayed"]),
        (&changes["went"], &changes["came"], &changes["stayed"])
    );
}

#[test]
fn exits_with_1_if_anything_changed() {
    let desk = Desk::new();
    let (old, new) =
        (data("environment/zlib-only/index.json"), data("environment/dev-path/index.json"));
    assert_eq!(desk.run(&["changes", &old, &old, "--exit-code"]).code, Some(0));
    assert_eq!(desk.run(&["changes", &old, &new, "--exit-code"]).code, Some(1));
    assert_eq!(desk.run(&["changes", &old, &new]).code, Some(0));
    assert_eq!(desk.run(&["changes", &old, "nosuch", "--exit-code"]).code, Some(2));
    let table = desk.run(&["changes", &old, &new]).out;
    let header: Vec<&str> = table.lines().nth(1).expect("a header").split_whitespace().collect();
    assert_eq!(header, ["package", "versions", "+came", "-went", "=stayed", "change"]);
    let none = desk.run(&["changes", &old, &old]).out;
    assert_eq!(none, "0 builds came, 0 went, 4 stayed\n");
    let markdown = desk.run(&["changes", &old, &new, "--markdown"]).out;
    assert!(markdown.starts_with("**") && markdown.contains("\n| hdf5 |  | "), "{markdown}");
}
