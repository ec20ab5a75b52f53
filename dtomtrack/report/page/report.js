"use strict";
// The page's browser of dialogues. Text of the data goes into the page as text, never as markup.
(() => {
  const PAGE = 60;
  const LETTERS = "ABCD";
  const TYPES = {
    temporal: "Temporal", update_detection: "Update detection", post_update: "Post-update",
    false_belief: "False belief", second_order: "Second-order", pre_update: "Pre-update",
  };
  const ROLES = {
    gold: "right", post_value: "held later", pre_value: "held earlier", partner_value: "named by the partner",
    other_topic: "about another topic", never_said: "never said", other_turn: "another turn", no_change: "no change",
  };

  const at = (id) => document.getElementById(id);
  const overview = JSON.parse(at("overview").textContent);
  const { types, states, subjects, dialogues } = overview;
  const parts = { search: at("search"), type: at("type"), state: at("state"), subject: at("subject"), outcome: at("outcome") };
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

  const spoken = (name) => (TYPES[name] || name.replaceAll("_", " "));
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

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
    const words = [entry.id, entry.domain, one.context];
    for (const agent of one.agents) words.push(agent.name, agent.role, agent.goal, ...agent.knows);
    for (const turn of one.turns) words.push(turn.said, ...turn.thoughts.map((thought) => thought.text));
    for (const question of one.questions) words.push(question.id, question.text, ...question.options);
    return words.join("\n").toLowerCase();
  }

  // -- filtering ---------------------------------------------------------------------------------------------------

  function matches(question, want) {
    const [type, state, flags] = question;
    if (want.type !== -1 && type !== want.type) return false;
    if (want.state !== -1 && state !== want.state) return false;
    if (!want.outcome) return want.subject === -1 || flags[want.subject] !== "0";
    if (want.subject !== -1) return (parseInt(flags[want.subject], 16) & want.outcome) !== 0;
    for (const flag of flags) if (parseInt(flag, 16) & want.outcome) return true;
    return false;
  }

  function wanted() {
    const chosen = (select) => (select.value === "" ? -1 : Number(select.value));
    return {
      type: chosen(parts.type),
      state: chosen(parts.state),
      subject: chosen(parts.subject),
      outcome: Math.max(0, chosen(parts.outcome)),
      words: parts.search.value.toLowerCase().split(/\s+/).filter(Boolean),
    };
  }

  const narrows = (want) => want.type !== -1 || want.state !== -1 || want.subject !== -1 || want.outcome !== 0;

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
    const stays = found.some(([number]) => number === current);
    await show(stays ? current : found.length ? found[0][0] : -1, { quietly: true });
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
    const names = make("span", "names", make("span", "", entry.agents.join(" and ")), make("span", "score", score(entry, matching)));
    const element = button("", "", () => show(number, { focus: true }));
    element.append(names, make("span", "gist", entry.context));
    element.dataset.number = number;
    element.title = entry.id;
    if (number === current) element.setAttribute("aria-current", "true");
    return make("li", "", element);
  }

  function score(entry, matching) {
    const subject = parts.subject.value;
    if (subject === "") return matching.length === 1 ? "1 question" : `${matching.length} questions`;
    const right = matching.filter((place) => entry.questions[place][2][subject] === "1").length;
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
      try { history.replaceState(null, "", `#${encodeURIComponent(dialogues[number].id)}`); } catch { /* not from disk */ }
      if (open.getBoundingClientRect().top < 0 || matchMedia("(max-width: 48rem)").matches) at("count").scrollIntoView();
    }
    if (focus) open.focus({ preventScroll: true });
  }

  function render(one, entry, number) {
    const changes = new Map(one.updates.map((update) => [update.turn, update]));
    return [
      make("div", "back", button("quiet", "← All dialogues", leave)),
      make("h3", "names", entry.agents.join(" and ")),
      make("p", "identity", `${entry.id} · ${entry.domain}`),
      make("p", "context", one.context),
      cast(one),
      tools(),
      make("h4", "", "Who held what, and when"),
      timeline(one, changes),
      make("h4", "", "What was said"),
      make("ol", "turns", ...one.turns.map((turn) => said(turn, one, changes))),
      ...asked(one, number),
    ];
  }

  function cast(one) {
    const agents = one.agents.map((agent) => make(
      "div", "", make("b", "", agent.name), `${agent.role}. Goal: ${agent.goal}`,
      agent.knows.length ? make("ul", "", ...agent.knows.map((fact) => make("li", "", fact))) : null,
    ));
    return make("details", "", make("summary", "", "The two of them, and what each knows"), make("div", "agents", ...agents));
  }

  function tools() {
    const toggle = button("quiet", "", toggleThoughts);
    toggle.id = "thoughts";
    label(toggle);
    const steps = make("div", "step", button("quiet", "Previous", () => step(-1)), button("quiet", "Next", () => step(1)));
    return make("div", "tools", toggle, button("quiet", "To the questions", goToQuestions), steps);
  }

  function label(toggle) {
    toggle.textContent = thinking ? "Hide inner speech" : "Show inner speech";
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
    at("count").scrollIntoView();
    const element = list.querySelector('[aria-current="true"]');
    if (element) element.focus();
  }

  function said(turn, one, changes) {
    const thoughts = turn.thoughts.map((thought) => make("li", `thought ${kind(thought.state)}`, thought.text));
    const change = changes.get(turn.index);
    const speaker = make("span", "speaker", turn.speaker, change ? make("span", "changed", `changes: ${topic(one, change.topic)}`) : null);
    const text = make("p", "said", turn.said);
    text.dir = "auto";
    const element = make("li", turn.speaker === one.agents[0].name ? "turn" : "turn second",
      make("span", "number", String(turn.index)), make("div", "", speaker, make("ul", "thoughts", ...thoughts), text));
    element.dataset.turn = turn.index;
    return element;
  }

  const kind = (state) => (states.includes(state) ? state : "");
  const topic = (one, id) => (Object.hasOwn(one.topics, id) ? one.topics[id] : id.replaceAll("_", " "));

  function goToTurns(turns) {
    for (const element of open.querySelectorAll(".turn")) {
      element.classList.toggle("marked", turns.includes(Number(element.dataset.turn)));
    }
    const first = open.querySelector(`.turn[data-turn="${Number(turns[0])}"]`);
    if (first) first.scrollIntoView({ block: "center" });
  }

  function goToQuestions() {
    open.querySelector(".questions").previousElementSibling.scrollIntoView();
  }

  // -- the timeline ------------------------------------------------------------------------------------------------

  function timeline(one, changes) {
    const length = one.turns.length;
    const grid = make("div", "tracks");
    grid.style.gridTemplateColumns = `repeat(${length}, minmax(2rem, 1fr))`;
    for (const turn of one.turns) {
      const tick = button(changes.has(turn.index) ? "tick change" : "tick", String(turn.index), () => goToTurns([turn.index]));
      tick.title = changes.has(turn.index) ? `Turn ${turn.index}: a mind changes` : `Turn ${turn.index}`;
      grid.append(tick);
    }
    for (const track of tracks(one)) {
      const first = track[0];
      const holder = first.order > 1 && first.about ? `thinks about ${first.about}: ` : "";
      grid.append(make("span", "who", make("b", "", first.holder), ` ${holder}${topic(one, first.topic)} (${first.state})`));
      for (const belief of track) grid.append(held(belief, one));
    }
    const legend = grid.querySelector(".mistaken") ? make("p", "about", "≠ marks what is thought of somebody who, for some turns or all, holds something else.") : null;
    return make("div", "timeline", grid, legend);
  }

  function tracks(one) {
    const byKey = new Map();
    for (const belief of one.beliefs) {
      const key = JSON.stringify([belief.order, belief.holder, belief.about, belief.state, belief.topic]);
      if (!byKey.has(key)) byKey.set(key, []);
      byKey.get(key).push(belief);
    }
    const own = [...byKey.values()];
    for (const track of own) track.sort((left, right) => left.from - right.from);
    return own.sort((left, right) => left[0].order - right[0].order);
  }

  function held(belief, one) {
    const end = Math.max(belief.from + 1, belief.to === null ? one.turns.length : belief.to);
    const wrong = mistaken(belief, end, one.beliefs);
    const names = `span ${kind(belief.state)}${belief.to === null ? "" : " past"}${wrong === null ? "" : " mistaken"}`;
    const element = button(names, belief.content, () => goToTurns([belief.from]));
    element.style.gridColumn = `${belief.from + 1} / ${end + 1}`;
    element.title = `${belief.content} (turn ${belief.from} ${belief.to === null ? "to the end" : `until turn ${belief.to}`})`;
    if (wrong !== null) {
      element.title += `: not what ${belief.about} holds at turn ${wrong}`;
      element.prepend(make("span", "differs", "≠ "));
    }
    return element;
  }

  // The first turn at which somebody holds something else than is thought of them; null if there is none.
  function mistaken(belief, end, beliefs) {
    if (belief.order !== 2) return null;
    const own = beliefs.filter((other) => other.order === 1 && other.holder === belief.about &&
      other.topic === belief.topic && other.state === belief.state && other.content !== belief.content);
    for (let turn = belief.from; turn < end; turn += 1) {
      if (own.some((other) => other.from <= turn && (other.to === null || turn < other.to))) return turn;
    }
    return null;
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

  function ask(question, texts, [type, state]) {
    const tags = make("div", "tags", make("span", "", spoken(types[type])), make("span", "", states[state]));
    if (question.evidence.length) {
      const turns = question.evidence.join(", ");
      tags.append(button("", question.evidence.length > 1 ? `evidence: turns ${turns}` : `evidence: turn ${turns}`, () => goToTurns(question.evidence)));
    }
    const chosen = choices(question);
    const options = question.options.map((text, place) => option(question, text, place, chosen));
    const element = make("li", "question", tags, make("p", "text", question.text), make("ol", "options", ...options));
    const unread = [...chips(chosen["?"], "unread", "not readable"), ...chips(chosen["!"], "unread", "failed")];
    if (unread.length) element.append(make("div", "unanswered", ...unread));
    const said = replied(texts);
    if (said) element.append(said);
    element.dataset.question = question.id;
    return element;
  }

  function choices(question) {
    const chosen = { A: [], B: [], C: [], D: [], "?": [], "!": [] };
    question.answers.forEach((letters, subject) => {
      for (const mark of Object.keys(chosen)) {
        const times = letters.split(mark).length - 1;
        if (times) chosen[mark].push([subject, times, letters.length]);
      }
    });
    return chosen;
  }

  function option(question, text, place, chosen) {
    const letter = LETTERS[place];
    const gold = letter === question.gold;
    const role = question.roles[place];
    const body = make("span", "", text);
    body.dir = "auto";
    const element = make("li", gold ? "option gold" : "option", make("span", "letter", letter), body,
      make("span", "role", gold ? "✓ right" : (Object.hasOwn(ROLES, role) ? ROLES[role] : role)));
    const marks = chips(chosen[letter], gold ? "right" : "", "");
    if (marks.length) element.append(make("div", "chose", ...marks));
    return element;
  }

  function chips(choosers, className, why) {
    const sign = className === "right" ? "✓ " : className === "unread" ? "" : "✗ ";
    return choosers.map(([subject, times, of]) => {
      const often = of > 1 ? ` ${times}/${of}` : "";
      const element = make("span", `chip ${className}`, `${sign}${subjects[subject].short}${often}${why ? `: ${why}` : ""}`);
      element.title = subjects[subject].label;
      return element;
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

  function choosable(select, names) {
    names.forEach((name, number) => select.append(new Option(name, number)));
  }

  function start() {
    useTheme(storedTheme());
    at("theme").addEventListener("click", nextTheme);
    choosable(parts.type, types.map(spoken));
    choosable(parts.state, states.map(capital));
    choosable(parts.subject, subjects.map((subject) => subject.label));
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
    current = dialogues.findIndex((entry) => `#${encodeURIComponent(entry.id)}` === location.hash);
    const named = current >= 0;
    filter().then(() => { if (named) at("dialogues").scrollIntoView(); browser.classList.toggle("reading", named); });
  }

  start();
})();
