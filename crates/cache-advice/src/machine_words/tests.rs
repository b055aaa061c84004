//! Machines as people write and paste them.

use proptest::prelude::*;

use super::*;

/// Checks architecture and libc; `-` stands for what is not known.
#[track_caller]
fn check(text: &str, arch: [&str; 3], libc: &str) {
    let machine = DescribedMachine::read(text);
    let parts = [&machine.platform, &machine.os, &machine.target, &machine.libc];
    let found = parts.map(|part| part.value().unwrap_or("-"));
    assert_eq!(found, [arch[0], arch[1], arch[2], libc], "{text}\n{machine:?}");
}

#[test]
fn reads_systems_in_the_words_of_people() {
    let linux = |os: &'static str| ["linux", os, "-"];
    check("Ubuntu 22.04", linux("ubuntu22.04"), "glibc@2.35");
    check("Ubuntu 22.04.4 LTS", linux("ubuntu22.04"), "glibc@2.35");
    check("ubuntu 24.04 (noble)", linux("ubuntu24.04"), "glibc@2.39");
    check("jammy", linux("ubuntu22.04"), "glibc@2.35");
    check("Ubuntu jammy", linux("ubuntu22.04"), "glibc@2.35");
    check("Debian 12", linux("debian12"), "glibc@2.36");
    check("Debian GNU/Linux 12 (bookworm)", linux("debian12"), "glibc@2.36");
    check("Rocky 9", linux("rocky9"), "glibc@2.34");
    check("Rocky Linux release 9.3 (Blue Onyx)", linux("rocky9"), "glibc@2.34");
    check("RHEL 8.6", linux("rhel8"), "glibc@2.28");
    check("Red Hat Enterprise Linux 8", linux("rhel8"), "glibc@2.28");
    check("red hat enterprise linux server release 7.9", linux("rhel7"), "glibc@2.17");
    check("el8", linux("rhel8"), "glibc@2.28");
    check("CentOS 7", linux("centos7"), "glibc@2.17");
    check("CentOS Stream 9", linux("centos9"), "glibc@2.34");
    check("alma 9", linux("almalinux9"), "glibc@2.34");
    check("Oracle Linux 8", linux("oracle8"), "glibc@2.28");
    check("Fedora 40", linux("fedora40"), "glibc@2.39");
    check("Amazon Linux 2", linux("amzn2"), "glibc@2.26");
    check("Amazon Linux 2023", linux("amzn2023"), "glibc@2.34");
    check("SUSE Linux Enterprise Server 15 SP4", linux("sles15"), "glibc@2.31");
    check("SLES 15", linux("sles15"), "-");
    check("openSUSE Leap 15.5", linux("opensuse15"), "glibc@2.31");
    check("Alpine 3.19", linux("alpine3"), "musl@1.2.4");
    check("macOS 15 Sequoia", ["darwin", "sequoia", "-"], "-");
    check("Sequoia", ["darwin", "sequoia", "-"], "-");
    check("macOS 14.5, M2 Pro", ["darwin", "sonoma", "m2"], "-");
    check("Mac OS X 10.15", ["darwin", "catalina", "-"], "-");
    check("MacBook Pro M3 Max", ["darwin", "-", "m3"], "-");
    check("Windows Server 2022", ["windows", "windows10.0.20348", "-"], "-");
    check("Windows 11 23H2", ["windows", "windows10.0.22631", "-"], "-");
}

#[test]
fn reads_processors_in_the_words_of_people() {
    let cpu = |target: &'static str| ["-", "-", target];
    check("sapphire rapids", cpu("sapphirerapids"), "-");
    check("Sapphire-Rapids", cpu("sapphirerapids"), "-");
    check("emerald rapids", cpu("sapphirerapids"), "-");
    check("zen 3", cpu("zen3"), "-");
    check("AMD EPYC Milan", cpu("zen3"), "-");
    check("AMD EPYC 7763 64-Core Processor", cpu("zen3"), "-");
    check("2x EPYC 9654", cpu("zen4"), "-");
    check("EPYC 7763P", cpu("zen3"), "-");
    check("Xeon Platinum 8259CL", cpu("cascadelake"), "-");
    // What follows a number is read, too.
    check("EPYC 7763, Ubuntu 22.04", ["linux", "ubuntu22.04", "zen3"], "glibc@2.35");
    check("EPYC 7763, Ubuntu 22.04, glibc 2.31", ["linux", "ubuntu22.04", "zen3"], "glibc@2.31");
    check("Ubuntu 22.04, EPYC 7763, glibc 2.31", ["linux", "ubuntu22.04", "zen3"], "glibc@2.31");
    check("Intel Xeon Gold 6248, RHEL 8.6", ["linux", "rhel8", "cascadelake"], "glibc@2.28");
    for cpu in
        ["EPYC 7763", "EPYC 7A53", "Xeon Gold 6330", "Xeon Platinum 8480+", "Core i7", "i9-13900K"]
    {
        for between in [", ", "; ", " with 4x ", "\n"] {
            let machine = DescribedMachine::read(&format!("Ubuntu 22.04, {cpu}{between}A100"));
            assert_eq!(machine.gpus.len(), 1, "{cpu}{between}A100: {machine:?}");
        }
    }
    check("EPYC Turin", cpu("zen5"), "-");
    check("Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz", cpu("cascadelake"), "-");
    check("Intel(R) Xeon(R) Platinum 8480+", cpu("sapphirerapids"), "-");
    check("Xeon E5-2680 v4", cpu("broadwell"), "-");
    check("ice lake server", cpu("icelake"), "-");
    check("skylake-avx512", cpu("skylake_avx512"), "-");
    check("x86-64-v3", cpu("x86_64_v3"), "-");
    check("Graviton3", cpu("neoverse_v1"), "-");
    check("Neoverse-V2", cpu("neoverse_v2"), "-");
    check("Fujitsu A64FX", cpu("a64fx"), "-");
    check("POWER9", cpu("power9le"), "-");
    check("intel", cpu("x86_64"), "-");
    check("intel skylake", cpu("skylake"), "-");
    check("NVIDIA Grace", cpu("neoverse_v2"), "-");
}

#[test]
fn knows_the_processors_of_laptops_and_desktops() {
    for (text, target) in [
        ("ryzen 7950X", "zen4"),
        ("Ryzen 9 7950X", "zen4"),
        ("AMD Ryzen 9 7950X 16-Core Processor", "zen4"),
        ("Ryzen 9 7950X3D", "zen4"),
        ("ryzen 5 5600", "zen3"),
        ("AMD Ryzen 7 5800X3D 8-Core Processor", "zen3"),
        ("AMD Ryzen 7 5700U with Radeon Graphics", "zen2"),
        ("AMD Ryzen 7 PRO 5850U with Radeon Graphics", "zen3"),
        ("Ryzen 5 3600", "zen2"),
        ("Ryzen 5 3400G", "zen"),
        ("Ryzen 7 2700X", "zen"),
        ("AMD Ryzen 5 7530U", "zen3"),
        ("AMD Ryzen 3 7320U", "zen2"),
        ("AMD Ryzen 7 PRO 7840U", "zen4"),
        ("Ryzen 7 8845HS", "zen4"),
        ("Ryzen 9 9950X", "zen5"),
        ("AMD Ryzen AI 9 HX 370", "zen5"),
        ("Ryzen AI Max+ 395", "zen5"),
        ("AMD Ryzen Threadripper PRO 5995WX 64-Cores", "zen3"),
        ("Threadripper 3970X", "zen2"),
        ("Intel(R) Core(TM) i7-4790 CPU @ 3.60GHz", "haswell"),
        ("i5-6600K", "skylake"),
        ("Intel(R) Core(TM) i7-8565U CPU @ 1.80GHz", "skylake"),
        ("Core i9 9900K", "skylake"),
        ("Intel(R) Core(TM) i9-7980XE CPU @ 2.60GHz", "skylake_avx512"),
        ("i9-10900K", "skylake"),
        ("i9-10980XE", "cascadelake"),
        ("i7-1065G7", "cannonlake"),
        ("11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz", "icelake"),
        ("11th Gen Intel(R) Core(TM) i7-11800H @ 2.30GHz", "icelake"),
        ("i9-11900K", "cannonlake"),
        ("13th Gen Intel(R) Core(TM) i7-13700K", "skylake"),
        ("13th gen intel core i7 13700K", "skylake"),
        ("i5-1240P", "skylake"),
        ("i5 12th gen", "skylake"),
        ("4th generation Core i7", "haswell"),
        ("Intel(R) Core(TM) Ultra 7 155H", "skylake"),
        ("Core Ultra 9 285K", "skylake"),
        ("core ultra", "skylake"),
        ("Tiger Lake", "icelake"),
        // A number that no such processor has decides nothing.
        ("ryzen 7", "x86_64"),
        ("Core i7", "x86_64"),
        ("i7-99999K", "-"),
        ("M2 Ultra", "m2"),
    ] {
        let machine = DescribedMachine::read(text);
        assert_eq!(machine.target.value().unwrap_or("-"), target, "{text}: {machine:?}");
        let is_read = machine.unread.is_empty();
        assert!(is_read || target == "-", "{text}: {:?}", machine.unread);
    }
    // What follows the number is read, too.
    let machine = DescribedMachine::read("Fedora 40, i7 9700 RTX 4090");
    assert_eq!(machine.arch().as_deref(), Some("linux-fedora40-skylake"));
    assert_eq!((machine.gpus.len(), machine.unread.len()), (1, 0), "{machine:?}");
    let machine = DescribedMachine::read("Core i5-13600K");
    let why = "Spack has no newer target than skylake for Intel's processors without AVX-512";
    assert_eq!(machine.assumptions(), [format!("target skylake: {why}")]);
}

#[test]
fn says_what_is_assumed_of_a_machine_in_an_address() {
    let check = |arch: &str, libc: &str, expected: &[&str]| {
        let host = Host::from_arch(arch, libc).expect("a machine");
        assert_eq!(assumed_of(&host), expected, "{arch} {libc}");
    };
    let family = "target x86_64: only the family of the processor is known";
    let libc = "libc glibc@2.39: fedora40 ships it";
    check("linux-fedora40-x86_64", "glibc@2.39", &[family, libc]);
    check("linux-fedora40-zen4", "glibc@2.39", &[libc]);
    check("linux-fedora40-zen4", "glibc@2.41", &[]);
    check(
        "linux-fedora40-aarch64",
        "",
        &["target aarch64: only the family of the processor is known"],
    );
    check("darwin-sequoia-m1", "", &[]);
}

#[test]
fn reads_everything_at_once_and_says_what_it_assumed() {
    check("Rocky 9 sapphire rapids", ["linux", "rocky9", "sapphirerapids"], "glibc@2.34");
    check("zen3, ubuntu 20.04, glibc 2.31", ["linux", "ubuntu20.04", "zen3"], "glibc@2.31");
    check("arm macbook on sonoma", ["darwin", "sonoma", "m1"], "-");
    check("MacBook Pro M2 Pro, macOS Sonoma", ["darwin", "sonoma", "m2"], "-");
    check(
        "ProductName: macOS\nProductVersion: 15.1\nApple M2 Pro",
        ["darwin", "sequoia", "m2"],
        "-",
    );
    let lscpu = "Architecture: x86_64\nModel name: AMD EPYC 7763 64-Core Processor\nUbuntu 22.04";
    check(lscpu, ["linux", "ubuntu22.04", "zen3"], "glibc@2.35");
    check("ubuntu22.04-zen3", ["linux", "ubuntu22.04", "zen3"], "glibc@2.35");
    let release = "DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=24.04\nDISTRIB_CODENAME=noble\nzen4";
    check(release, ["linux", "ubuntu24.04", "zen4"], "glibc@2.39");
    let machine = DescribedMachine::read("Rocky 9 emerald rapids with 4x H100 and frobnicator");
    assert_eq!(machine.unread, ["frobnicator"]);
    let unread = DescribedMachine::read("WSL2 Ubuntu").unread;
    assert!(unread.iter().any(|word| lacks_version(word)), "{unread:?}");
    assert_eq!(machine.missing(), [""; 0]);
    assert_eq!(
        machine.assumptions(),
        [
            "target sapphirerapids: Spack has no newer target than sapphirerapids for Intel's servers",
            "libc glibc@2.34: rocky9 ships it"
        ]
    );
    assert_eq!(DescribedMachine::read("Rocky 9").missing(), ["target"]);
    assert_eq!(DescribedMachine::read("zen3").missing(), ["platform", "OS"]);
    // What is stated counts more than what a distribution ships.
    check("rocky 9 zen3 glibc-2.39", ["linux", "rocky9", "zen3"], "glibc@2.39");
}

#[test]
fn reads_gpus_in_the_words_of_people() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let machine = DescribedMachine::read(text);
        let found: Vec<String> = machine.gpus.iter().map(|gpu| gpu.chip.to_string()).collect();
        assert_eq!(found, expected, "{text}: {machine:?}");
    }
    let capability = |version: &str| format!("compute capability {version}");
    check("H100", &[&capability("9.0")]);
    check("NVIDIA H100 80GB HBM3", &[&capability("9.0")]);
    check("sm_90", &[&capability("9.0")]);
    check("sm90", &[&capability("9.0")]);
    check("sm_90a", &[&capability("9.0")]);
    check("compute capability 8.6", &[&capability("8.6")]);
    check("cuda_arch=80", &[&capability("8.0")]);
    check("Tesla V100-SXM2-32GB", &[&capability("7.0")]);
    check("RTX 3090 Ti", &[&capability("8.6")]);
    check("GeForce RTX 4090", &[&capability("8.9")]);
    check("RTX 6000 Ada", &[&capability("8.9")]);
    check("Quadro RTX 6000", &[&capability("7.5")]);
    check("RTX PRO 6000 Blackwell", &[&capability("12.0")]);
    check("4x A100 40GB", &[&capability("8.0")]);
    check("A100 and T4", &[&capability("8.0"), &capability("7.5")]);
    check("gfx90a", &["gfx90a"]);
    check("amdgpu_target=gfx942", &["gfx942"]);
    check("gfx90a:xnack+", &["gfx90a:xnack+"]);
    check("MI250X", &["gfx90a"]);
    check("AMD Instinct MI300A", &["gfx942"]);
    check("Radeon RX 7900 XTX", &["gfx1100"]);
    check("no gpu at all", &[]);
    // Boards with a processor of their own.
    assert_eq!(DescribedMachine::read("GH200").target.value(), Some("neoverse_v2"));
    let hopper = DescribedMachine::read("Alma 9 Grace Hopper");
    assert_eq!(hopper.target.value(), Some("neoverse_v2"));
    assert_eq!(hopper.gpus[0].text(), "GH200");
    assert_eq!(DescribedMachine::read("MI300A").target.value(), Some("zen4"));
}

#[test]
fn reads_what_commands_print() {
    check("$ spack arch\nlinux-ubuntu24.04-zen4\n", ["linux", "ubuntu24.04", "zen4"], "glibc@2.39");
    check(
        "PS C:\\spack> spack arch\r\nwindows-windows10.0.20348-x86_64\r\n",
        ["windows", "windows10.0.20348", "x86_64"],
        "-",
    );
    check(
        "linux-rhel8-icelake\nldd (GNU libc) 2.28\n",
        ["linux", "rhel8", "icelake"],
        "glibc@2.28",
    );
    check("ldd (Ubuntu GLIBC 2.35-0ubuntu3.8) 2.35", ["-", "-", "-"], "glibc@2.35");
    check(
        "musl libc (x86_64)\nVersion 1.2.4\nDynamic Program Loader",
        ["-", "-", "-"],
        "musl@1.2.4",
    );
    check("glibc 2.17", ["-", "-", "-"], "glibc@2.17");
    check(
        "NAME=\"Rocky Linux\"\nVERSION=\"9.3 (Blue Onyx)\"\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n\
         VERSION_ID=\"9.3\"\nPLATFORM_ID=\"platform:el9\"\nPRETTY_NAME=\"Rocky Linux 9.3 (Blue Onyx)\"\n",
        ["linux", "rocky9", "-"],
        "glibc@2.34",
    );
    check(
        "NAME=\"SLES\"\nVERSION=\"15-SP5\"\nVERSION_ID=\"15.5\"\nID=\"sles\"\nID_LIKE=\"suse\"\n",
        ["linux", "sles15", "-"],
        "glibc@2.31",
    );
    check("NAME=\"Gentoo\"\nID=gentoo\nVERSION_ID=\"2.17\"\n", ["linux", "gentoo2", "-"], "-");
    check("ID=clear-linux-os\nVERSION_ID=42000\n", ["linux", "clear_linux_os42000", "-"], "-");
    let tumbleweed = "ID=\"opensuse-tumbleweed\"\nVERSION_ID=\"20261120\"\n";
    check(tumbleweed, ["linux", "-", "-"], "-");
    check(
        &format!("{tumbleweed}ldd (GNU libc) 2.42\n"),
        ["linux", "opensusetumbleweed2.42", "-"],
        "glibc@2.42",
    );
    check(
        "No LSB modules are available.\nDistributor ID:\tUbuntu\nDescription:\tUbuntu 20.04.6 LTS\n\
         Release:\t20.04\nCodename:\tfocal\n",
        ["linux", "ubuntu20.04", "-"],
        "glibc@2.31",
    );
    check(
        "ProductName:\t\tmacOS\nProductVersion:\t\t15.1.1\nBuildVersion:\t\t24B91\n",
        ["darwin", "sequoia", "-"],
        "-",
    );
    check(
        "Darwin mini.local 23.5.0 Darwin Kernel Version 23.5.0: Wed May  1 20:12:58 PDT 2024; \
         root:xnu-10063.121.3~5/RELEASE_ARM64_T6000 arm64",
        ["darwin", "sonoma", "m1"],
        "-",
    );
    check(
        "Linux login1 4.18.0-513.24.1.el8_9.x86_64 #1 SMP Thu Apr 4 18:13:02 UTC 2024 x86_64 x86_64 x86_64 GNU/Linux",
        ["linux", "rhel8", "x86_64"],
        "glibc@2.28",
    );
    check(
        "Linux runner 6.11.0-1015-azure #15~24.04.1-Ubuntu SMP Thu May  1 02:52:08 UTC 2025 x86_64 x86_64 x86_64 GNU/Linux",
        ["linux", "ubuntu24.04", "x86_64"],
        "glibc@2.39",
    );
    check(
        "Linux vm 6.18.44-fc-v782 #1 SMP PREEMPT_DYNAMIC @0 x86_64 GNU/Linux",
        ["linux", "-", "x86_64"],
        "-",
    );
    check(
        "Microsoft Windows [Version 10.0.20348.2700]",
        ["windows", "windows10.0.20348", "-"],
        "-",
    );
}

/// The output of `lscpu` on a virtual machine, whose model is only `AMD EPYC`.
const EPYC: &str = include_str!("samples/lscpu-epyc.txt");
/// The output of `lscpu` on a Xeon Gold 6142, in a terminal that broke the line of flags.
const XEON: &str = include_str!("samples/lscpu-xeon.txt");
/// A part of `rocminfo` on a machine with two MI210.
const MI210: &str = include_str!("samples/rocminfo-mi210.txt");
/// The table of `nvidia-smi` on a machine with two A100.
const A100: &str = include_str!("samples/nvidia-smi-a100.txt");

#[test]
fn finds_the_target_that_spack_would() {
    check(EPYC, ["-", "-", "zen3"], "-");
    check(XEON, ["-", "-", "skylake_avx512"], "-");
    check(
        "Architecture:        aarch64\nVendor ID:           ARM\nModel name:          Neoverse-N1\n\
         Flags:               fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc \
         dcpop asimddp ssbs\n",
        ["-", "-", "neoverse_n1"],
        "-",
    );
    check("machdep.cpu.brand_string: Apple M2 Max", ["darwin", "-", "m2"], "-");
    check("Chip: Apple M1", ["darwin", "-", "m1"], "-");
    check(
        "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3800.000000MHz\n",
        ["-", "-", "power9le"],
        "-",
    );
}

#[test]
fn reads_the_gpus_that_drivers_list() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let machine = DescribedMachine::read(text);
        let found: Vec<String> = machine.gpus.iter().map(Gpu::to_string).collect();
        assert_eq!(found, expected, "{machine:?}");
    }
    check(A100, &["NVIDIA A100-SXM4-40GB (compute capability 8.0)"]);
    check(MI210, &["AMD Instinct MI210 (gfx90a:sramecc+:xnack-)"]);
    assert_eq!(DescribedMachine::read(MI210).target.value(), Some("icelake"));
    assert_eq!(DescribedMachine::read(MI210).unread, Vec::<String>::new());
    check(
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-abc123)\nGPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-def456)\n",
        &["NVIDIA H100 80GB HBM3 (compute capability 9.0)"],
    );
    check("compute_cap\n9.0\n9.0\n", &["compute capability 9.0"]);
    check(
        "    Product Name                          : Tesla T4\n",
        &["Tesla T4 (compute capability 7.5)"],
    );
    check(
        "GPU[0]\t\t: Card Series: \t\tAMD Instinct MI250X\nGPU[1]\t\t: Card Series: \t\tAMD Instinct MI250X\n",
        &["AMD Instinct MI250X (gfx90a)"],
    );
}

#[test]
fn ignores_colours_and_characters_of_no_width() {
    check("\u{1b}[1mRocky\u{1b}[0m\u{200b} 9\u{feff}", ["linux", "rocky9", "-"], "glibc@2.34");
    check("Ubuntu\u{a0}22.04", ["linux", "ubuntu22.04", "-"], "glibc@2.35");
}

#[test]
fn knows_the_libc_of_distributions() {
    for (os, libc) in [
        ("rocky9", Some("glibc@2.34")),
        ("ubuntu24.04", Some("glibc@2.39")),
        ("amzn2", Some("glibc@2.26")),
        ("amzn2023", Some("glibc@2.34")),
        ("sles15", None),
        ("ubuntu", None),
        ("alpine3", None),
        ("sequoia", None),
    ] {
        assert_eq!(libc_of_distribution(os), libc, "{os}");
    }
}

proptest! {
    #[test]
    fn reads_any_text(text in "\\PC{0,40}|([a-z0-9.:=_ \n|+-]{1,12}(GPU 0: |Name: |flags: |ldd \\(|Linux )?){0,8}") {
        let machine = DescribedMachine::read(&text);
        prop_assert!(machine.unread.len() <= text.len());
    }

    #[test]
    fn reads_what_it_would_write(os in "(ubuntu2[0-4]\\.04|rocky[89]|debian1[0-3])", target in "(zen[2-5]|icelake|neoverse_v1)") {
        let arch = format!("linux-{os}-{target}");
        prop_assert_eq!(DescribedMachine::read(&arch).arch(), Some(arch.clone()));
        let words = format!("{os} {target}");
        prop_assert_eq!(DescribedMachine::read(&words).arch(), Some(arch));
    }
}

#[test]
fn reads_no_commands_of_a_terminal() {
    let pasted = "[user@login01 ~]$ cat /etc/os-release\nID=\"rocky\"\nVERSION_ID=\"9.4\"\n\
                  [user@login01 ~]$ ldd --version\nldd (GNU libc) 2.34\n$ spack arch\n";
    let machine = DescribedMachine::read(pasted);
    assert_eq!((machine.os.value(), machine.libc.value()), (Some("rocky9"), Some("glibc@2.34")));
    assert_eq!((machine.install_tree, machine.unread.as_slice()), (None, &[][..]));
    assert_eq!(DescribedMachine::read("cat /etc/os-release").install_tree, None);
}

#[test]
fn takes_a_path_for_the_install_tree() {
    let machine = DescribedMachine::read("Rocky 9, sapphire rapids, H100, /opt/lab/spack");
    assert_eq!(machine.install_tree.as_deref(), Some("/opt/lab/spack"));
    assert_eq!((machine.os.value(), machine.unread.as_slice()), (Some("rocky9"), &[][..]));
    assert_eq!(DescribedMachine::read("Rocky 9 / zen4").install_tree, None);
    // The output of `ldd --version` and the like names none.
    let ldd = "ldd (Ubuntu GLIBC 2.35-0ubuntu3.8) 2.35";
    assert_eq!(DescribedMachine::read(ldd).install_tree, None);
}

#[test]
fn reads_the_version_of_spack() {
    let report = "* **Spack:** 0.23.1 (3fd83a4a9a5b1f3a0f0f1b6c0b5ad3ab0d8c0c3c)\n* **Python:** 3.11.9\n\
                  * **Platform:** linux-ubuntu22.04-zen3\n* **Concretizer:** clingo\n";
    for (text, version) in [
        ("Ubuntu 22.04 zen3, Spack 0.23", Some("0.23")),
        ("spack v1.1.0 on Rocky 9", Some("1.1")),
        ("Rocky 9, spack@0.22.3", Some("0.22")),
        ("spack version 1.0, zen4", Some("1.0")),
        ("spack-1.3.0.dev0", Some("1.3")),
        // The number after it is another one.
        ("Spack 1.2, 64 cores", Some("1.2")),
        ("$ spack --version\n0.23.1\n", Some("0.23")),
        ("1.2.0.dev0 (9cf66332df5ef5f0bd4ca9a6d6ea6c4a30b0d8c3)\nlinux-rocky9-zen4", Some("1.2")),
        (report, Some("0.23")),
        ("Ubuntu 22.04 zen3", None),
        ("spack develop", None),
        ("macOS 14.5", None),
        ("$ sw_vers -productVersion\n14.5.1\n", None),
    ] {
        let machine = DescribedMachine::read(text);
        assert_eq!(machine.spack.map(|spack| spack.to_string()).as_deref(), version, "{text}");
        assert_eq!(
            machine.unread.is_empty(),
            text != "spack develop",
            "{text}: {:?}",
            machine.unread
        );
    }
    assert_eq!(DescribedMachine::read(report).arch().as_deref(), Some("linux-ubuntu22.04-zen3"));
}
