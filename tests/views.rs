//! Every view by its address, for checking accessibility and taking screenshots.

use crate::dependencies;
use crate::harness::{Page, Site, Theme, Width};

/// The name of each view, and an address that shows it with contents.
pub(crate) const VIEWS: [(&str, &str); 18] = [
    ("front", ""),
    ("front-filtered", "?os=ubuntu24.04&not.target=aarch64&host=linux.ubuntu24.04.zen3"),
    ("front-by-stack", "?tab=coverage"),
    ("front-gaps", "?tab=coverage&gaps=only&stack=e4s"),
    ("front-about", "?tab=about"),
    ("front-help", "?tab=help"),
    ("front-empty", "?os=sequoia&target=x86_64_v3"),
    ("changes-empty", "?changes="),
    ("changes", "?changes=develop/ml-linux-x86_64-cpu..develop/ml-linux-x86_64-cuda"),
    ("package", "?package=py-ml-dtypes"),
    ("package-on-my-machine", "?package=py-ml-dtypes&host=linux.ubuntu22.04.zen3"),
    ("package-coverage", "?package=py-ml-dtypes&tab=coverage"),
    ("package-by-stack", "?package=py-ml-dtypes&tab=coverage&across=stack"),
    ("package-install", "?package=py-ml-dtypes&tab=install"),
    ("build", "?hash=iy5fms5os6dnlfh4g235jcva6sdykpwp&host=linux.ubuntu22.04.cortex_a72"),
    ("environment-empty", "?environment="),
    (
        "environment-of-specs",
        "?spec=py-ml-dtypes@0.4:&spec=py-tokenizers@99&spec=nosuch+x&host=linux.ubuntu22.04.zen3",
    ),
    (
        "compare",
        "?compare=gjx3lieose6je6ajipuwsz4fzmqh66gy&compare=azfxomx47zgirohxluy2b4dqocroud4c",
    ),
];

/// The same for a cache that lists dependencies, the one in `tests/dependencies.rs`.
pub(crate) const VIEWS_WITH_DEPENDENCIES: [(&str, &str); 6] = [
    ("dependencies-of-build", "?hash=zen4m7avmzdhjd5ef7uagasefviyo4pl"),
    ("dependents-of-build", "?hash=xb5je2a633qaawcbbqrbe35xtvlozrfh"),
    (
        "dependencies-compared",
        "?compare=outjvrmt5ota6hhezqke3iduo4ucjqpy&compare=s3wo5ygfainetj2sav445rkvptcc6gm5",
    ),
    ("package-uses", "?package=gcc-runtime&tab=uses"),
    ("dependencies-searched", "?q=%5Egcc-runtime"),
    ("package-with-libc", "?package=gmake&columns=hash,os,libc"),
];

/// Takes a screenshot of each view too, if `SCREENSHOTS` is set in the environment.
#[test]
fn fits_every_width() {
    let cache = dependencies::cache();
    let takes_screenshots = std::env::var_os("SCREENSHOTS").is_some();
    // What fits does not depend on the colours.
    let themes: &[Theme] = match takes_screenshots {
        true => &[Theme::Light, Theme::Dark],
        false => &[Theme::Light],
    };
    for (site, views) in [(&Site::release(), &VIEWS[..]), (&cache.site, &VIEWS_WITH_DEPENDENCIES)] {
        let page = Page::of(site, Width::Wide);
        page.open("");
        for (name, address) in views {
            page.go(address);
            for width in Width::ALL {
                page.resize(width);
                for &theme in themes {
                    page.prefer(theme);
                    println!("{name}, {width:?}, {theme:?}");
                    page.fits();
                    if takes_screenshots {
                        page.screenshot(&format!("{name}-{width:?}-{theme:?}").to_lowercase());
                    }
                }
            }
        }
    }
}
