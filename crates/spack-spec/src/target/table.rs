//! The microarchitectures that Spack knows.
//!
//! The table of archspec 0.2, which Spack includes; a test compares the two. A row lists what a target adds to its
//! parents; everything else (ancestors, family, all features) is derived. The order of the rows is the display order:
//! by family, then the generic levels, then each vendor's by generation. A row comes after its parents.

use super::Vendor;

pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) vendor: Vendor,
    pub(super) parents: &'static [&'static str],
    /// The features that it has and no parent has, separated by spaces.
    pub(super) features: &'static str,
}

const fn row(
    name: &'static str,
    vendor: Vendor,
    parents: &'static [&'static str],
    features: &'static str,
) -> Row {
    Row { name, vendor, parents, features }
}

#[rustfmt::skip]
pub(super) static ROWS: [Row; COUNT] = [
    row("x86_64", Vendor::Generic, &[], ""),
    row("x86_64_v2", Vendor::Generic, &["x86_64"], "cx16 lahf_lm mmx popcnt sse sse2 sse3 sse4_1 sse4_2 ssse3"),
    row("x86_64_v3", Vendor::Generic, &["x86_64_v2"], "abm avx avx2 bmi1 bmi2 f16c fma movbe xsave"),
    row("x86_64_v4", Vendor::Generic, &["x86_64_v3"], "avx512bw avx512cd avx512dq avx512f avx512vl"),
    row("nocona", Vendor::Intel, &["x86_64"], "mmx sse sse2 sse3"),
    row("core2", Vendor::Intel, &["nocona"], "ssse3"),
    row("nehalem", Vendor::Intel, &["core2", "x86_64_v2"], ""),
    row("westmere", Vendor::Intel, &["nehalem"], "aes pclmulqdq"),
    row("sandybridge", Vendor::Intel, &["westmere"], "avx"),
    row("ivybridge", Vendor::Intel, &["sandybridge"], "f16c rdrand"),
    row("haswell", Vendor::Intel, &["ivybridge", "x86_64_v3"], ""),
    row("broadwell", Vendor::Intel, &["haswell"], "adx rdseed"),
    row("mic_knl", Vendor::Intel, &["broadwell"], "avx512cd avx512er avx512f avx512pf"),
    row("skylake", Vendor::Intel, &["broadwell"], "clflushopt xsavec xsaveopt"),
    row("cannonlake", Vendor::Intel, &["skylake"], "avx512bw avx512cd avx512dq avx512f avx512ifma avx512vbmi avx512vl sha_ni"),
    row("skylake_avx512", Vendor::Intel, &["skylake", "x86_64_v4"], "clwb"),
    row("cascadelake", Vendor::Intel, &["skylake_avx512"], "avx512_vnni"),
    row("icelake", Vendor::Intel, &["cascadelake", "cannonlake"], "avx512_bitalg avx512_vbmi2 avx512_vpopcntdq gfni rdpid vaes vpclmulqdq"),
    row("sapphirerapids", Vendor::Intel, &["icelake"], "amx_bf16 amx_int8 amx_tile avx512_bf16 cldemote movdir64b movdiri serialize \
         waitpkg"),
    row("k10", Vendor::Amd, &["x86_64"], "3dnow 3dnowext abm cx16 mmx sse sse2 sse4a"),
    row("bulldozer", Vendor::Amd, &["x86_64_v2"], "abm aes avx fma4 pclmulqdq sse4a xop xsave"),
    row("piledriver", Vendor::Amd, &["bulldozer"], "bmi1 f16c fma tbm"),
    row("steamroller", Vendor::Amd, &["piledriver"], "fsgsbase"),
    row("excavator", Vendor::Amd, &["steamroller", "x86_64_v3"], ""),
    row("zen", Vendor::Amd, &["x86_64_v3"], "aes clflushopt clzero fsgsbase pclmulqdq rdseed sse4a xsavec xsaveopt"),
    row("zen2", Vendor::Amd, &["zen"], "clwb"),
    row("zen3", Vendor::Amd, &["zen2"], "pku vaes vpclmulqdq"),
    row("zen4", Vendor::Amd, &["zen3", "x86_64_v4"], "avx512_bf16 avx512_bitalg avx512_vbmi2 avx512_vnni avx512_vpopcntdq avx512ifma \
         avx512vbmi flush_l1d gfni"),
    row("zen5", Vendor::Amd, &["zen4"], "avx512_vp2intersect avx_vnni movdir64b movdiri tsc_adjust"),
    row("aarch64", Vendor::Generic, &[], ""),
    row("armv8.1a", Vendor::Generic, &["aarch64"], ""),
    row("armv8.2a", Vendor::Generic, &["armv8.1a"], ""),
    row("armv8.3a", Vendor::Generic, &["armv8.2a"], ""),
    row("armv8.4a", Vendor::Generic, &["armv8.3a"], ""),
    row("armv8.5a", Vendor::Generic, &["armv8.4a"], ""),
    row("armv8.6a", Vendor::Generic, &["armv8.5a"], ""),
    row("armv9.0a", Vendor::Generic, &["armv8.5a"], ""),
    row("cortex_a72", Vendor::Arm, &["aarch64"], "aes asimd cpuid crc32 evtstrm fp pmull sha1 sha2"),
    row("thunderx2", Vendor::Cavium, &["armv8.1a"], "aes asimd asimdrdm atomics cpuid crc32 evtstrm fp pmull sha1 sha2"),
    row("a64fx", Vendor::Fujitsu, &["armv8.2a"], "asimd asimdhp asimdrdm atomics cpuid crc32 dcpop evtstrm fcma fp fphp sha1 sha2 \
         sve"),
    row("neoverse_n1", Vendor::Arm, &["cortex_a72", "armv8.2a"], "asimddp asimdhp asimdrdm atomics dcpop fphp lrcpc"),
    row("neoverse_v1", Vendor::Arm, &["neoverse_n1", "armv8.4a"], "asimdfhm bf16 dcpodp dgh dit fcma flagm i8mm ilrcpc jscvt rng sha3 sha512 sve \
         svebf16 svei8mm uscat"),
    row("neoverse_n2", Vendor::Arm, &["neoverse_n1", "armv9.0a"], "asimdfhm bf16 dcpodp fcma flagm flagm2 frint i8mm ilrcpc jscvt sb sha3 sha512 \
         sve sve2 svebf16 svei8mm uscat"),
    row("neoverse_v2", Vendor::Arm, &["neoverse_n1", "armv9.0a"], "asimdfhm bf16 dcpodp fcma flagm flagm2 frint i8mm ilrcpc jscvt sb sha3 sha512 \
         sve sve2 svebf16 svei8mm uscat"),
    row("ampere1", Vendor::Ampere, &["neoverse_n1", "armv8.6a"], "asimdfhm bf16 bti dcpodp dit ecv fcma flagm flagm2 frint i8mm ilrcpc jscvt paca pacg \
         rng sb sha3 sha512 ssbs uscat"),
    row("ampere1a", Vendor::Ampere, &["neoverse_n1", "armv8.6a"], "asimdfhm bf16 bti dcpodp dit ecv fcma flagm flagm2 frint i8mm ilrcpc jscvt paca pacg \
         rng sb sha3 sha512 sm3 sm4 ssbs uscat"),
    row("m1", Vendor::Apple, &["armv8.4a"], "aes asimd asimddp asimdfhm asimdhp asimdrdm atomics cpuid crc32 dcpodp dcpop dit \
         evtstrm fcma flagm flagm2 fp fphp frint ilrcpc jscvt lrcpc paca pacg pmull sb \
         sha1 sha2 sha3 sha512 ssbs uscat"),
    row("m2", Vendor::Apple, &["m1", "armv8.5a"], "bf16 bti ecv i8mm"),
    row("m3", Vendor::Apple, &["m2", "armv8.6a"], ""),
    row("m4", Vendor::Apple, &["m3", "armv8.6a"], "sme sme2"),
    row("ppc64le", Vendor::Generic, &[], ""),
    row("power8le", Vendor::Ibm, &["ppc64le"], ""),
    row("power9le", Vendor::Ibm, &["power8le"], ""),
    row("power10le", Vendor::Ibm, &["power9le"], ""),
    row("riscv64", Vendor::Generic, &[], ""),
    row("u74mc", Vendor::SiFive, &["riscv64"], ""),
    row("x60", Vendor::SpacemiT, &["riscv64"], ""),
    row("ppc64", Vendor::Generic, &[], ""),
    row("power7", Vendor::Ibm, &["ppc64"], ""),
    row("power8", Vendor::Ibm, &["power7"], ""),
    row("power9", Vendor::Ibm, &["power8"], ""),
    row("power10", Vendor::Ibm, &["power9"], ""),
    row("x86", Vendor::Generic, &[], ""),
    row("i686", Vendor::Intel, &["x86"], ""),
    row("pentium2", Vendor::Intel, &["i686"], "mmx"),
    row("pentium3", Vendor::Intel, &["pentium2"], "sse"),
    row("pentium4", Vendor::Intel, &["pentium3"], "sse2"),
    row("prescott", Vendor::Intel, &["pentium4"], "sse3"),
    row("arm", Vendor::Generic, &[], ""),
    row("ppc", Vendor::Generic, &[], ""),
    row("ppcle", Vendor::Generic, &[], ""),
    row("sparc", Vendor::Generic, &[], ""),
    row("sparc64", Vendor::Generic, &[], ""),
];

pub(super) const COUNT: usize = 73;
