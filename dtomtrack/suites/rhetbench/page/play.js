"use strict";
// The engine, the classifier and the replies of dtomtrack's RhetBench, and a page to play on. `rhetbench` at the end is
// what tests hold against the engine in Python; nothing here asks a server for anything.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { rules, appeals, longest, shortest } = data;
  const points = (text) => Array.from(text);
  const cutTo = (text, most) => points(text).slice(0, most).join("");

  // -- the character's mind ------------------------------------------------------------------------------------------

  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
  const rounded = (value) => Number(value.toFixed(6));
  const profileAt = (mind, turn) => (mind.drift && turn >= mind.drift.turn ? mind.drift.profile : mind.profile);
  const bestAt = (mind, turn) => {
    const profile = profileAt(mind, turn);
    return appeals.reduce((best, one) => ((profile[one] ?? 0) > (profile[best] ?? 0) ? one : best));
  };
  const opening = (mind) => ({ agreement: mind.start, rapport: 0, turn: 0, uses: {}, streak: 0, asked: 0 });

  function baseOf(profile, heard) {
    if (heard in profile) return profile[heard];
    if (heard === "GENERIC") return rules.base.generic;
    return heard === "ASK" ? rules.base.ask : rules.base.absent;
  }

  function deltaOf(mind, state, heard, answers) {
    const turn = state.turn + 1, profile = profileAt(mind, turn), base = baseOf(profile, heard);
    const over = turn - rules.fatigue.free_turns;
    const fatigue = over <= 0 ? 1 : Math.max(rules.fatigue.floor, 1 - rules.fatigue.per_turn * over);
    let shift = base;
    if (base > 0 || rules.modulates_hostile) shift *= (1 + rules.amplification * state.rapport) * fatigue;
    if (answers && shift > 0) shift *= rules.pivot.answered;
    const repeats = state.uses[heard] ?? 0;
    if (repeats) {
      const weakness = Math.max(rules.weakness.floor, 1 - base / Math.max(...Object.values(profile)));
      const paid = rules.weakness.cap === null ? weakness : Math.min(rules.weakness.cap, weakness);
      shift -= rules.repeats * mind.repeat_penalty * repeats * paid;
    }
    return Math.max(shift, rules.delta_floor);
  }

  const streakAfter = (before, delta) =>
    delta > 0 ? Math.max(before, 0) + 1 : delta < 0 ? Math.min(before, 0) - 1 : 0;

  function rapportAfter(state, delta) {
    const of = rules.rapport, streak = Math.abs(streakAfter(state.streak, delta));
    let rapport = state.rapport;
    if (delta > 0) {
      if (rapport < of.recovery_below) rapport *= of.recovery;
      rapport += delta * of.gain * of.gain_streak ** (streak - 1);
    } else if (delta < 0) {
      rapport += delta * of.loss * of.loss_streak ** (streak - 1) * (rapport <= 0 ? of.distrust : 1);
    }
    return clamp(rapport, -of.bound, of.bound);
  }

  function pivotLevel(mind) {
    const share = rules.pivot.share ?? mind.pivot_share ?? 0.5;
    if (rules.pivot.measured_from === "start") return mind.start + share * (mind.threshold - mind.start);
    return mind.threshold - share * (mind.threshold + 1);
  }

  function step(mind, state, heard, answers = false) {
    const delta = deltaOf(mind, state, heard, answers), agreement = clamp(state.agreement + delta, -1, 1);
    const won = agreement >= mind.threshold, turn = state.turn + 1;
    const pivots = !state.asked && !won && agreement >= pivotLevel(mind);
    const after = {
      agreement,
      rapport: rapportAfter(state, delta),
      turn,
      uses: { ...state.uses, [heard]: (state.uses[heard] ?? 0) + 1 },
      streak: streakAfter(state.streak, delta),
      asked: pivots ? turn : state.asked,
    };
    const tone = delta > rules.positive_above ? "positive" : delta > 0 ? "neutral" : "resistant";
    return { state: after, delta, tone, pivots, won, walkedOut: agreement <= mind.walk_out };
  }

  // -- what a message is ---------------------------------------------------------------------------------------------

  const cues = data.cues;
  const apostrophes = /[\u2019\u2018\u02bc\u2032]/g, hyphens = /[\u2010\u2011]/g;
  const tokenPattern = /[a-z0-9]+(?:['-][a-z0-9]+)*|%/g, sentencePattern = /[^.!?;\n]+[.!?;\n]*/g;
  const clausePattern = /[:,()\u2013\u2014]|(?=\b(?:but|however|and yet)\b)/;
  const clauseEnd = /[.!?;:,\n]|\b(?:but|however|and yet)\b/;
  const labelPattern = new RegExp(cues.label, "g");
  const decimal = /^[0-9]+$/;
  const matches = (cue, token) =>
    cue === "#" ? decimal.test(token) : cue.endsWith("*") ? token.startsWith(cue.slice(0, -1)) : token === cue;

  function normalised(text) {
    const plain = text.normalize("NFKC").replace(apostrophes, "'").replace(hyphens, "-").toLowerCase();
    return plain.replace(/[\p{Cc}\p{Cf}]/gu, (one) => (one === "\n" ? one : " "));
  }

  function withoutOpener(text) {
    let rest = text.trimStart();
    while (rest && cues.openers.some((opener) => rest.startsWith(opener))) {
      const end = clauseEnd.exec(rest);
      if (!end) return "";
      rest = rest.slice(end.index + end[0].length).replace(/^[ ,]+/, "");
    }
    return rest;
  }

  function denials(sentence, tokens) {
    const denied = new Set();
    const wordsAt = (place, end, listed, most = 2) => {
      let size = Math.min(most, end - place);
      while (size > 0 && !listed.includes(tokens.slice(place, place + size).join(" "))) size--;
      return size;
    };
    const reachOf = (start, end) => {
      const joined = tokens.slice(0, end).findIndex((one, at) => at >= start && cues.joining.includes(one));
      return Math.min(end, Math.max(joined < 0 ? end : joined, start + 4));
    };
    const deny = (start, reach) => {
      for (let one = start; one < reach; one++) denied.add(one);
    };
    const givesWay = (start, reach) => {
      const places = Array.from({ length: Math.max(0, reach - start) }, (_, place) => start + place);
      if (places.some((place) => wordsAt(place, reach, cues.negations))) return false;
      const blames = tokens.slice(start, reach).some((one) => cues.faults.includes(one));
      return places.some((place) => {
        const before = tokens.slice(Math.max(start, place - 4), place).reverse(), said = tokens[place];
        const person = before.find((one) => cues.others.includes(one) || cues.own.includes(one));
        if (cues.others.includes(person)) return !blames && cues.gives_way.other.includes(said);
        return cues.own.includes(person) && cues.gives_way.own.includes(said);
      });
    };
    let first = 0;
    for (const clause of sentence.split(clausePattern)) {
      const end = Math.min(first + (clause.match(tokenPattern) ?? []).length, tokens.length);
      for (let place = first; place < end; ) {
        const size = wordsAt(place, end, cues.negations);
        const idle = size ? wordsAt(place + size, end, cues.not_negations) : 0;
        if (size && !idle) deny(place + size, reachOf(place + size, end));
        const disclaimed = wordsAt(place, end, cues.disclaimers, 6);
        if (disclaimed) {
          const start = place + disclaimed, reach = reachOf(start, end);
          deny(start, reach);
          if (givesWay(start, reach)) denied.add(place);
        }
        place += Math.max(1, size + idle);
      }
      first = end;
    }
    return denied;
  }

  function findCues(sentence, found) {
    const tokens = (sentence.match(tokenPattern) ?? []).slice(0, 2000), denied = denials(sentence, tokens);
    const covered = Object.fromEntries(appeals.map((one) => [one, 0]));
    tokens.forEach((token, start) => {
      for (const cue of cues.starting[decimal.test(token) ? "#" : token.slice(0, 2)] ?? []) {
        const [heard, words] = cue, end = start + words.length;
        const stands = end <= tokens.length && words.every((word, place) => matches(word, tokens[start + place]));
        if (start >= covered[heard] && stands) {
          covered[heard] = end;
          if (!denied.has(start)) found.add(cue);
        }
      }
    });
  }

  function isQuestion(text) {
    const asked = (text.match(sentencePattern) ?? []).filter((one) => one.trimEnd().endsWith("?"));
    const opens = (one) => (one.match(tokenPattern) ?? []).slice(0, 7).some((word) => cues.questions.includes(word));
    return text.trimEnd().endsWith("?") && asked.some(opens);
  }

  const others = new Set(cues.others);
  function isInquiry(text) {
    const asked = text.trim(), alone = (asked.match(sentencePattern) ?? []).length === 1 && asked.endsWith("?");
    const begins = cues.inquiries.some((one) => asked.startsWith(one));
    return alone && begins && (asked.match(tokenPattern) ?? []).some((one) => others.has(one));
  }

  function classify(message, asks = rules.asks, strips = rules.strips_openers) {
    let text = normalised(cutTo(message, 20000)).replace(labelPattern, " ");
    if (strips) text = withoutOpener(text);
    const sentences = text.match(sentencePattern) ?? [], found = new Set();
    for (const sentence of sentences) findCues(sentence, found);
    const words = sentences.reduce((sum, one) => sum + (one.match(tokenPattern) ?? []).length, 0), shrink = words ? Math.min(1, 50 / words) : 1;
    const scores = Object.fromEntries(appeals.map((one) => [one, 0]));
    for (const [heard, , weight] of found) scores[heard] += weight === 5 ? weight : weight * shrink;
    for (const one of appeals) scores[one] = rounded(scores[one]);
    const [best, second] = Object.values(scores).sort((one, other) => other - one);
    const asked = asks && (best <= 1 ? isQuestion(text) : best < 10 && isInquiry(text));
    if (asked || best < 0.7) return { argument: asked ? "ASK" : "GENERIC", scores, mixed: false };
    const clear = Object.values(scores).filter((score) => score >= 2).length;
    if (best === second || clear >= 4) return { argument: "GENERIC", scores, mixed: true };
    return { argument: appeals.find((one) => scores[one] === best), scores, mixed: false };
  }

  // -- what is answered ----------------------------------------------------------------------------------------------

  const hidden = /[\p{Cc}\p{Cs}\p{Z}]|(?!(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f]))\p{Cf}/gu;
  const printable = (text) => text.replace(hidden, " ");
  const oneSpaced = (text) => text.split(" ").filter(Boolean).join(" ");

  function received(message) {
    const whole = points(message), head = whole.slice(0, 10 * longest).join(""), clean = printable(head);
    let text = oneSpaced(clean);
    const flags = [];
    if (clean !== head.replaceAll("\n", " ")) flags.push("cleaned");
    if (points(text).length > longest || whole.length > 10 * longest) {
      text = cutTo(text, longest).trimEnd();
      flags.push("cut");
    }
    if (!text) flags.push("empty");
    else if (points(text).length < shortest) flags.push("short");
    return [text, flags];
  }

  const joining = /^(?:(?:and|or|but|so|then|because|since) )+/i;
  const hanging = /^(?:of|than|which|who|whose|to|for|with|where|that) /i;
  function claimOf(message, heard) {
    const clauses = printable(cutTo(message, 2000)).match(/[^,.;:!?\u2014\n]+/g) ?? [];
    const spoken = clauses
      .map((one) => oneSpaced(one.replace(/["\u201c\u201d\u201e<>{}]/g, "")).replace(joining, ""))
      .filter((one) => one.split(" ").length >= 3 && classify(one, false, true).argument === heard);
    const short = spoken.filter((one) => points(one).length <= 60), whole = short.filter((one) => !hanging.test(one));
    const fitting = whole.length ? whole : short;
    if (fitting.length) return fitting.reduce((best, one) => (points(one).length > points(best).length ? one : best));
    if (!spoken.length) return "";
    const cut = cutTo(spoken[0], 59), space = cut.lastIndexOf(" ");
    return `${space < 0 ? cut : cut.slice(0, space)}\u2026`;
  }

  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (whole, name, offset) => {
      const value = values[name];
      if (value === undefined) return whole;
      const before = text.slice(0, offset).trimEnd();
      return !before || ".!?".includes(before.at(-1)) ? value.slice(0, 1).toUpperCase() + value.slice(1) : value;
    });
  }

  const stopWords = new Set(data.words.stop);
  function stem(word) {
    let kept = word.split("'")[0];
    for (const ending of ["ingly", "edly", "ing", "ed", "es", "ly", "s"]) {
      if (kept.endsWith(ending) && !kept.endsWith("ss") && kept.length - ending.length >= 3) {
        kept = kept.slice(0, -ending.length);
        break;
      }
    }
    return kept.length > 3 && kept.endsWith("e") ? kept.slice(0, -1) : kept;
  }
  const stems = (text) =>
    new Set((text.toLowerCase().match(/[a-z0-9]+(?:'[a-z]+)?/g) ?? []).filter((one) => !stopWords.has(one)).map(stem));
  const answersQuestion = (question, message) => {
    const theirs = stems(message);
    return [...stems(question)].filter((one) => theirs.has(one)).length >= 2;
  };

  const poolOf = (pack, heard, tone) => [
    ...(data.shared.replies[heard] ?? data.shared.generic)[tone],
    ...(pack.replies[heard]?.[tone] ?? []),
  ];

  function replyText(episode, before, heard, outcome, message, answers) {
    const { pack, config, numbers } = episode, uses = before.state.uses[heard] ?? 0, claim = claimOf(message, heard);
    const values = { ...pack.placeholders, claim };
    if (heard === "ASK") {
      const lines = uses < 2 ? data.shared.hints[bestAt(config.mind, outcome.state.turn + 1)] : data.shared.no_more_hints;
      return fill(lines[(numbers.hint + uses) % lines.length], values);
    }
    if (answers && heard === "GENERIC") {
      const lines = data.shared.answered;
      return lines[(numbers.answered + outcome.state.turn) % lines.length];
    }
    const tone = config.legibility === "delayed" ? before.tone : outcome.tone;
    const lines = poolOf(pack, heard, tone), number = numbers[heard][tone] + uses;
    let line = lines[number % lines.length];
    if (line.includes("{claim}") && !claim) {
      const others = lines.filter((one) => !one.includes("{claim}"));
      line = others[(number + Math.floor(others.length / 2)) % others.length];
    }
    if (config.legibility !== "subtle" && (heard !== "GENERIC" || tone !== "neutral")) {
      const openers = data.shared.openers[tone], first = (numbers.opener[tone] + outcome.state.turn) % openers.length;
      const far = (first + Math.floor(openers.length / 2)) % openers.length;
      const turned = [openers[first], ...openers.slice(far), ...openers.slice(0, far)];
      line = `${turned.find((one) => cutTo(one, 3) !== cutTo(line, 3))} ${line}`;
    }
    if (answers) line = `${data.shared.heeded[(numbers.answered + outcome.state.turn) % data.shared.heeded.length]} ${line}`;
    return fill(line, values);
  }

  // -- an episode ----------------------------------------------------------------------------------------------------

  const begin = (episode) => ({
    state: opening(episode.config.mind), tone: "neutral", turns: [], over: false, won: false, walkedOut: false,
  });

  function hear(episode, before, message) {
    const { config } = episode, [text, flags] = received(message), read = classify(text);
    const answering = before.state.turn > 0 && before.state.asked === before.state.turn
      && answersQuestion(episode.question, text);
    const outcome = step(config.mind, before.state, read.argument, answering);
    let reply = replyText(episode, before, read.argument, outcome, text, answering);
    if (outcome.won || outcome.walkedOut) {
      const lines = outcome.won ? data.shared.closings.won : data.shared.closings.walked_out;
      reply += ` ${fill(lines[episode.numbers.closing % lines.length], episode.pack.placeholders)}`;
    } else if (outcome.pivots) reply += ` ${episode.question}`;
    for (const [flag, holds] of [["mixed", read.mixed], ["pivot", outcome.pivots], ["answers", answering]]) {
      if (holds) flags.push(flag);
    }
    const turn = {
      turn: outcome.state.turn,
      message: text,
      scores: Object.fromEntries(Object.entries(read.scores).filter(([, score]) => score)),
      meant: null,
      argument: read.argument,
      by_rules: null,
      delta: rounded(outcome.delta),
      agreement: rounded(outcome.state.agreement),
      rapport: rounded(outcome.state.rapport),
      tone: outcome.tone,
      reply,
      flags,
    };
    return {
      state: outcome.state,
      tone: read.argument === "ASK" ? before.tone : outcome.tone,
      turns: [...before.turns, turn],
      over: outcome.won || outcome.walkedOut || outcome.state.turn >= config.turns,
      won: outcome.won,
      walkedOut: outcome.walkedOut,
    };
  }

  const asLine = (episode, memory) => ({
    index: episode.index,
    subject: "human",
    config: episode.config,
    turns: memory.turns,
    won: memory.won,
    walked_out: memory.walkedOut,
  });

  // -- the page ------------------------------------------------------------------------------------------------------

  const at = (id) => document.getElementById(id);
  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...children.filter((one) => one !== null));
    return element;
  }
  const signed = (value) => `${value < 0 ? "\u2212" : "+"}${Math.abs(value).toFixed(2)}`;
  const played = [];
  let current = null, memory = null;

  function say(who, text, className) {
    const line = make("li", className, make("span", "who", who), make("p", "", text));
    at("talk").append(line);
    line.scrollIntoView({ block: "nearest" });
  }

  function meet(episode) {
    current = episode;
    memory = begin(episode);
    const { briefing } = episode;
    at("name").textContent = briefing.name;
    at("role").textContent = briefing.role;
    at("context").textContent = briefing.context;
    at("aim").textContent = `Your aim: ${briefing.name} comes to agree to ${briefing.position}.`;
    at("talk").replaceChildren();
    at("hidden").replaceChildren();
    at("outcome").hidden = true;
    at("form").hidden = false;
    say(briefing.name, briefing.opening, "theirs");
    countDown();
    at("message").value = "";
    at("message").focus();
  }

  function countDown() {
    const left = current.config.turns - memory.turns.length, length = points(at("message").value).length;
    at("left").textContent = `${left} ${left === 1 ? "message" : "messages"} left`;
    at("length").textContent = `${length} of ${longest} characters`;
  }

  function send() {
    const message = at("message").value;
    if (!message.trim() || memory.over) return;
    memory = hear(current, memory, message);
    const turn = memory.turns.at(-1);
    say("You", turn.message, "mine");
    say(current.briefing.name, turn.reply, "theirs");
    at("message").value = "";
    countDown();
    if (memory.over) finish();
    else at("form").scrollIntoView({ block: "end" });
  }

  function finish() {
    played.push(asLine(current, memory));
    const turns = memory.turns.length;
    at("ended").textContent = memory.won
      ? `${current.briefing.name} agrees, after ${turns} messages.`
      : memory.walkedOut ? `${current.briefing.name} has walked out after ${turns} messages.`
        : `${turns} messages, and no agreement.`;
    const best = bestAt(current.config.mind, turns).toLowerCase().replace("_", " ");
    at("worked").textContent = `What moves ${current.briefing.name} most: ${best}.`;
    at("hidden").replaceChildren(...memory.turns.map((turn) => make("tr", turn.tone,
      make("td", "", String(turn.turn)),
      make("td", "", turn.argument.toLowerCase().replace("_", " ")),
      make("td", "", turn.tone),
      make("td", "number", signed(turn.delta)),
      make("td", "number", signed(turn.agreement)),
      make("td", "number", signed(turn.rapport)))));
    const won = played.filter((one) => one.won).length;
    at("tally").textContent = `${won} of ${played.length} won`;
    at("form").hidden = true;
    at("outcome").hidden = false;
    at("save").focus();
  }

  function save() {
    const text = played.map((one) => `${JSON.stringify(one)}\n`).join("");
    const link = make("a", "");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
    link.download = "episodes.jsonl";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  const chosen = at("character");
  data.episodes.forEach((episode, number) => {
    const option = make("option", "", `${episode.briefing.name}: ${episode.briefing.topic}`);
    option.value = String(number);
    chosen.append(option);
  });
  chosen.addEventListener("change", () => meet(data.episodes[Number(chosen.value)]));
  at("form").addEventListener("submit", (event) => { event.preventDefault(); send(); });
  at("message").addEventListener("input", countDown);
  at("message").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); send(); }
  });
  at("next").addEventListener("click", () => {
    chosen.value = String((Number(chosen.value) + 1) % data.episodes.length);
    meet(data.episodes[Number(chosen.value)]);
  });
  at("save").addEventListener("click", save);
  meet(data.episodes[0]);

  window.rhetbench = Object.freeze({ opening, step, classify, claimOf, played, episodes: data.episodes, begin, hear, asLine });
})();
