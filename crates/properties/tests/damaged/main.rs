//! The properties on samples that were damaged on purpose, in the same ways every time: a few seconds of what the fuzz
//! targets do indefinitely.

mod formats;

use std::fs;
use std::path::{Path, PathBuf};

use cache_index::build::Place;
use cache_index::facts::Line;
use cache_index::index::{About, Index, pack};
use cache_ingest::compression::SizeLimit;
use cache_ingest::{read_database, read_page};
use cache_sample::Random;

/// Texts that parsers trip over.
const PIECES: [&str; 48] = [
    "\0",
    "\u{1}",
    "\u{1b}[2J",
    "\u{7f}",
    "\u{85}",
    "\u{202e}",
    "\u{feff}",
    "é",
    "😀",
    "\n",
    "\r\n",
    "\t",
    "\"",
    "'",
    "\\",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "=",
    "@",
    "+",
    "~",
    "%",
    "^",
    "/",
    "-",
    "--",
    "---\n",
    "null",
    "true",
    "-1",
    "1e999",
    "4294967295",
    "18446744073709551616",
    "0.1",
    "\"\"",
    "[]",
    "{}",
    "%00",
    "%f0%9f",
    "&",
    "*anchor",
    "<script>",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files(folder: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// The two shortest pages: longer ones contain nothing else.
fn pages() -> Vec<Vec<u8>> {
    let mut pages = files("seeds");
    pages.sort_by_key(Vec::len);
    pages.truncate(2);
    pages
}

fn databases() -> Vec<Vec<u8>> {
    files("tests/data/database")
}

fn indexes() -> Vec<Vec<u8>> {
    let place = Place::whole_release("develop");
    let databases = databases()
        .into_iter()
        .map(|file| read_database(&file[..], &place).into_result().expect("good").builds);
    let pages = pages().into_iter().map(|page| {
        let text = String::from_utf8(page).expect("UTF-8");
        read_page(&text).into_result().expect("a page").builds.into_iter().take(20).collect()
    });
    let packed = databases.chain(pages).map(|builds| pack(About::default(), builds));
    packed.map(|index| index.expect("different hashes").to_json().into_bytes()).collect()
}

fn specs() -> Vec<Vec<u8>> {
    let recorded = root().join("crates/spack-spec/tests/data");
    ["queries.txt", "syntax.txt"]
        .iter()
        .flat_map(|name| {
            let text = String::from_utf8(read(&recorded.join(name))).expect("UTF-8");
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            // The text is the second field of one file, and the third of the other.
            let field = if *name == "queries.txt" { 1 } else { 2 };
            let texts = lines.filter_map(|line| line.split('\t').nth(field));
            texts.map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>()
        })
        .step_by(7)
        .collect()
}

fn addresses() -> Vec<Vec<u8>> {
    [
        "q=hdf5&os=ubuntu22.04&os=rhel8&target=x86_64_v3&not.stack=tutorial&sort=-builds",
        "?q=hdf5@1.14:%20%5Empich&variant=mpi&variant=~shared&all=variant&not.variant=api=v110",
        "package=py-torch&version=2.4.1&compiler=gcc@13.2.0&platform=linux&release=develop&libc=glibc",
        "hash=2dqr6c6tz4lpr32hw5pomh7n2pbjpom4&host=linux.ubuntu24.04.zen4&runs=yes&runs=unknown",
        "compare=2dqr6c6tz4lpr32hw5pomh7n2pbjpom4&compare=3rseveu6q45rfj5ffuyyp4jehmrgveef",
        "tab=coverage&across=stack&columns=version,variants,os&sort=os",
        "provider=mpi=openmpi@5.0.6&all=provider&all=stack&stack=e4s&stack=root",
        "q=%F0%9F%98%80+a&&=&os=&os&q=b&unknown=1",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}

/// Damages a sample in a few places.
fn damaged(random: &mut Random, samples: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = samples[random.below(samples.len())].clone();
    for _ in 0..1 + random.small(6) {
        let from = random.below(bytes.len() + 1);
        let to = (from + random.small(40)).min(bytes.len());
        let piece = random.pick(&PIECES).as_bytes();
        match random.below(8) {
            0 => drop(bytes.drain(from..to)),
            1 => drop(bytes.splice(from..to, piece.iter().copied())),
            2 => drop(bytes.splice(from..from, piece.iter().copied())),
            3 => drop(bytes.splice(from..from, piece.repeat(random.small(3000)))),
            4 => {
                let again = bytes[from..to].to_vec();
                drop(bytes.splice(from..from, again));
            }
            5 => {
                let other = &samples[random.below(samples.len())];
                let start = random.below(other.len() + 1);
                let end = (start + random.small(400)).min(other.len());
                drop(bytes.splice(from..to, other[start..end].iter().copied()));
            }
            6 => {
                // A changed number is the damage that is hardest to notice.
                let digits = bytes.iter_mut().skip(from).filter(|byte| byte.is_ascii_digit());
                digits
                    .take(1 + random.small(2))
                    .for_each(|byte| *byte = b'0' + random.below(10) as u8);
            }
            _ if random.chance(20) => bytes.truncate(from),
            _ => bytes.iter_mut().skip(from).take(1).for_each(|byte| *byte = random.bits() as u8),
        }
    }
    bytes
}

/// Checks each sample unchanged and damaged, and inputs that are large without content. If the variable `CORPUS` names a
/// folder, the samples are written into it instead, for the fuzz target of this name to begin with.
#[track_caller]
fn check(target: &str, property: fn(&[u8]), samples: Vec<Vec<u8>>, times: usize) {
    if let Some(corpus) = std::env::var_os("CORPUS") {
        let folder = Path::new(&corpus).join(target);
        fs::create_dir_all(&folder).expect("a folder");
        for (number, sample) in samples.iter().enumerate() {
            fs::write(folder.join(format!("sample-{number}")), sample).expect("a file");
        }
        return;
    }
    let holds = |bytes: &[u8]| {
        let outcome = std::panic::catch_unwind(|| property(bytes));
        if outcome.is_err() {
            let path = std::env::temp_dir().join(format!("property-{}", std::process::id()));
            fs::write(&path, bytes).expect("a file");
            panic!("the property does not hold for the bytes in {}", path.display());
        }
    };
    samples.iter().for_each(|sample| holds(sample));
    // Other damage: DAMAGE=7 cargo test -p properties.
    let seed = std::env::var("DAMAGE").map_or(1, |seed| seed.parse().expect("a number"));
    let mut random = Random::new(seed, samples.len() as u64);
    for _ in 0..times {
        holds(&damaged(&mut random, &samples));
    }
    for piece in
        ["", "a", " ", "\0", "[", "{\"a\":", "---\n", "- ", "'", "k='", "@1,", "^[", "q=a&", "é"]
    {
        holds(piece.repeat((1 << 20) / piece.len().max(1)).as_bytes());
    }
}

#[test]
fn reads_pages_loudly_or_faithfully() {
    check("page", properties::page, pages(), 1500);
}

#[test]
fn reads_databases_loudly_or_faithfully() {
    check("database", properties::database, databases(), 1500);
}

/// What Spack prints for people, and a list of hashes.
const PASTED: [&str; 4] = [
    "==> 2 installed packages\n-- linux-amzn2-icelake / %c,cxx=gcc@12.4.0 ----\ny4ovklt zlib-ng@2.3.2+compat\n\
     wmafzah     compiler-wrapper@1.0\n",
    " -   hhw4dib  hdf5@1.14.5%gcc@13.2.0+mpi arch=linux-rhel8-zen4\n[+]  q5byyxm      ^zlib@1.3\n\
     [e]  \u{1b}[0;36mabcdefg\u{1b}[0m      ^glibc@2.28 build_system=autotools\n",
    "Input spec\n----\n -   zlib\n\nConcretized\n----\n[b]  hhw4dib  zlib@1.3\n",
    "/hhw4di5zdxog5o5iymayxskgoslp5c5l\nhhw4di5zdxog5o5iymayxskgoslp5c5m\n",
];

/// Lock files of old and new versions, and the two forms that people write.
fn environments() -> Vec<Vec<u8>> {
    let names =
        ["zlib-only/spack.lock", "legacy/v1.lock", "legacy/v3.lock", "groups.yaml", "find.json"];
    let mut samples: Vec<Vec<u8>> =
        names.map(|name| read(&root().join("tests/data/environment").join(name))).into();
    samples.push(b"# a list\n- hdf5@1.14 +mpi\nzlib %gcc@12 # one more\n".to_vec());
    samples.extend(PASTED.map(|text| text.as_bytes().to_vec()));
    samples
}

#[test]
fn reads_environments_loudly_or_faithfully() {
    check("environment", properties::environment, environments(), 800);
}

#[test]
fn reads_settings_loudly_or_faithfully() {
    let lists = b"concretizer:\n  reuse:\n    roots: false\n    from:\n    - {type: buildcache, exclude: ['%gcc@:12', zlib]}\n\
        \x20   - {type: local}\n  targets: {granularity: generic, host_compatible: false}\n  os_compatible: {sonoma: [ventura]}\n";
    let packages = b"spack:\n  packages:\n    all: {require: '%gcc@12'}\n    cmake:\n      externals:\n\
        \x20     - {spec: cmake@3.30, prefix: /usr, modules: [cmake/3]}\n  repos:\n    site: /repos/site\n  include: [more.yaml]\n";
    let samples =
        vec![lists.to_vec(), packages.to_vec(), read(&root().join("tests/data/reuse/spack.yaml"))];
    check("settings", properties::settings, samples, 1500);
}

/// Returns each mirror entry that was tested with Spack, in a file of its own.
fn mirrors() -> Vec<Vec<u8>> {
    let entries = read(&root().join("tests/data/environment/mirror-entries.json"));
    let entries: Vec<serde_json::Value> = serde_json::from_slice(&entries).expect("JSON");
    let mut samples: Vec<Vec<u8>> = entries
        .iter()
        .map(|entry| serde_json::json!({"mirrors": {"m": entry["entry"]}}).to_string().into_bytes())
        .collect();
    samples.push(b"spack:\n  mirrors::\n    m: {url: s3://b, access_pair: [me, word]}\n".to_vec());
    samples
}

#[test]
fn reads_mirrors_of_settings_loudly_or_faithfully() {
    check("mirrors", properties::mirrors, mirrors(), 1500);
}

/// A list of `spack list`, files of packages.spack.io, and a tarball of these.
fn recipes() -> Vec<Vec<u8>> {
    let mut samples = files("tests/data/recipes/packages");
    samples.sort_by_key(Vec::len);
    samples.truncate(4);
    let two = samples[..2].join(&b',');
    samples.push([b"[", &two[..], b"]"].concat());
    samples.push(read(&root().join("tests/data/recipes/version_json.json")));
    let mut tarball = tar_header(samples[0].len());
    tarball.extend(&samples[0]);
    tarball.resize(tarball.len().next_multiple_of(512) + 1024, 0);
    samples.push(tarball);
    samples
}

/// Returns the header of a file `packages/a.json`.
fn tar_header(length: usize) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..15].copy_from_slice(b"packages/a.json");
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{length:011o}").as_bytes());
    header[156..157].copy_from_slice(b"0");
    header[257..262].copy_from_slice(b"ustar");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header
}

#[test]
fn reads_recipes_loudly_or_faithfully() {
    check("recipes", properties::recipes, recipes(), 1500);
}

#[test]
fn reads_manifests_loudly_or_faithfully() {
    let samples = vec![read(&root().join("tests/data/cache_spack_io_index.json"))];
    check("manifest", properties::manifest, samples, 1500);
}

/// Returns the files of a folder with their paths.
fn folder(path: &Path) -> Vec<Vec<u8>> {
    fn collect(folder: &Path, below: &str, files: &mut Vec<Vec<u8>>) {
        let mut entries: Vec<_> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file")).collect();
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            let path = format!("{below}{}", entry.file_name().to_string_lossy());
            match entry.path().is_dir() {
                true => collect(&entry.path(), &format!("{path}/"), files),
                false => files.push([path.as_bytes(), b"\n", &read(&entry.path())].concat()),
            }
        }
    }
    let mut files = Vec::new();
    collect(path, "", &mut files);
    files
}

#[test]
fn reads_mirrors_loudly_or_faithfully() {
    let mirrors = ["mirror-v2", "mirror-v3", "mirror-1.3", "signed/mirror", "signed/named"];
    let mirror = |name| folder(&root().join("tests/data").join(name)).join(&b'\x1e');
    check("mirror", properties::mirror, mirrors.map(mirror).into(), 300);
}

#[test]
fn reads_repositories_loudly_or_faithfully() {
    let mut samples = files("tests/data/oci-layout/blobs/sha256");
    samples.push(read(&root().join("tests/data/oci-layout/index.json")));
    check("repository", properties::repository, samples, 1500);
}

/// Gzip with stored blocks, so that damage stays where it was made, and a zstd frame with a stored block.
fn streams() -> Vec<Vec<u8>> {
    let zstd = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 0x11, 0, 0][..], b"{}"].concat();
    let gzip = [
        &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, 2, 0, 0xfd, 0xff][..],
        b"{}",
        &[0x43, 0xbf, 0xa6, 0xa3, 2, 0, 0, 0],
    ]
    .concat();
    vec![zstd, gzip, b"{}".to_vec()]
}

/// Caches, an environment and settings, as files with their paths.
fn chosen() -> Vec<Vec<u8>> {
    let file = |name: &str, content: &[u8]| [name.as_bytes(), b"\n", content].concat();
    let database = databases().swap_remove(0);
    let mirror = [
        file("mirror/build_cache/index.json", &database),
        file("mirror/v3/layout.json", b"{\"version\": 3}"),
    ];
    let both = [file("a.json", &database), file("pages/b.md", &pages().swap_remove(0))];
    let environment = file("spack.lock", &environments().swap_remove(0));
    let settings = b"concretizer:\n  reuse:\n    roots: true\n    from:\n    - type: buildcache\n";
    let packages = br#"{"zlib": {"uid": "zlib", "url": "x", "releases": ["develop"], "specs":
        ["hhw4di5zdxog5o5iymayxskgoslp5c5l"]}}"#;
    let specs = br#"{"hhw4di5zdxog5o5iymayxskgoslp5c5l": {"hash": "hhw4di5zdxog5o5iymayxskgoslp5c5l", "version": "1.3",
        "variants": ["+pic", "~shared", "languages=c", "languages=fortran", "cflags=-O2"], "platform": "linux",
        "os": "rhel9", "target": "zen4", "dependencies": [], "stacks": ["e4s"], "releases": ["develop"]}}"#;
    let data = [file("api/package_data.json", packages), file("api/specs_data.json", specs)];
    vec![
        data.join(&b'\x1e'),
        file("index.json", &indexes().swap_remove(0)),
        mirror.join(&b'\x1e'),
        both.join(&b'\x1e'),
        environment,
        file("concretizer.yaml", settings),
    ]
}

#[test]
fn opens_chosen_files_loudly_or_faithfully() {
    check("chosen", properties::chosen, chosen(), 500);
}

#[test]
fn reads_streams_loudly_or_to_their_end() {
    check("stream", properties::stream, streams(), 1500);
}

/// Real tarballs, decompressed and not, and the libraries of one.
fn binaries() -> Vec<Vec<u8>> {
    let packed = files(
        "tests/data/binaries/v2-plain/build_cache/linux-debian12-x86_64_v2/gcc-12.2.0/lab-zed-1.0",
    );
    let unpacked: Vec<Vec<u8>> = packed
        .iter()
        .map(|bytes| {
            let mut unpacked = Vec::new();
            let mut input =
                cache_ingest::decompress(&bytes[..], SizeLimit::default()).expect("gzip");
            std::io::Read::read_to_end(&mut input, &mut unpacked).expect("a tarball");
            unpacked
        })
        .collect();
    let elf = |bytes: &Vec<u8>| {
        let at = bytes.windows(4).position(|four| four == b"\x7fELF").expect("a library");
        bytes[at..].to_vec()
    };
    let libraries: Vec<Vec<u8>> = unpacked.iter().map(elf).collect();
    [packed, unpacked, libraries].concat()
}

#[test]
fn reads_binaries_loudly_or_faithfully() {
    check("binary", properties::binary, binaries(), 1500);
}

#[test]
fn loads_indexes_loudly_or_faithfully() {
    check("index", properties::index, indexes(), 1500);
}

#[test]
fn reads_sites_loudly_or_faithfully() {
    let index = indexes().swap_remove(0);
    let script = |id: &str, text: &str| {
        format!("<script type=\"application/json\" id=\"{id}\">{text}</script>")
    };
    let index = script("index", &String::from_utf8(index).expect("UTF-8"));
    let beside =
        script("parts", r#"{"index":{"length":2,"digest":"sha256-","file":"index-1.json"}}"#);
    let samples = [format!("<head></head><body>{index}"), format!("<head>{beside}</head>{index}")];
    check("site", properties::site, samples.map(String::into_bytes).into(), 1500);
}

/// What `inspect` writes of a binary.
#[test]
fn reads_facts_loudly_or_faithfully() {
    let found =
        cache_ingest::binary::read_binary(&binaries()[0][..], None).expect("a binary").facts;
    let hash = "hhw4di5zdxog5o5iymayxskgoslp5c5l".parse().expect("a hash");
    let digest = "ab".repeat(32);
    let lines = [
        Line::first(),
        Line::Binary { digest: digest.clone(), found: Box::new(found) },
        Line::Build { hash, digest },
    ];
    let lines = lines.map(|line| serde_json::to_string(&line).expect("JSON"));
    check("facts", properties::facts, vec![lines.join("\n").into_bytes()], 1000);
}

/// What `index --facts` writes of the same binary.
#[test]
fn reads_shards_loudly_or_faithfully() {
    let binaries = binaries();
    let facts = cache_ingest::binary::read_binary(&binaries[0][..], None).expect("a binary").facts;
    // The same index as the property uses.
    let index = read(&root().join("crates/cache-index/tests/golden/format-2/external.json"));
    let mut index = Index::from_json(&String::from_utf8_lossy(&index)).expect("an index");
    index.add_facts(&|_| Some(&facts)).expect("the first facts");
    let texts = index.facts().expect("facts");
    let shards = texts.contents.iter().map(|shard| &shard.text);
    let shards = shards.chain(texts.files.iter().map(|shard| &shard.text));
    let whole = [texts.by_build.clone(), index.to_json_with_facts()];
    let samples = shards.cloned().chain(whole).map(String::into_bytes).collect();
    check("shard", properties::shard, samples, 1000);
}

#[test]
fn reads_machines_and_addresses_of_repositories() {
    let mut samples = files("crates/cache-advice/src/machine_words/samples");
    let typed = [
        "Rocky 9, sapphire rapids, 4x H100",
        "linux-ubuntu22.04-zen4 glibc 2.35, sm_90 and gfx90a",
        "NAME=\"SLES\"\nVERSION_ID=\"15.5\"\nldd (GNU libc) 2.31",
        "oci+http://127.0.0.1:5000/caches/e4s:v1",
    ];
    samples.extend(typed.map(|text| text.as_bytes().to_vec()));
    check("machine", properties::machine, samples, 1500);
}

#[test]
fn reads_specs_loudly_or_faithfully() {
    check("spec", properties::spec, specs(), 4000);
}

#[test]
fn reads_addresses_loudly_or_faithfully() {
    check("address", properties::address, addresses(), 4000);
}
