//! A random walk through the page: hundreds of steps of a user. After each, the page must show what [plain
//! loops](crate::naive) over the JSON of the same cache pages find, at the address and in the history that the steps lead
//! to.
//!
//! A walk is determined by its seed, which is printed with every step: `WALK_SEED=7 WALK_STEPS=300` repeats it.

mod shown;

use std::env;
use std::path::Path;
use std::process::Command;

use cache_sample::Random;
use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{Page, Release, Site, Tab as BrowserTab, Width};
use crate::naive::{Asked, Cache, FACETS};
use crate::walk::shown::{SEEN, Wanted};

/// The number of builds in the first publication, and how many more each later one has, so that they can be distinguished.
const BUILDS: usize = 400;
const MORE: usize = 20;

/// The search box.
const BOX: &str = "Search packages and specs";

/// Browsers forget all but the last 50 addresses of a tab.
const KEPT_ADDRESSES: usize = 40;

#[test]
fn shows_what_plain_loops_find_wherever_a_user_goes() {
    let seed = number("WALK_SEED").or_else(|| number("PROPTEST_RNG_SEED")).unwrap_or(1);
    let steps = number("WALK_STEPS").unwrap_or(40);
    println!("WALK_SEED={seed} WALK_STEPS={steps}");
    let folder = Release::copy();
    let mut world = World { folder: folder.path(), caches: Vec::new() };
    world.publish();
    let site = Site::publish(folder.path(), "/");
    let page = Page::of(&site, Width::Wide);
    let mut walk = Walk::begin(&page, &site, world, Random::new(seed, 0));
    for number in 1..=steps {
        let step = walk.choose();
        println!("{number}: {step:?}");
        walk.take(step);
        walk.check();
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok().filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")))
}

/// The publications, one after the other, in the same folder.
struct World<'a> {
    folder: &'a Path,
    caches: Vec<Cache>,
}

impl World<'_> {
    fn publish(&mut self) {
        let builds = (BUILDS + MORE * self.caches.len()).to_string();
        let made = TempDir::new().expect("a temporary folder can be made");
        let pages = made.path().join("pages");
        run(Command::new(Release::command())
            .args(["generate", "--builds", &builds, "--pages"])
            .arg(&pages));
        run(Command::new(Release::command())
            .arg("embed")
            .arg(&pages)
            .arg("--into")
            .arg(self.folder));
        self.caches.push(Cache::read(&pages));
    }
}

fn run(command: &mut Command) {
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Something that a user does.
#[derive(Debug)]
enum Step {
    Toggle(&'static str, String),
    Exclude(&'static str, String),
    Only(&'static str, String),
    /// Requires all of the chosen stacks, or any of them.
    Match,
    Unfold(&'static str),
    /// Pastes a text into the search box; an empty one clears it.
    Search(String),
    ClearAll,
    OpenPackage(String),
    AllPackages,
    Back,
    Forward,
    Reload,
    OtherTab,
    LoseNetwork,
    FindNetwork,
    Publish,
    TakeNewVersion,
}

/// What a tab should show.
#[derive(Clone, Default)]
struct Tab {
    history: Vec<Asked>,
    /// Its place in the history.
    at: usize,
    /// Which publication it shows.
    shows: usize,
    /// `true` as long as it may also be the newest one: a browser that does not always ask ([`Page::asks_before_replacing`])
    /// has loaded the page since that was published, and both publications have the same answers so far.
    may_be_newest: bool,
    /// The question before the last text was typed, and after it. Typing more starts from the former again.
    typed: Option<(Asked, Asked, String)>,
}

impl Tab {
    fn asked(&self) -> &Asked {
        &self.history[self.at]
    }

    /// Returns what was typed, as long as nothing else has changed since.
    fn typed(&self) -> Option<&(Asked, Asked, String)> {
        self.typed.as_ref().filter(|(_, after, _)| after == self.asked())
    }

    /// Returns the text in the search box.
    fn text(&self) -> &str {
        self.typed().map_or(&self.asked().text, |(_, _, text)| text)
    }

    fn go(&mut self, next: Asked) {
        if next != *self.asked() {
            self.history.truncate(self.at + 1);
            self.history.push(next);
            self.at += 1;
        }
    }

    /// Returns the question before and after a text is pasted.
    fn with_text(&self, text: &str) -> (Asked, Asked) {
        let from = self.typed().map_or_else(|| self.asked().clone(), |(from, _, _)| from.clone());
        let mut after = Asked { text: text.to_owned(), ..from.clone() };
        // A search for packages leads to their list.
        if !text.is_empty() {
            after.clear("package");
        }
        (from, after)
    }
}

struct Walk<'a> {
    page: &'a Page<'a>,
    site: &'a Site,
    world: World<'a>,
    random: Random,
    /// The tab that is in front, and the other one once it is open.
    tab: Tab,
    other: Option<(Tab, BrowserTab)>,
    is_online: bool,
    /// Which publication the browser keeps.
    kept: usize,
    /// What the page showed after the last step.
    seen: Value,
}

impl<'a> Walk<'a> {
    fn begin(page: &'a Page<'a>, site: &'a Site, world: World<'a>, random: Random) -> Self {
        page.open("");
        page.see_all_kept();
        let tab = Tab { history: vec![Asked::default()], ..Tab::default() };
        let seen = Value::Null;
        let mut walk =
            Walk { page, site, world, random, tab, other: None, is_online: true, kept: 0, seen };
        walk.check();
        walk
    }

    fn published(&self) -> usize {
        self.world.caches.len() - 1
    }

    fn cache(&self) -> &Cache {
        &self.world.caches[self.tab.shows]
    }

    fn choose(&mut self) -> Step {
        loop {
            if let Some(step) = self.propose() {
                return step;
            }
        }
    }

    /// Returns a step, unless it is not possible now.
    fn propose(&mut self) -> Option<Step> {
        let back = self.tab.at > self.tab.history.len().saturating_sub(KEPT_ADDRESSES);
        match self.random.below(100) {
            0..30 => {
                let (facet, value) = self.value()?;
                Some(Step::Toggle(facet, value))
            }
            30..36 => {
                let (facet, value) = self.value()?;
                Some(Step::Exclude(facet, value))
            }
            36..40 => {
                let (facet, value) = self.value()?;
                Some(Step::Only(facet, value))
            }
            40..44 => self.seen["matching"].as_bool()?.then_some(Step::Match),
            44..47 => {
                let folded = FACETS
                    .into_iter()
                    .filter(|(key, _)| self.facet(key).is_some_and(|facet| facet["open"] == false));
                let folded: Vec<&'static str> = folded.map(|(key, _)| key).collect();
                (!folded.is_empty()).then(|| Step::Unfold(self.random.pick(&folded)))
            }
            47..57 => self.part_of_a_name().map(Step::Search),
            57..60 => (!self.tab.text().is_empty()).then(|| Step::Search(String::new())),
            60..64 => self.seen["clear"].as_bool()?.then_some(Step::ClearAll),
            64..70 => {
                let rows = self.seen["rows"].as_array().map_or(0, Vec::len).min(8);
                if rows == 0 {
                    return None;
                }
                let row = self.random.below(rows);
                Some(Step::OpenPackage(self.seen["rows"][row][0].as_str()?.to_owned()))
            }
            70..73 => self.tab.asked().package().is_some().then_some(Step::AllPackages),
            73..80 => back.then_some(Step::Back),
            80..86 => (self.tab.at + 1 < self.tab.history.len()).then_some(Step::Forward),
            86..89 => Some(Step::Reload),
            89..93 => Some(Step::OtherTab),
            93..96 if !self.is_online => Some(Step::FindNetwork),
            // A build that arrives unasked is not kept completely yet.
            93..96 => self.has_newest().then_some(Step::LoseNetwork),
            96..98 => (self.tab.shows == self.published()).then_some(Step::Publish),
            _ => (self.is_online && self.tab.shows < self.published())
                .then_some(Step::TakeNewVersion),
        }
    }

    /// Returns `true` unless a reload may bring a newer publication unasked.
    fn has_newest(&self) -> bool {
        self.page.asks_before_replacing() || self.kept == self.published()
    }

    fn facet(&self, key: &str) -> Option<&Value> {
        self.seen["facets"].as_array()?.iter().find(|facet| facet["key"] == key)
    }

    /// Returns a facet and one of its values that are on the page.
    fn value(&mut self) -> Option<(&'static str, String)> {
        let (key, _) = self.random.pick(&FACETS);
        let values: Vec<String> = self.facet(key)?["values"]
            .as_array()?
            .iter()
            .filter_map(|value| Some(value[0].as_str()?.to_owned()))
            .collect();
        if values.is_empty() {
            return None;
        }
        let at = self.random.below(values.len());
        Some((key, values[at].clone()))
    }

    /// Returns a text that finds something: a text that finds nothing may be unfinished, and then waits.
    fn part_of_a_name(&mut self) -> Option<String> {
        let names: Vec<String> = self.cache().packages().into_iter().map(str::to_owned).collect();
        let name = &names[self.random.below(names.len())];
        let start = self.random.below(name.len() - 3);
        let part = &name[start..start + 3];
        let text = match self.random.chance(50) {
            true => format!("*{part}*"),
            false => part.to_owned(),
        };
        let plain = part.bytes().all(|byte| byte.is_ascii_lowercase());
        let finds = !self.cache().found(&self.tab.with_text(&text).1).is_empty();
        (plain && finds && text != self.tab.text()).then_some(text)
    }

    fn take(&mut self, step: Step) {
        let page = self.page;
        let mut next = self.tab.asked().clone();
        match step {
            Step::Toggle(facet, value) => {
                page.toggle_facet(name(facet), &value);
                next.toggle(facet, &value);
                self.tab.go(next);
            }
            Step::Exclude(facet, value) => {
                page.press_unseen_beside(name(facet), &value, &format!("Not {value}"));
                next.toggle_excluded(facet, &value);
                self.tab.go(next);
            }
            Step::Only(facet, value) => {
                page.press_unseen_beside(name(facet), &value, &format!("Only {value}"));
                next.choose_only(facet, &value);
                self.tab.go(next);
            }
            Step::Match => {
                let was_all = !next.all.insert("stack".to_owned());
                if was_all {
                    next.all.clear();
                }
                let button = if was_all { "any of" } else { "all of" };
                page.click(&[("region", "Stack"), ("button", button)]);
                self.tab.go(next);
            }
            Step::Unfold(facet) => {
                page.click(&[("region", name(facet)), ("button", name(facet))]);
            }
            Step::Search(text) => {
                page.put_into(BOX, &text);
                let (from, after) = self.tab.with_text(&text);
                self.tab.go(after.clone());
                self.tab.typed = Some((from, after, text));
            }
            Step::ClearAll => {
                page.press("Clear all");
                let package = next.package().map(str::to_owned);
                let mut bare = Asked::default();
                package.iter().for_each(|package| bare.choose_only("package", package));
                self.tab.go(bare);
            }
            Step::OpenPackage(package) => {
                page.click(&[("table", "Packages"), ("link", &package)]);
                next.choose_only("package", &package);
                next.text.clear();
                self.tab.go(next);
            }
            Step::AllPackages => {
                page.click(&[("navigation", ""), ("link", "All packages")]);
                next.clear("package");
                self.tab.go(next);
            }
            Step::Back => {
                page.back();
                self.tab.at -= 1;
            }
            Step::Forward => {
                page.forward();
                self.tab.at += 1;
            }
            Step::Reload => {
                page.reload();
                self.loaded();
            }
            Step::OtherTab => self.switch(),
            Step::LoseNetwork => {
                page.see_all_kept();
                self.site.go_down();
                self.is_online = false;
            }
            Step::FindNetwork => {
                self.site.come_back();
                self.is_online = true;
            }
            Step::Publish => self.world.publish(),
            Step::TakeNewVersion => {
                page.reload();
                self.loaded();
                if self.tab.may_be_newest {
                    self.check();
                }
                if self.kept < self.published() && !self.tab.may_be_newest && self.is_asked() {
                    page.see("A new version is ready.");
                    page.press("Reload");
                    self.kept = self.published();
                    self.loaded();
                    self.check();
                    page.see_all_kept();
                }
            }
        }
    }

    /// Returns `true` if the page asks whether to take the newest publication. A browser that does not always ask may still
    /// install it, or never say that it has; then a later step takes it.
    fn is_asked(&self) -> bool {
        if self.page.asks_before_replacing() {
            return true;
        }
        let script = "const registration = await navigator.serviceWorker.getRegistration(); \
                      await registration.update().catch(() => {}); \
                      const worker = registration.installing; \
                      if (worker) await new Promise((next) => { \
                        worker.addEventListener('statechange', next, { once: true }); \
                        setTimeout(next, 5000); \
                      }); \
                      await new Promise((next) => setTimeout(next)); \
                      return document.body.innerText.includes('A new version is ready.')";
        self.page.ask(script) == true
    }

    /// Records that the page has been loaded again: it shows what is kept, and has forgotten what was typed.
    fn loaded(&mut self) {
        self.tab.shows = self.kept;
        self.tab.may_be_newest = !self.has_newest();
        self.tab.typed = None;
    }

    /// Goes to the other tab, or opens it with a link to what this one shows.
    fn switch(&mut self) {
        let here = self.page.tab();
        let before = match self.other.take() {
            Some((tab, there)) => {
                self.page.go_to_tab(&there);
                std::mem::replace(&mut self.tab, tab)
            }
            None => {
                let link = self.page.query();
                self.page.open_tab(&link);
                let fresh = Tab {
                    history: vec![self.tab.asked().clone()],
                    shows: self.kept,
                    may_be_newest: !self.has_newest(),
                    ..Tab::default()
                };
                std::mem::replace(&mut self.tab, fresh)
            }
        };
        self.other = Some((before, here));
    }

    /// Waits until the page shows what it should.
    fn check(&mut self) {
        let (tab, newest) = (&self.tab, self.published());
        let finds = |shows: usize, seen: &Value| {
            Wanted { cache: &self.world.caches[shows], asked: tab.asked() }.check(seen)
        };
        let (seen, is_older, is_newest) =
            self.page.see_that("what plain loops find", SEEN, |seen| {
                let older = finds(tab.shows, &seen);
                let is_newest = tab.may_be_newest && finds(newest, &seen).is_ok();
                match older {
                    Err(reason) if !is_newest => Err(reason),
                    older => Ok((seen, older.is_ok(), is_newest)),
                }
            });
        self.seen = seen;
        self.tab.may_be_newest = is_older && is_newest;
        if !is_older {
            self.tab.shows = newest;
            self.kept = newest;
        }
    }
}

/// Returns a facet's name on the page.
fn name(facet: &str) -> &'static str {
    FACETS.into_iter().find(|(key, _)| *key == facet).expect("a facet").1
}
