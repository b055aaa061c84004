//! The models of GPUs, and the code that they run.
//!
//! NVIDIA's are from its lists of [current](https://developer.nvidia.com/cuda-gpus) and
//! [legacy](https://developer.nvidia.com/cuda-legacy-gpus) GPUs; AMD's from the
//! [specifications](https://rocm.docs.amd.com/en/latest/reference/gpu-arch-specs.html) of ROCm. Names are squeezed:
//! without spaces, dashes and the name of the maker.

/// Compute capabilities.
#[rustfmt::skip]
pub(super) const NVIDIA_MODELS: &[(&str, &str)] = &[
    ("gb10", "12.1"), ("dgxspark", "12.1"),
    ("rtxpro6000", "12.0"), ("rtxpro5000", "12.0"), ("rtxpro4500", "12.0"), ("rtxpro4000", "12.0"), ("rtxpro2000", "12.0"),
    ("rtx5090", "12.0"), ("rtx5080", "12.0"), ("rtx5070", "12.0"), ("rtx5060", "12.0"), ("rtx5050", "12.0"),
    ("jetsonthor", "11.0"), ("jetsont5000", "11.0"), ("jetsont4000", "11.0"),
    ("gb300", "10.3"), ("b300", "10.3"), ("gb200", "10.0"), ("b200", "10.0"), ("b100", "10.0"),
    ("gh200", "9.0"), ("h200", "9.0"), ("h100", "9.0"), ("h800", "9.0"), ("h20", "9.0"),
    ("l4", "8.9"), ("l40", "8.9"), ("l40s", "8.9"), ("l20", "8.9"),
    ("rtx6000ada", "8.9"), ("rtx5000ada", "8.9"), ("rtx4500ada", "8.9"), ("rtx4000ada", "8.9"),
    ("rtx4000sffada", "8.9"), ("rtx2000ada", "8.9"),
    ("rtx4090", "8.9"), ("rtx4080", "8.9"), ("rtx4070", "8.9"), ("rtx4060", "8.9"), ("rtx4050", "8.9"),
    ("jetsonagxorin", "8.7"), ("jetsonorin", "8.7"), ("jetsonorinnx", "8.7"), ("jetsonorinnano", "8.7"), ("agxorin", "8.7"),
    ("orin", "8.7"),
    ("a40", "8.6"), ("a10", "8.6"), ("a10g", "8.6"), ("a16", "8.6"), ("a2", "8.6"),
    ("rtxa6000", "8.6"), ("rtxa5500", "8.6"), ("rtxa5000", "8.6"), ("rtxa4500", "8.6"), ("rtxa4000", "8.6"),
    ("rtxa3000", "8.6"), ("rtxa2000", "8.6"), ("a6000", "8.6"), ("a5000", "8.6"), ("a4000", "8.6"),
    ("rtx3090", "8.6"), ("rtx3080", "8.6"), ("rtx3070", "8.6"), ("rtx3060", "8.6"), ("rtx3050", "8.6"),
    ("a100", "8.0"), ("a100x", "8.0"), ("a800", "8.0"), ("a30", "8.0"), ("a30x", "8.0"),
    ("t4", "7.5"), ("t4g", "7.5"), ("t1000", "7.5"), ("t600", "7.5"), ("t400", "7.5"),
    ("rtx8000", "7.5"), ("rtx6000", "7.5"), ("rtx5000", "7.5"), ("rtx4000", "7.5"), ("rtx3000", "7.5"),
    ("titanrtx", "7.5"), ("rtx2080", "7.5"), ("rtx2070", "7.5"), ("rtx2060", "7.5"),
    ("gtx1660", "7.5"), ("gtx1650", "7.5"),
    ("jetsonagxxavier", "7.2"), ("jetsonxavier", "7.2"), ("agxxavier", "7.2"), ("xavier", "7.2"),
    ("v100", "7.0"), ("v100s", "7.0"), ("gv100", "7.0"), ("titanv", "7.0"),
    ("jetsontx2", "6.2"),
    ("p40", "6.1"), ("p4", "6.1"), ("p6", "6.1"), ("p6000", "6.1"), ("p5000", "6.1"), ("p4000", "6.1"), ("p2200", "6.1"),
    ("p2000", "6.1"), ("p1000", "6.1"), ("titanxp", "6.1"), ("gtx1080", "6.1"), ("gtx1070", "6.1"), ("gtx1060", "6.1"),
    ("gtx1050", "6.1"), ("p100", "6.0"), ("gp100", "6.0"),
    ("jetsonnano", "5.3"),
    ("m60", "5.2"), ("m40", "5.2"), ("m6", "5.2"), ("gtxtitanx", "5.2"), ("gtx980", "5.2"), ("gtx970", "5.2"),
    ("gtx960", "5.2"), ("m10", "5.0"), ("gtx750", "5.0"),
    ("k80", "3.7"), ("k40", "3.5"), ("k40m", "3.5"), ("k40c", "3.5"), ("k20", "3.5"), ("k20m", "3.5"), ("k20x", "3.5"),
];

/// Targets of AMD's compilers.
#[rustfmt::skip]
pub(super) const AMD_MODELS: &[(&str, &str)] = &[
    ("mi355x", "gfx950"), ("mi350x", "gfx950"), ("mi350", "gfx950"), ("mi355", "gfx950"),
    ("mi325x", "gfx942"), ("mi300x", "gfx942"), ("mi300a", "gfx942"), ("mi300", "gfx942"), ("mi308x", "gfx942"),
    ("mi250x", "gfx90a"), ("mi250", "gfx90a"), ("mi210", "gfx90a"), ("mi200", "gfx90a"),
    ("mi100", "gfx908"),
    ("mi60", "gfx906"), ("mi50", "gfx906"), ("vii", "gfx906"), ("radeonvii", "gfx906"), ("provii", "gfx906"),
    ("mi25", "gfx900"), ("vega64", "gfx900"), ("vega56", "gfx900"), ("rxvega64", "gfx900"),
    ("rx9070", "gfx1201"), ("rx9070xt", "gfx1201"), ("rx9060", "gfx1200"), ("rx9060xt", "gfx1200"),
    ("w7900", "gfx1100"), ("prow7900", "gfx1100"), ("w7800", "gfx1100"), ("prow7800", "gfx1100"),
    ("rx7900xtx", "gfx1100"), ("rx7900xt", "gfx1100"), ("rx7900gre", "gfx1100"), ("7900xtx", "gfx1100"),
    ("7900xt", "gfx1100"), ("rx7800xt", "gfx1101"), ("rx7700xt", "gfx1101"), ("w7700", "gfx1101"), ("prow7700", "gfx1101"),
    ("rx7600", "gfx1102"),
    ("w6800", "gfx1030"), ("prow6800", "gfx1030"), ("v620", "gfx1030"), ("prov620", "gfx1030"),
    ("rx6950xt", "gfx1030"), ("rx6900xt", "gfx1030"), ("rx6800xt", "gfx1030"), ("rx6800", "gfx1030"),
    ("rx6750xt", "gfx1031"), ("rx6700xt", "gfx1031"), ("rx6700", "gfx1031"), ("rx6600xt", "gfx1032"), ("rx6600", "gfx1032"),
    ("w6600", "gfx1032"), ("prow6600", "gfx1032"),
    ("rx5700xt", "gfx1010"), ("rx5700", "gfx1010"),
];
