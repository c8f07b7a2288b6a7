// Search as you type, and buttons that copy. Without it every page works: the search has a button,
// and texts can be selected.
"use strict";

const PAUSE = 200;
let timer = 0;
let reading = null;

document.documentElement.classList.add("scripted");

function stop() {
  clearTimeout(timer);
  if (reading) reading.abort();
  reading = null;
}

function close() {
  stop();
  document.getElementById("suggested")?.remove();
}

// What was found, with links that lead from the page that shows it.
function foundIn(text, address) {
  const found = new DOMParser().parseFromString(text, "text/html").getElementById("found");
  if (!found) return null;
  const own = document.importNode(found, true);
  for (const link of own.querySelectorAll("a[href]")) {
    link.href = new URL(link.getAttribute("href"), address).href;
  }
  return own;
}

function show(found, form) {
  const page = document.querySelector("main #found");
  if (page) {
    page.replaceWith(found);
    const heading = document.querySelector("main h1");
    if (heading) heading.textContent = `Near “${form.elements.text.value.trim()}”`;
  } else {
    let panel = document.getElementById("suggested");
    if (!panel) {
      panel = document.createElement("div");
      panel.id = "suggested";
      panel.setAttribute("role", "region");
      panel.setAttribute("aria-label", "Found so far");
      form.after(panel);
    }
    found.removeAttribute("id");
    panel.replaceChildren(found);
  }
  const count = found.querySelectorAll(".hits li").length;
  const said = form.querySelector("[role=status]");
  if (said) said.textContent = count === 1 ? "1 table found" : `${count} tables found`;
}

async function look(form) {
  const text = form.elements.text.value.trim();
  if (text.length < 2) {
    close();
    return;
  }
  const mine = new AbortController();
  reading = mine;
  const address = new URL(form.action);
  address.searchParams.set("text", text);
  try {
    const reply = await fetch(address, { signal: mine.signal });
    const found = reply.ok ? foundIn(await reply.text(), reply.url) : null;
    // A reply to what has been typed over meanwhile is late.
    if (found && reading === mine) show(found, form);
  } catch (error) {
    if (error.name !== "AbortError") close();
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[role=search]");
  if (!form) return;
  stop();
  timer = setTimeout(() => look(form), PAUSE);
});

document.addEventListener("submit", close);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !document.getElementById("suggested")) return;
  close();
  document.getElementById("find")?.focus();
});

async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text.textContent);
    return;
  }
  const range = document.createRange();
  range.selectNodeContents(text);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  document.execCommand("copy");
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copies]");
  if (!button) {
    if (!event.target.closest("header")) close();
    return;
  }
  const label = button.textContent;
  try {
    await copy(document.getElementById(button.dataset.copies));
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select the text and copy it";
  }
  setTimeout(() => { button.textContent = label; }, 2000);
});
