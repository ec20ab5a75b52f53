"use strict";
// The page's browser of dialogues. Text of the data goes into the page as text, never as markup.
(() => {
  const PAGE = 60;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const HUES = 5;
  const NONE = "none";
  const RIGHT = 1;
  const ANSWERED = 7;  // right, wrong or not readable

  const at = (id) => document.getElementById(id);
  const overview = JSON.parse(at("overview").textContent);
  const { groupings, roles, words, subjects, dialogues } = overview;
  const parts = {
    search: at("search"), subject: at("subject"), outcome: at("outcome"),
    groups: groupings.map((_, number) => at(`grouping-${number}`)),
  };
  const models = subjects.flatMap((subject, number) => (subject.model ? [number] : []));
  const list = at("list");
  const open = at("open");
  const browser = at("browser");

  let found = [];      // [number of the dialogue, numbers of its questions that match], in order
  let shown = 0;       // how many of them the list holds
  let current = -1;    // number of the dialogue that is open
  let thinking = false;
  let allQuestions = false;
  let texts = null;    // by dialogue, what is searched; read when somebody searches

  // -- making elements ---------------------------------------------------------------------------------------------

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  }

  function button(className, text, act) {
    const element = make("button", className, text);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  }

  const named = (entry) => entry.title || entry.id;
  const hue = (kind) => (words.kinds.includes(kind) ? `hue-${words.kinds.indexOf(kind) % HUES}` : "");

  // -- reading the chunks ------------------------------------------------------------------------------------------

  const chunks = { dialogues: new Map(), replies: new Map() };

  function chunk(kind, number) {
    const known = chunks[kind];
    if (!known.has(number)) {
      const element = document.querySelector(`script[data-${kind}="${number}"]`);
      const bytes = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
      known.set(number, new Response(stream).json());
      element.remove();
    }
    return known.get(number);
  }

  async function whole(number) {
    const place = Math.floor(number / overview.chunk);
    const [some, replies] = await Promise.all([chunk("dialogues", place), chunk("replies", place)]);
    return { ...some[number % overview.chunk], replies: replies[number % overview.chunk] };
  }

  async function readTexts() {
    if (texts) return;
    const read = [];
    for (let number = 0; number < dialogues.length; number += overview.chunk) {
      for (const one of await chunk("dialogues", number / overview.chunk)) read.push(searched(one, dialogues[read.length]));
    }
    texts = read;
  }

  function searched(one, entry) {
    const said = [entry.id, entry.title, ...entry.tags, one.introduction];
    const lines = (some) => { for (const line of some) said.push(line.speaker, line.text, ...line.asides.map((aside) => aside.text)); };
    for (const person of one.people) said.push(person.name, person.text, ...person.facts);
    lines(one.lines);
    for (const question of one.questions) {
      said.push(question.id, question.text, ...question.options);
      lines(question.lines);
    }
    return said.join("\n").toLowerCase();
  }

  // -- filtering ---------------------------------------------------------------------------------------------------

  // Whether models gave answers, and none of them a right one; calls that failed are no answers.
  function failsAll(flags) {
    const given = models.map((subject) => parseInt(flags[subject], 16)).filter((flag) => flag & ANSWERED);
    return given.length > 0 && !given.some((flag) => flag & RIGHT);
  }

  function matches(question, want) {
    const [groups, flags] = question;
    for (const [grouping, group] of want.groups) if (groups[grouping] !== group) return false;
    if (want.none) return failsAll(flags) && (want.subject === -1 || flags[want.subject] !== "0");
    if (!want.outcome) return want.subject === -1 || flags[want.subject] !== "0";
    if (want.subject !== -1) return (parseInt(flags[want.subject], 16) & want.outcome) !== 0;
    for (const flag of flags) if (parseInt(flag, 16) & want.outcome) return true;
    return false;
  }

  function wanted() {
    const chosen = (select) => (select.value === "" ? -1 : Number(select.value));
    return {
      groups: parts.groups.map((select, number) => [number, chosen(select)]).filter(([, group]) => group !== -1),
      subject: chosen(parts.subject),
      none: parts.outcome.value === NONE,
      outcome: parts.outcome.value === NONE ? 0 : Math.max(0, chosen(parts.outcome)),
      words: parts.search.value.toLowerCase().split(/\s+/).filter(Boolean),
    };
  }

  const narrows = (want) => want.groups.length !== 0 || want.subject !== -1 || want.outcome !== 0 || want.none;

  const busy = (is) => browser.setAttribute("aria-busy", String(is));

  async function filter() {
    busy(true);
    const want = wanted();
    if (want.words.length && !texts) {
      at("count").textContent = "Reading the dialogues…";
      await readTexts();
      return filter();
    }
    found = [];
    let questions = 0;
    dialogues.forEach((entry, number) => {
      if (want.words.length && !want.words.every((word) => texts[number].includes(word))) return;
      const matching = [];
      entry.questions.forEach((question, place) => { if (matches(question, want)) matching.push(place); });
      if (!matching.length && narrows(want)) return;
      questions += matching.length;
      found.push([number, matching]);
    });
    at("count").textContent = `${found.length.toLocaleString("en")} of ${dialogues.length.toLocaleString("en")} dialogues, ` +
      `${questions.toLocaleString("en")} questions`;
    allQuestions = false;
    fillList();
    writeAddress();
    const stays = found.some(([number]) => number === current);
    await show(stays ? current : found.length ? found[0][0] : -1, { quietly: true });
  }

  // -- the address: the open dialogue and the filters, in words -------------------------------------------------------

  const filters = () => [
    ...parts.groups.map((select, number) => [groupings[number].label, select]), ["Model", parts.subject], ["Answer", parts.outcome],
  ];

  function writeAddress() {
    const set = filters().filter(([, select]) => select.value !== "").map(([name, select]) => [name, select.selectedOptions[0].text]);
    if (parts.search.value) set.push(["Search", parts.search.value]);
    const open = current >= 0 && browser.classList.contains("reading") ? encodeURIComponent(dialogues[current].id) : "";
    const address = open || set.length ? `#${open}${set.length ? `?${new URLSearchParams(set)}` : ""}` : location.pathname;
    try { history.replaceState(null, "", address); } catch { /* not from disk */ }
  }

  // Sets the filters that an address names, and gives the number of its dialogue, or -1.
  function readAddress() {
    const [id, query] = location.hash.slice(1).split(/\?(.*)/s);
    const given = new URLSearchParams(query || "");
    for (const [name, select] of filters()) {
      const option = [...select.options].find((one) => one.text === given.get(name));
      select.value = option ? option.value : "";
    }
    parts.search.value = given.get("Search") || "";
    return dialogues.findIndex((entry) => encodeURIComponent(entry.id) === id);
  }

  function goToAddress() {
    current = readAddress();
    const addressed = current >= 0;
    const narrowed = filters().some(([, select]) => select.value !== "") || parts.search.value !== "";
    browser.classList.toggle("reading", addressed);
    return filter().then(() => { if (addressed || narrowed) at("dialogues").scrollIntoView(); });
  }

  // -- the list ----------------------------------------------------------------------------------------------------

  function fillList() {
    list.replaceChildren();
    shown = 0;
    extendList();
    if (!found.length) list.append(make("li", "empty", "Nothing matches. Clear a filter."));
  }

  function extendList() {
    const rows = document.createDocumentFragment();
    for (const [number, matching] of found.slice(shown, shown + PAGE)) rows.append(row(number, matching));
    shown = Math.min(found.length, shown + PAGE);
    list.append(rows);
    at("more").hidden = shown >= found.length;
    at("more").textContent = `Show ${Math.min(PAGE, found.length - shown)} more`;
  }

  function row(number, matching) {
    const entry = dialogues[number];
    const names = make("span", "names", make("span", "", named(entry)), make("span", "score", score(entry, matching)));
    const element = button("", "", () => show(number, { focus: true }));
    element.append(names, make("span", "gist", entry.excerpt));
    element.dataset.number = number;
    element.title = entry.id;
    if (number === current) element.setAttribute("aria-current", "true");
    return make("li", "", element);
  }

  function score(entry, matching) {
    const subject = parts.subject.value;
    if (subject === "") return matching.length === 1 ? "1 question" : `${matching.length} questions`;
    const right = matching.filter((place) => entry.questions[place][1][subject] === "1").length;
    return `${right} of ${matching.length} right`;
  }

  function mark() {
    for (const element of list.querySelectorAll("button")) {
      if (Number(element.dataset.number) === current) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
  }

  function step(by) {
    const place = found.findIndex(([number]) => number === current) + by;
    if (place < 0 || place >= found.length) return;
    while (place >= shown) extendList();
    show(found[place][0], {});
    list.querySelectorAll("button")[place].scrollIntoView({ block: "nearest" });
  }

  // -- one dialogue ------------------------------------------------------------------------------------------------

  async function show(number, { focus = false, quietly = false }) {
    current = number;
    mark();
    busy(true);
    if (number < 0) {
      busy(false);
      open.replaceChildren(make("p", "empty", dialogues.length ? "No dialogue is open." : "There are no dialogues."));
      return;
    }
    const one = await whole(number);
    if (current !== number) return;
    open.replaceChildren(...render(one, dialogues[number], number));
    busy(false);
    open.classList.toggle("thinking", thinking);
    if (!quietly) {
      browser.classList.add("reading");
      writeAddress();
      if (open.getBoundingClientRect().top < 0 || matchMedia("(max-width: 48rem)").matches) at("count").scrollIntoView();
    }
    if (focus) open.focus({ preventScroll: true });
  }

  function render(one, entry, number) {
    const identity = [entry.title ? entry.id : "", ...entry.tags].filter(Boolean).join(" · ");
    return [
      make("div", "back", button("quiet", "← All dialogues", leave)),
      make("h3", "names", named(entry)),
      identity ? make("p", "identity", identity) : "",
      one.introduction ? make("p", "context", one.introduction) : "",
      one.people.length ? cast(one.people) : "",
      tools(one),
      ...(one.tracks.length ? [make("h4", "", words.tracks), timeline(one)] : []),
      ...(one.lines.length ? [make("h4", "", heading(one.lines)), transcript(one.lines, "turns main")] : []),
      ...asked(one, number),
    ].filter(Boolean);
  }

  const heading = (lines) => (lines.some((line) => line.speaker) ? "What was said" : "What it is about");

  function cast(people) {
    const entries = people.map((person) => make(
      "div", "", make("b", "", person.name), person.text,
      person.facts.length ? make("ul", "", ...person.facts.map((fact) => make("li", "", fact))) : null,
    ));
    return make("details", "", make("summary", "", words.people), make("div", "agents", ...entries));
  }

  function tools(one) {
    const bar = make("div", "tools");
    if (hasAsides(one)) {
      const toggle = button("quiet", "", toggleThoughts);
      toggle.id = "thoughts";
      label(toggle);
      bar.append(toggle);
    }
    const steps = make("div", "step", button("quiet", "Previous", () => step(-1)), button("quiet", "Next", () => step(1)));
    bar.append(button("quiet", "To the questions", goToQuestions), steps);
    return bar;
  }

  const hasAsides = (one) => [one, ...one.questions].some((part) => part.lines.some((line) => line.asides.length));

  function label(toggle) {
    toggle.textContent = `${thinking ? "Hide" : "Show"} ${words.asides}`;
    toggle.setAttribute("aria-pressed", String(thinking));
  }

  function toggleThoughts() {
    thinking = !thinking;
    open.classList.toggle("thinking", thinking);
    const toggle = at("thoughts");
    if (toggle) label(toggle);
  }

  function leave() {
    browser.classList.remove("reading");
    writeAddress();
    at("count").scrollIntoView();
    const element = list.querySelector('[aria-current="true"]');
    if (element) element.focus();
  }

  function transcript(lines, className) {
    const speakers = [...new Set(lines.map((line) => line.speaker))].filter(Boolean);
    return make("ol", className, ...lines.map((line, number) => said(line, number, speakers, lines.length)));
  }

  function said(line, number, speakers, length) {
    const asides = line.asides.map((aside) => make("li", `thought ${hue(aside.kind)}`, aside.text));
    const speaker = line.speaker || line.note
      ? make("span", "speaker", line.speaker, line.heard ? make("span", "heard", line.heard) : null,
        line.note ? make("span", "changed", line.note) : null) : null;
    const events = line.before.map((event) => make("p", "event", event));
    const text = make("p", "said", line.text);
    text.dir = "auto";
    const place = speakers.indexOf(line.speaker);
    const element = make("li", place > 0 ? `turn voice-${1 + (place - 1) % 4}` : "turn",
      make("span", "number", length > 1 ? String(number) : ""),
      make("div", "", ...events, speaker, asides.length ? make("ul", "thoughts", ...asides) : null, text));
    element.dataset.turn = number;
    return element;
  }

  function goToTurns(turns) {
    for (const element of open.querySelectorAll(".main .turn")) {
      element.classList.toggle("marked", turns.includes(Number(element.dataset.turn)));
    }
    const first = open.querySelector(`.main .turn[data-turn="${Number(turns[0])}"]`);
    if (first) first.scrollIntoView({ block: "center" });
  }

  function goToQuestions() {
    open.querySelector(".questions").previousElementSibling.scrollIntoView();
  }

  // -- the timeline ------------------------------------------------------------------------------------------------

  function timeline(one) {
    const length = one.lines.length;
    const grid = make("div", "tracks");
    grid.style.gridTemplateColumns = `repeat(${length}, minmax(2rem, 1fr))`;
    one.lines.forEach((line, number) => {
      const tick = button(line.note ? "tick change" : "tick", String(number), () => goToTurns([number]));
      tick.title = line.note ? `Turn ${number}: ${line.note}` : `Turn ${number}`;
      grid.append(tick);
    });
    for (const track of one.tracks) {
      grid.append(make("span", "who", make("b", "", track.holder), ` ${track.about}`));
      for (const span of track.spans) grid.append(held(span, length));
    }
    const marked = one.tracks.some((track) => track.spans.some((span) => span.warning));
    return make("div", "timeline", grid, marked && words.tracksNote ? make("p", "about", words.tracksNote) : null);
  }

  function held(span, length) {
    const end = Math.max(span.from + 1, span.to === null ? length : span.to);
    const names = `span ${hue(span.kind)}${span.to === null ? "" : " past"}${span.warning ? " mistaken" : ""}`;
    const element = button(names, span.text, () => goToTurns([span.from]));
    element.style.gridColumn = `${span.from + 1} / ${end + 1}`;
    element.title = `${span.text} (turn ${span.from} ${span.to === null ? "to the end" : `until turn ${span.to}`})`;
    if (span.warning) {
      element.title += `: ${span.warning}`;
      element.prepend(make("span", "differs", "≠ "));
    }
    return element;
  }

  // -- its questions -----------------------------------------------------------------------------------------------

  function asked(one, number) {
    const match = found.find(([other]) => other === number);
    const places = allQuestions || !match ? one.questions.map((_, place) => place) : match[1];
    const hidden = one.questions.length - places.length;
    const heading = hidden ? `${places.length} of ${one.questions.length} questions match` : `${one.questions.length} questions`;
    const every = hidden ? make("div", "tools", button("quiet", "Show all questions", () => { allQuestions = true; show(number, { quietly: true }); })) : null;
    const items = places.map((place) => ask(one.questions[place], one.replies[place], dialogues[number].questions[place]));
    return [make("h4", "", heading), make("ol", "questions", ...items), ...(every ? [every] : [])];
  }

  function ask(question, texts, [groups]) {
    const text = make("p", "text", question.text);
    text.dir = "auto";
    const chosen = choices(question);
    const options = question.options.map((option, place) => offered(question, option, place, chosen));
    const element = make("li", "question", tagged(question, groups), ownContext(question), text, make("ol", "options", ...options));
    const below = [...wholeSets(question, chosen), ...unread(chosen)];
    if (below.length) element.append(make("div", "unanswered", ...below));
    const said = replied(texts);
    if (said) element.append(said);
    element.dataset.question = question.id;
    return element;
  }

  // The groups of the two first groupings, how much of the dialogue the question is about, and its evidence.
  function tagged(question, groups) {
    const shown = groups.slice(0, 2).map((group, grouping) => (group < 0 ? "" : groupings[grouping].groups[group]));
    const tags = make("div", "tags", ...shown.filter(Boolean).map((name) => make("span", "", name)));
    if (question.several) tags.append(make("span", "", "several may be right"));
    if (question.seen !== null) {
      tags.append(make("span", "", question.seen === 0 ? "asked without it" : `asked after line ${question.seen - 1}`));
    }
    if (question.evidence.length) {
      const turns = question.evidence.join(", ");
      tags.append(button("", question.evidence.length > 1 ? `evidence: turns ${turns}` : `evidence: turn ${turns}`, () => goToTurns(question.evidence)));
    }
    return tags;
  }

  function ownContext(question) {
    if (!question.lines.length) return null;
    return make("details", "own", make("summary", "", heading(question.lines)), transcript(question.lines, "turns"));
  }

  // By subject, each time that it was asked: the letters that it chose, "?" not readable, "!" failed.
  function choices(question) {
    return question.answers.map((answers) => answers.split(" ").filter(Boolean));
  }

  const isRead = (answer) => answer !== "?" && answer !== "!";

  function offered(question, text, place, chosen) {
    const letter = LETTERS[place];
    const gold = question.gold.includes(letter);
    const role = question.roles[place];
    const body = make("span", "", text);
    body.dir = "auto";
    const name = gold ? "✓ right" : role === undefined ? "" : Object.hasOwn(roles, role) ? roles[role] : role;
    const element = make("li", gold ? "option gold" : "option", make("span", "letter", letter), body, make("span", "role", name));
    const marks = chips(chosen, (answer) => answer.includes(letter), gold ? "right" : "", gold ? "✓ " : "✗ ");
    if (gold && question.several) {
      marks.push(...chips(chosen, (answer) => isRead(answer) && !answer.includes(letter), "missed", "○ missed: "));
    }
    if (marks.length) element.append(make("div", "chose", ...marks));
    return element;
  }

  // Who chose exactly what is right, where that is more than one option's affair.
  function wholeSets(question, chosen) {
    return question.several ? chips(chosen, (answer) => answer === question.gold, "right", "✓ exactly right: ") : [];
  }

  function unread(chosen) {
    return [
      ...chips(chosen, (answer) => answer === "?", "unread", "", ": not readable"),
      ...chips(chosen, (answer) => answer === "!", "unread", "", ": failed"),
    ];
  }

  // A chip for each subject of whose answers some are meant, with how many where it was asked several times.
  function chips(chosen, isMeant, className, before, after = "") {
    return chosen.flatMap((answers, subject) => {
      const times = answers.filter(isMeant).length;
      if (!times) return [];
      const often = answers.length > 1 ? ` ${times}/${answers.length}` : "";
      const element = make("span", `chip ${className}`, `${before}${subjects[subject].short}${often}${after}`);
      element.title = subjects[subject].label;
      return [element];
    });
  }

  function replied(bySubject) {
    const items = [];
    bySubject.forEach((texts, subject) => {
      const said = texts.filter(Boolean);
      if (said.length) items.push(make("dt", "", subjects[subject].label), ...said.map((text) => make("dd", "", text)));
    });
    if (!items.length) return null;
    return make("details", "replies", make("summary", "", "What they replied"), make("dl", "", ...items));
  }

  // -- keys, filters, theme ----------------------------------------------------------------------------------------

  function typed(event) {
    const writing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target === parts.search) { parts.search.blur(); return; }
    if (writing) return;
    if (event.key === "/") { event.preventDefault(); parts.search.focus(); return; }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
    if (event.key === "t") toggleThoughts();
    if (list.contains(event.target) && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const rows = [...list.querySelectorAll("button")];
      const next = rows[rows.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) next.focus();
    }
  }

  const THEMES = ["auto", "light", "dark"];

  function useTheme(name) {
    if (name === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", name);
    at("theme").textContent = { auto: "◐ Auto", light: "○ Light", dark: "● Dark" }[name];
    at("theme").setAttribute("aria-label", `Colours: ${name === "auto" ? "as the system has them" : name}`);
    at("theme").dataset.theme = name;
  }

  function nextTheme() {
    const name = THEMES[(THEMES.indexOf(at("theme").dataset.theme) + 1) % THEMES.length];
    useTheme(name);
    try { localStorage.setItem("dtomtrack-theme", name); } catch { /* storage is off for files */ }
  }

  function storedTheme() {
    try {
      const name = localStorage.getItem("dtomtrack-theme");
      return THEMES.includes(name) ? name : "auto";
    } catch {
      return "auto";
    }
  }

  // How many questions of the dialogues that are shown no model gets right, and a way to them.
  function showFailed() {
    const failed = dialogues.flatMap((entry) => entry.questions).filter(([, flags]) => failsAll(flags)).length;
    const place = at("failed");
    if (!place || !failed) return;
    const all = models.length > 1 ? "every model fails" : "the model fails";
    const among = dialogues.length < overview.total ? ` in the ${dialogues.length.toLocaleString("en")} dialogues shown below` : "";
    place.append(button("quiet", `${failed.toLocaleString("en")} questions ${all}${among}`, () => {
      parts.outcome.value = NONE;
      filter().then(() => at("dialogues").scrollIntoView());
    }));
  }

  // -- tables and figures to take away -----------------------------------------------------------------------------

  const MINUS = "\u2212";
  const bare = (cell) => [...cell.childNodes].filter((node) => node.nodeName !== "SMALL").map((node) => node.textContent).join("");
  const figure = (cell) => bare(cell).trim().replaceAll(MINUS, "-");
  const ends = (cell) => { const small = cell.querySelector("small:not(.note)"); return small ? small.textContent.trim().replaceAll(MINUS, "-") : ""; };
  const rowsOf = (table) => [...table.tBodies, ...(table.tFoot ? [table.tFoot] : [])].flatMap((part) => [...part.rows]);
  const nameOf = (row) => row.cells[0].title || row.cells[0].textContent.trim();
  const headsOf = (table) => [...table.tHead.rows[0].cells].map((cell) => bare(cell).trim());

  // A spreadsheet takes a text that begins with one of these for a formula, but for a number or two with nothing behind.
  const NUMBER = "[+-]?(?:\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)(?:\\s?%)?";
  const FIGURES = new RegExp(`^${NUMBER}(?:(?: to |\\s?\u2013\\s?)${NUMBER})?$`);
  const harmless = (text) => (/^[=+@\t\r-]/.test(text) && !FIGURES.test(text) ? `'${text}` : text);
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  function asCsv(table) {
    const [corner, ...heads] = headsOf(table);
    const spread = heads.map((_, place) => rowsOf(table).some((row) => ends(row.cells[place + 1])));
    const line = (cells) => cells.map((cell) => quoted(harmless(cell))).join(",");
    const first = [corner, ...heads.flatMap((head, place) => (spread[place] ? [head, `${head}, interval`] : [head]))];
    const rows = rowsOf(table).map((row) => [
      nameOf(row),
      ...[...row.cells].slice(1).flatMap((cell, place) => (spread[place] ? [figure(cell), ends(cell)] : [figure(cell)])),
    ]);
    return `${[first, ...rows].map(line).join("\n")}\n`;
  }

  const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\u2013": "--", "\u2212": "$-$" };
  const tex = (text) => text.replace(/[\\~^\u2013\u2212]|[&%$#_{}]/g, (sign) => TEX[sign] || `\\${sign}`).replace(/\s+/g, " ");

  function texCell(cell) {
    const text = tex(figure(cell)).replace(/^-(?=[\d.])/, "$-$");
    if (cell.querySelector("strong")) return `\\textbf{${text}}`;
    return cell.querySelector("u") ? `\\underline{${text}}` : text;
  }

  function asLatex(table) {
    const line = (cells) => `${cells.join(" & ")} \\\\`;
    const rows = rowsOf(table).map((row) => line([tex(nameOf(row)), ...[...row.cells].slice(1).map(texCell)]));
    return [
      `\\begin{tabular}{l${"r".repeat(headsOf(table).length - 1)}}`, "\\toprule", line(headsOf(table).map(tex)), "\\midrule",
      ...rows, "\\bottomrule", "\\end{tabular}", "",
    ].join("\n");
  }

  async function copy(text, pressed) {
    const before = pressed.textContent;
    try { await navigator.clipboard.writeText(text); } catch { copyOldStyle(text); }
    pressed.textContent = "Copied";
    setTimeout(() => { pressed.textContent = before; }, 1500);
  }

  // Where a page from disk may not write the clipboard by itself.
  function copyOldStyle(text) {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }

  function copies(table) {
    const csv = button("quiet", "Copy as CSV", () => copy(asCsv(table), csv));
    const latex = button("quiet", "Copy as LaTeX", () => copy(asLatex(table), latex));
    table.parentElement.after(make("div", "given", csv, latex));
  }

  function sortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      const name = head.textContent.trim();
      head.replaceChildren(button("sort", name, () => sort(table, head, place)));
      head.firstChild.title = `Sort by ${name}`;
    });
  }

  // Within models, baselines and who reads the records, so that these stay apart; first the largest, names first from a to z.
  function sort(table, head, place) {
    const down = head.getAttribute("aria-sort") === "descending" || (place === 0 && !head.hasAttribute("aria-sort")) ? 1 : -1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down === 1 ? "ascending" : "descending");
    const number = (row) => { const value = parseFloat(figure(row.cells[place]).replaceAll(",", "")); return Number.isNaN(value) ? null : value; };
    const compare = (one, other) => {
      if (place === 0) return down * nameOf(one).localeCompare(nameOf(other));
      const [a, b] = [number(one), number(other)];
      if (a === null || b === null) return (a === null) - (b === null);
      return down * (a - b);
    };
    for (const body of table.tBodies) body.append(...[...body.rows].sort(compare));
  }

  function downloadable(card) {
    const svg = card.querySelector("svg");
    if (!svg) return;
    const title = card.querySelector("h3").textContent.trim();
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "figure";
    card.append(make("div", "given",
      button("quiet", "Download SVG", () => download(asFile(svg), `${name}.svg`)),
      button("quiet", "Download PNG", async () => download(await asPicture(svg), `${name}.png`))));
  }

  function asFile(svg) {
    const whole = svg.cloneNode(true);
    const { width, height } = svg.viewBox.baseVal;
    const own = { color: "#26241f", "font-family": "sans-serif", xmlns: "http://www.w3.org/2000/svg", width, height };
    for (const [name, value] of Object.entries(own)) whole.setAttribute(name, value);
    return new Blob([new XMLSerializer().serializeToString(whole)], { type: "image/svg+xml" });
  }

  // On white, since papers are, and with three dots a point, since papers are printed.
  async function asPicture(svg) {
    const address = URL.createObjectURL(asFile(svg));
    const image = new Image();
    image.src = address;
    await image.decode();
    URL.revokeObjectURL(address);
    const canvas = make("canvas", "");
    canvas.width = 3 * image.naturalWidth;
    canvas.height = 3 * image.naturalHeight;
    const pen = canvas.getContext("2d");
    pen.fillStyle = "white";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  }

  function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  function choosable(select, names) {
    names.forEach((name, number) => select.append(new Option(name, number)));
  }

  function start() {
    useTheme(storedTheme());
    at("theme").addEventListener("click", nextTheme);
    document.querySelectorAll("main .scroll table").forEach(copies);
    document.querySelectorAll("table.models").forEach(sortable);
    document.querySelectorAll("figure").forEach(downloadable);
    groupings.forEach((grouping, number) => choosable(parts.groups[number], grouping.groups));
    at("key-asides").lastElementChild.textContent = words.asides;
    choosable(parts.subject, subjects.map((subject) => subject.label));
    if (!models.length) parts.outcome.querySelector(`[value="${NONE}"]`).remove();
    else showFailed();
    for (const name of ["subject", "outcome"]) parts[name].parentElement.hidden = subjects.length === 0;
    let waiting = 0;
    at("filters").addEventListener("submit", (event) => event.preventDefault());
    at("filters").addEventListener("change", (event) => { if (event.target !== parts.search) filter(); });
    at("filters").addEventListener("reset", () => { busy(true); setTimeout(filter); });
    parts.search.addEventListener("input", () => { busy(true); clearTimeout(waiting); waiting = setTimeout(filter, 80); });
    parts.search.addEventListener("focus", readTexts, { once: true });
    at("more").addEventListener("click", extendList);
    document.addEventListener("keydown", typed);
    if (!("DecompressionStream" in window)) {
      open.replaceChildren(make("p", "empty", "This browser is too old to read the dialogues: it lacks DecompressionStream."));
      return;
    }
    window.addEventListener("hashchange", goToAddress);
    goToAddress();
  }

  start();
})();
