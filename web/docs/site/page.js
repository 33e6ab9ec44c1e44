// A page of the documentation: opens the navigation on narrow screens, and searches.
import "./page.css";
import { searchPages } from "./search.js";

const menu = document.getElementById("menu");
const navigation = document.getElementById("navigation");
menu.addEventListener("click", () => {
  const open = navigation.classList.toggle("open");
  menu.setAttribute("aria-expanded", String(open));
});

const query = document.getElementById("query");
const results = document.getElementById("results");
const status = document.getElementById("status");

function entry({ url, title, heading }) {
  const link = document.createElement("a");
  link.href = url;
  link.append(heading === title ? title : `${title}: ${heading}`);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function show() {
  const asked = query.value.trim();
  const found = asked === "" ? [] : await searchPages(asked);
  // A slower answer to an older question is dropped.
  if (asked !== query.value.trim()) return;
  results.replaceChildren(...found.map(entry));
  results.hidden = found.length === 0;
  status.textContent = asked === "" ? "" : found.length === 0 ? "Nothing found." : `${found.length} places found.`;
}

query.addEventListener("input", show);
query.addEventListener("keydown", (event) => {
  if (event.key === "Enter") results.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || results.hidden) return;
  query.value = "";
  query.focus();
  show();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("search") === null || event.target.closest("#results a") !== null) results.hidden = true;
});
