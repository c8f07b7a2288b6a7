"use strict";
// Sort a table by the column whose title is pressed: numbers largest first, words from A, and the other way round after.
for (const button of document.querySelectorAll("table.sortable th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const table = button.closest("table");
    const place = head.cellIndex;
    const firstWay = head.classList.contains("number") ? "descending" : "ascending";
    const otherWay = firstWay === "descending" ? "ascending" : "descending";
    const way = head.getAttribute("aria-sort") === firstWay ? otherWay : firstWay;
    for (const other of head.parentElement.cells) other.setAttribute("aria-sort", other === head ? way : "none");
    const sign = way === "ascending" ? 1 : -1;
    const key = (row) => {
      const cell = row.cells[place];
      if (!head.classList.contains("number")) return cell.textContent.trim();
      return "value" in cell.dataset ? Number(cell.dataset.value) : null;
    };
    const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * (typeof a === "number" ? a - b : a.localeCompare(b));
    });
    table.tBodies[0].append(...rows.map(([, row]) => row));
  });
}
// Find questions by their words, and by how many strategies answer them.
for (const filter of document.querySelectorAll(".filter")) {
  const input = filter.querySelector("input");
  const select = filter.querySelector("select");
  const questions = [...document.getElementById(filter.dataset.for).children];
  const apply = () => {
    const words = input.value.toLowerCase();
    let shown = 0;
    for (const question of questions) {
      const isShown = (!select.value || question.dataset.verdict === select.value)
        && question.textContent.toLowerCase().includes(words);
      question.hidden = !isShown;
      shown += isShown;
    }
    filter.querySelector(".shown").textContent = `${shown} of ${questions.length} questions`;
  };
  input.addEventListener("input", apply);
  select.addEventListener("change", apply);
}
