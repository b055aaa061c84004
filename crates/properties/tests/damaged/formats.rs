//! Samples of what only the command reads.

use super::{check, files, read, root};

/// Keys, armored and not, and texts that they signed.
fn keys() -> Vec<Vec<u8>> {
    let mut samples = files("tests/data/signed/cases/keys");
    let cases = root().join("tests/data/signed/cases");
    samples.extend(["plain.gpg", "two.asc", "elliptic.asc"].map(|name| read(&cases.join(name))));
    samples
}

#[test]
fn reads_keys_loudly_or_faithfully() {
    check("keys", properties::keys, keys(), 300);
}

#[test]
fn reads_lists_of_folders_loudly_or_faithfully() {
    let bucket = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
        <Name>b</Name><Prefix></Prefix><MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated>\
        <Contents><Key>v3/layout.json</Key><LastModified>2026-11-21T09:50:00.000Z</LastModified><ETag>&quot;0&quot;</ETag>\
        <Size>14</Size><StorageClass>STANDARD</StorageClass></Contents>\
        <NextContinuationToken>1ueGc</NextContinuationToken></ListBucketResult>";
    let samples = [
        bucket,
        "<ul>\n<li><a href=\"2026/\">2026/</a></li>\n<li><a href=\"index.manifest.json\">x</a></li>",
        "<a href=\"?C=N;O=D\">Name</a> <A HREF='/v3/manifests/'>Parent</A> <a href=e4s/>e4s/</a>",
        "<a href=\"../\">../</a>\n<a href=\"a%20b/\">a b/</a> <a href=\"./x%3Fy%23z\"> <a href=%25>",
    ];
    let samples = samples.map(|text| text.as_bytes().to_vec()).into();
    check("listing", properties::listing, samples, 3000);
}

#[test]
fn continues_feeds_loudly_or_faithfully() {
    let samples = [
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Ours</title><id>urn:uuid:1</id>\
         <updated>2026-11-20T09:50:00Z</updated><generator>cache-explorer</generator>\
         <author><name>Ours</name></author><link href=\"https://example.org/\" rel=\"alternate\"/>\
         <entry><title>2 builds published</title><id>urn:uuid:2</id><updated>2026-11-20T09:50:00Z</updated>\
         <category term=\"ab\" scheme=\"urn:uuid:3\" label=\"2 builds\"/>\
         <content type=\"html\">&lt;p>2 builds &amp;amp; more&lt;/p></content></entry></feed>",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"/a\"><title type=\"xhtml\"><div>a<b/></div></title><id/>\
         <updated>2026-11-20T09:50:00.5+01:00</updated><entry><id>a</id><title/><summary type=\"xhtml\"><p>x</p></summary>\
         <content src=\"b\" type=\"image/png\"/><published>2026-01-01T00:00:00Z</published><updated>2026-01-01T00:00:00Z</updated>\
         <source><title>s</title><id>s</id></source><rights>r</rights></entry></feed>",
    ];
    let samples = samples.map(|text| text.as_bytes().to_vec()).into();
    check("feed", properties::feed, samples, 3000);
}

#[test]
fn reads_what_is_watched_loudly_or_faithfully() {
    let samples =
        b"watch:\n  hdf5-2: 'hdf5@2:'\n  all: {spec: zlib}\n  production: {lock: a/spack.lock}\n";
    check("watch", properties::watch, vec![samples.to_vec()], 1500);
}
