// The page that this script runs in: its build, its addresses, and what it shows.

const script = document.currentScript;
const build = script.src ? new URL(script.src).search : "";
const inside = (name) => document.getElementById(name);
const url = (name) => name + build;
const home = location.href.split(/[?#]/)[0];
const address = (id) => `${home}?cache=${id}`;
const current = () => document.documentElement.dataset.cache;
