//! The site in a browser, in the words of its users.
//!
//! Every method that looks for something waits until it appears, and every method that acts waits until it can, both
//! for at most [`PATIENCE`]. When a test fails for any reason, the address, the visible text, the console and a
//! screenshot of the page are reported. A test in which the page wrote an error to the console fails too, unless it
//! called [`expect_errors`](Page::expect_errors).

use std::cell::Cell;
use std::future::Future;
use std::marker::PhantomData;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::{WebDriver, WebElement, WindowHandle};

use crate::browser::brief;
use crate::engine::Storage;
use crate::pool::Borrowed;
use crate::site::Site;

/// How long to wait for something. Generous, because only a failure takes that long.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often to look in the meantime.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Finds elements by role and accessible name.
pub(crate) const FIND: &str = include_str!("find.js");

/// The width of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// A phone: 360 by 740 pixels.
    Narrow,
    /// A tablet: 768 by 1024 pixels.
    Middle,
    /// A laptop: 1280 by 800 pixels.
    Laptop,
    /// A desktop: 1440 by 900 pixels.
    Wide,
}

impl Width {
    /// All of them, from the narrowest.
    pub const ALL: [Width; 4] = [Self::Narrow, Self::Middle, Self::Laptop, Self::Wide];

    fn size(self) -> (u32, u32) {
        match self {
            Self::Narrow => (360, 740),
            Self::Middle => (768, 1024),
            Self::Laptop => (1280, 800),
            Self::Wide => (1440, 900),
        }
    }
}

/// The colour scheme that the browser prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// A page of a site, in a browser that no other test uses at the same time and that has no memory of earlier tests. The
/// site must outlive it.
pub struct Page<'site> {
    site: PhantomData<&'site Site>,
    pub(crate) browser: Borrowed,
    base: String,
    width: Cell<Width>,
    pub(crate) errors_expected: Cell<bool>,
}

/// One of the tabs of a browser.
pub struct Tab(WindowHandle);

/// Starting.
impl<'site> Page<'site> {
    /// Creates a page of a site, without opening anything.
    pub fn of(site: &'site Site, width: Width) -> Self {
        Self::at(&site.url(""), width, Theme::Light)
    }

    /// Creates a page at any address, which may be that of a file.
    pub fn at(base: &str, width: Width, theme: Theme) -> Self {
        Self::show(Borrowed::take(), base, width, theme)
    }

    /// Does the same in a browser that no other test has used or will use.
    pub fn alone(base: &str, width: Width) -> Self {
        Self::show(Borrowed::start(Storage::Allowed), base, width, Theme::Light)
    }

    /// Creates a page in a browser that lets the site store nothing, or almost nothing.
    pub fn storing(site: &'site Site, storage: Storage) -> Self {
        let browser = Borrowed::start(storage);
        let page = Self::show(browser, &site.url(""), Width::Wide, Theme::Light);
        if storage == Storage::Full {
            page.browser.fill_storage(site.url("").trim_end_matches('/'));
        }
        page
    }

    fn show(browser: Borrowed, base: &str, width: Width, theme: Theme) -> Self {
        let (wide, high) = width.size();
        browser.resize(wide, high);
        let width = Cell::new(width);
        browser.prefer_dark(theme == Theme::Dark);
        Self {
            site: PhantomData,
            browser,
            base: base.to_owned(),
            width,
            errors_expected: Cell::new(false),
        }
    }

    /// Runs a test on the release twice: narrow and wide.
    #[track_caller]
    pub fn at_each_width(test: impl Fn(&Page)) {
        Self::at_widths(&Site::release(), &[Width::Narrow, Width::Wide], test);
    }

    /// Runs a test on a site at several widths.
    #[track_caller]
    pub fn at_widths(site: &Site, widths: &[Width], test: impl Fn(&Page)) {
        for &width in widths {
            println!("{width:?}:");
            test(&Page::of(site, width));
        }
    }

    /// Changes the width of the window, and waits until the page has been drawn in it.
    #[track_caller]
    pub fn resize(&self, width: Width) {
        let (wide, high) = width.size();
        self.browser.resize(wide, high);
        self.width.set(width);
        self.ask(
            "for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => requestAnimationFrame(drawn))",
        );
    }

    /// Changes the colour scheme that the system prefers.
    pub fn prefer(&self, theme: Theme) {
        self.browser.prefer_dark(theme == Theme::Dark);
    }

    /// Slows the network down to a number of megabits per second, with a latency in milliseconds. Only Chromium can.
    pub fn slow_down(&self, megabits: u32, latency: u32) {
        self.browser.slow_down(megabits, latency);
    }

    /// Lets the page write errors to the console without failing the test.
    pub fn expect_errors(&self) {
        self.errors_expected.set(true);
    }
}

/// Navigation.
impl Page<'_> {
    /// Opens a page of the site (`""`, `"?os=sequoia"`) and waits until it has loaded.
    #[track_caller]
    pub fn open(&self, rest: &str) {
        self.begin(rest);
        self.loaded();
    }

    /// Opens a page of the site and waits until its first files have arrived; the page may be waiting for others.
    #[track_caller]
    pub fn begin(&self, rest: &str) {
        let url = format!("{}{rest}", self.base);
        self.run(self.session().goto(&url))
            .unwrap_or_else(|error| panic!("{url} does not open: {}", brief(error)));
    }

    /// Goes to another address of the site without loading the page again, as Back and Forward do, and waits until it
    /// has been drawn. Takes a fraction of the time of [`open`](Self::open).
    #[track_caller]
    pub fn go(&self, rest: &str) {
        let rest = json!(if rest.is_empty() { "?" } else { rest });
        self.ask(&format!(
            "history.pushState(null, '', {rest}); dispatchEvent(new PopStateEvent('popstate'));
             for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => requestAnimationFrame(drawn))"
        ));
        self.loaded();
    }

    /// Reloads the page as a user would: Firefox's driver would bypass the service worker.
    #[track_caller]
    pub fn reload(&self) {
        let before = self.ask("setTimeout(() => location.reload()); return performance.timeOrigin");
        self.until("another page to load", || {
            let now = self.script("return performance.timeOrigin", Vec::new())?;
            if now == before { Err("it is the same".to_owned()) } else { Ok(()) }
        });
        self.loaded();
    }

    /// Opens a page of the site in another tab of the same browser, acts there, and comes back to this one.
    #[track_caller]
    pub fn in_new_tab(&self, rest: &str, act: impl FnOnce(&Self)) {
        let before = self.tab();
        self.open_tab(rest);
        act(self);
        self.go_to_tab(&before);
    }

    /// Opens a page of the site in another tab of the same width, and stays there.
    #[track_caller]
    pub fn open_tab(&self, rest: &str) {
        let fresh = self.run(self.session().new_tab());
        let fresh = fresh.unwrap_or_else(|error| panic!("no other tab: {}", brief(error)));
        self.go_to_tab(&Tab(fresh));
        let (wide, high) = self.width.get().size();
        self.browser.resize(wide, high);
        self.open(rest);
    }

    /// Returns `true` if a newer build never replaces the kept one unasked while a page of it is open.
    pub fn asks_before_replacing(&self) -> bool {
        self.browser.asks_before_replacing()
    }

    /// Returns the tab that is in front.
    #[track_caller]
    pub fn tab(&self) -> Tab {
        let tab = self.run(self.session().window());
        Tab(tab.unwrap_or_else(|error| panic!("no tab: {}", brief(error))))
    }

    /// Goes to another tab.
    #[track_caller]
    pub fn go_to_tab(&self, tab: &Tab) {
        self.run(self.session().switch_to_window(tab.0.clone()))
            .unwrap_or_else(|error| panic!("no other tab: {}", brief(error)));
    }

    /// Limits how much a step in the history of this page may take.
    pub fn limit_steps(&self) {
        self.browser.limit_steps();
    }

    /// Goes back in the history.
    #[track_caller]
    pub fn back(&self) {
        self.browser.back().unwrap_or_else(|error| panic!("no going back: {error}"));
    }

    /// Goes forward in the history.
    #[track_caller]
    pub fn forward(&self) {
        self.browser.forward().unwrap_or_else(|error| panic!("no going forward: {error}"));
    }

    /// Returns the query string of the address, with its question mark, as the browser writes it.
    pub fn query(&self) -> String {
        self.query_now()
            .unwrap_or_else(|error| panic!("the page did not return its address: {error}"))
    }

    /// Waits until the address has this query string.
    #[track_caller]
    pub fn see_query(&self, wanted: &str) {
        self.until(&format!("the address to end in '{wanted}'"), || {
            let query = self.query_now()?;
            if query == wanted { Ok(()) } else { Err(format!("it ends in '{query}'")) }
        });
    }

    fn query_now(&self) -> Result<String, String> {
        self.script("return location.search", Vec::new()).map(|value| text(&value))
    }

    #[track_caller]
    fn loaded(&self) {
        // The page itself looks more often than a driver can ask.
        let loaded = "const isLoaded = () => document.readyState === 'complete' && !document.querySelector('[aria-busy=true]'); \
                      const end = Date.now() + 1_000; \
                      while (!isLoaded() && Date.now() < end) await new Promise((next) => setTimeout(next, 5)); \
                      return isLoaded()";
        self.until("the page to have loaded", || {
            let loaded = self.ask_now(loaded)?;
            if loaded == json!(true) { Ok(()) } else { Err("it is still loading".to_owned()) }
        });
    }
}

/// Questions to the page itself.
impl Page<'_> {
    /// Returns what prevents installing the page as an app, if the browser can say it.
    pub fn installability_errors(&self) -> Option<Value> {
        self.browser.installability_errors()
    }

    /// Waits until the site is kept for offline use.
    #[track_caller]
    pub fn see_kept(&self) {
        // A worker first removes older builds, and then takes over the open pages.
        let kept = "const registration = await navigator.serviceWorker.getRegistration(); \
                    const worker = registration?.active; \
                    const ours = (name) => name.startsWith(registration.scope); \
                    const isAlone = async () => (await caches.keys()).filter(ours).length === 1; \
                    const answers = !!worker && worker === navigator.serviceWorker.controller && await isAlone(); \
                    return [!!worker && worker.state, answers]";
        let notices = self.browser.notices_activation();
        self.until("the site to be kept", || {
            let state = self.ask_now(kept)?;
            let is_kept = state[0] == "activated"
                || (!notices && state[0] == "activating" && state[1] == true);
            if is_kept { Ok(()) } else { Err(format!("its worker: {}", state[0])) }
        });
    }

    /// Waits until everything is kept for offline use, including files that are loaded on demand.
    #[track_caller]
    pub fn see_all_kept(&self) {
        self.see_kept();
        self.until("what is loaded on demand to be kept", || {
            // The service worker keeps this file last.
            let kept =
                self.ask_now("return !!(await caches.match('open.js', { ignoreSearch: true }))")?;
            if kept == json!(true) { Ok(()) } else { Err("it is not".to_owned()) }
        });
    }

    /// Runs JavaScript in the page, which may `await`, and returns its result.
    #[track_caller]
    pub fn ask(&self, script: &str) -> Value {
        self.ask_now(script)
            .unwrap_or_else(|error| panic!("the page cannot answer `{script}`: {error}"))
    }

    /// Waits until the result of a script, which may `await`, passes a check, and returns the result of the check.
    #[track_caller]
    pub fn see_that<T>(
        &self,
        wanted: &str,
        script: &str,
        check: impl Fn(Value) -> Result<T, String>,
    ) -> T {
        self.until(wanted, || check(self.ask_now(script)?))
    }

    /// Like [`Page::ask`], but returns why the page cannot answer. In [`Page::until`], that is a reason to ask again: between
    /// two documents there is no body, and a script is lost.
    pub(crate) fn ask_now(&self, script: &str) -> Result<Value, String> {
        self.script(&format!("return (async () => {{ {script} }})()"), Vec::new())
    }

    /// Runs JavaScript on the one element at this path.
    pub(crate) fn ask_about(&self, path: &[(&str, &str)], script: &str) -> Result<Value, String> {
        let element = self.find(path)?;
        let element = element.to_json().map_err(brief)?;
        self.script(&format!("{FIND}; const element = arguments[0]; {script}"), vec![element])
    }

    pub(crate) fn find(&self, path: &[(&str, &str)]) -> Result<WebElement, String> {
        let session = self.session();
        let found = self.run(async {
            session
                .execute(format!("{FIND}; return find(arguments[0])"), vec![json!(path)])
                .await?
                .elements()
        });
        let mut found = found.map_err(brief)?;
        match found.len() {
            0 => Err("there is none".to_owned()),
            1 => Ok(found.remove(0)),
            several => Err(format!("there are {several}")),
        }
    }

    pub(crate) fn script(&self, script: &str, arguments: Vec<Value>) -> Result<Value, String> {
        let session = self.session();
        self.run(async {
            session.execute(script, arguments).await.map(|answer| answer.json().clone())
        })
        .map_err(brief)
    }

    pub(crate) fn session(&self) -> &WebDriver {
        self.browser.session()
    }

    pub(crate) fn run<T>(&self, action: impl Future<Output = T>) -> T {
        self.browser.run(action)
    }

    /// Tries until it succeeds, and returns the result. After [`PATIENCE`], reports the last reason for failing.
    #[track_caller]
    pub(crate) fn until<T>(&self, wanted: &str, look: impl Fn() -> Result<T, String>) -> T {
        let start = Instant::now();
        loop {
            match look() {
                Ok(found) => return found,
                Err(reason) if start.elapsed() > PATIENCE => {
                    panic!("waited {} s for {wanted}: {reason}", PATIENCE.as_secs())
                }
                Err(_) => thread::sleep(LOOK_AGAIN),
            }
        }
    }
}

/// Writes a path as text: `checkbox 'sequoia' in group 'OS'`.
pub(crate) fn spell(path: &[(&str, &str)]) -> String {
    let parts: Vec<_> = path.iter().rev().map(|(role, name)| format!("{role} '{name}'")).collect();
    parts.join(" in ")
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
