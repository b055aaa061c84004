//! Inputs that the fuzz targets found.

#[test]
fn prints_flags_without_a_dash_as_they_were_given() {
    for text in
        ["hdf5 cflags=a cflags=b", "cflags=-I cflags==a cflags=b cflags=-c", "cflags='-I a'"]
    {
        properties::spec(text.as_bytes());
    }
}

#[test]
fn reads_blanks_and_slashes_before_a_file_in_any_order() {
    for address in ["import=/%0Bmpi4py", "file=%20/%20/bin/h5dump%20", "file=/+/", "import=.a/"] {
        properties::address(address.as_bytes());
    }
}

/// A value may be a list of one if another build has a list for the same variant: a page does not show that.
#[test]
fn leaves_it_to_the_other_builds_whether_a_value_is_a_list() {
    let page = r#"---
title: zlib
layout: cache
categories: [package, develop]
meta: {"compilers": ["gcc@13.2.0"], "num_specs": 2, "num_specs_by_stack": {"root": 2}, "oss": ["rhel8"], "platforms": ["linux"], "stacks": ["root"], "targets": ["zen4"], "versions": ["1.3"]}
spec_details: [{"compiler": "gcc@13.2.0", "hash": "2dqr6c6tz4lpr32hw5pomh7n2pbjpom4", "os": "rhel8", "platform": "linux", "size": "-", "stacks": ["root"], "target": "zen4", "variants": ["languages=c"], "versions": ["1.3"]}, {"compiler": "gcc@13.2.0", "hash": "3rseveu6q45rfj5ffuyyp4jehmrgveef", "os": "rhel8", "platform": "linux", "size": "-", "stacks": ["root"], "target": "zen4", "variants": ["languages=c,fortran"], "versions": ["1.3"]}]
---"#;
    properties::page(page.as_bytes());
}

/// The library writes names and values of namespaces unescaped.
#[test]
fn writes_no_feed_that_is_read_as_another() {
    for attributes in
        ["xmlns:2<=\"a<b>&amp;amp;c&lt;d>\"", "xmlns:x=\"&amp;amp;\"", "xmlns:x=\"a&#10;b&lt;\""]
    {
        properties::feed(format!("<feed {attributes}/>").as_bytes());
    }
}

#[test]
fn prints_versions_that_begin_as_a_commit_does() {
    let commit = "a".repeat(40);
    for versions in ["0.5.2,COMMITnone.0", "1,COMMITx:", ":2,COMMIT", "=1,=COMMIT.2", "5,COMMIT:"] {
        for text in ["py-jax@", "%gcc@", "^mpi@"] {
            properties::spec(format!("{text}{}", versions.replace("COMMIT", &commit)).as_bytes());
        }
    }
}
