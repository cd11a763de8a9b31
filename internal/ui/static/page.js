// Reads a page again when the server hints at a change, and lets it be used by keyboard. Nothing here is needed: the
// page works by links and forms.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const live = document.getElementById("live"), bar = document.getElementById("away"), main = document.getElementById("main"), menu = document.querySelector(".menu");
  const polled = 5000; // between readings where no hints come
  const silent = 12000; // without a word from the stream until the page asks whether the server is there: it says something every 5 s
  let busy = false, again = false, forced = false, stream = null, timer = 0;

  const say = (kind, word) => {
    if (!live) return;
    live.className = "live " + kind;
    const text = live.querySelector(".word");
    if (text.textContent !== word) text.textContent = word;
  };

  // Times: how long ago, or the instant in the zone of the reader or in UTC, as the reader chose.
  const skew = Number(document.body.dataset.now || Date.now()) - Date.now();
  const styles = ["relative", "local", "UTC"];
  let style = styles.includes(localStorage.getItem("times")) ? localStorage.getItem("times") : "relative";
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const span = (s) => {
    const i = Math.max(units.findIndex(([, size]) => s >= size), 0), [unit, size] = s < 1 ? units[3] : units[i], n = Math.floor(s / size);
    const next = units[i + 1], rest = next && s >= 1 && n < 10 ? Math.floor(s % size / next[1]) : 0;
    return n + " " + unit + (rest ? " " + rest + " " + next[0] : "");
  };
  const instant = (at, zone) => at.toLocaleString("sv-SE", zone ? { timeZone: zone } : {}) + (zone ? " " + zone : "");
  const zone = new Date().toLocaleTimeString(undefined, { timeZoneName: "short" }).split(" ").pop();
  const written = (t) => {
    const at = new Date(t.dateTime), s = (Date.now() + skew - at) / 1000;
    if (isNaN(at)) return;
    t.title = instant(at) + " " + zone + ", " + instant(at, "UTC");
    let text = style === "local" ? instant(at) : instant(at, "UTC");
    if (style === "relative" || "span" in t.dataset) text = "span" in t.dataset ? span(s) : Math.abs(s) < 1 ? "now" : s < 0 ? "in " + span(-s) : span(s) + " ago";
    if (t.textContent !== text) t.textContent = text;
  };
  const writeTimes = () => { if (!document.hidden && !lostAt) document.querySelectorAll("time[datetime]").forEach(written); };
  const timesButton = document.querySelector("[data-times]");
  const showStyle = () => { if (timesButton) timesButton.textContent = "Times: " + (style === "local" ? "local (" + zone + ")" : style); writeTimes(); };
  timesButton?.addEventListener("click", () => {
    style = styles[(styles.indexOf(style) + 1) % styles.length];
    localStorage.setItem("times", style);
    showStyle();
  });

  // A page whose server or database does not answer stays as it was last seen, grey and without effect, says since when, and
  // comes back by itself.
  let heardAt = Date.now(), lostAt = 0, pause = 1, tryAt = 0, why = "";
  const lose = (reason) => {
    why = reason;
    if (!lostAt) {
      lostAt = heardAt;
      stream?.close();
      clearInterval(timer);
      document.body.classList.add("lost");
      for (const part of [main, menu]) if (part) part.inert = true;
      if (bar) bar.hidden = false;
    }
    tryAt = Date.now() + 1000 * pause;
    pause = Math.min(pause * 2, 10);
    watchdog();
  };
  const heard = () => {
    heardAt = Date.now();
    if (!lostAt) return;
    lostAt = 0;
    pause = 1;
    document.body.classList.remove("lost");
    for (const part of [main, menu]) if (part) part.inert = false;
    if (bar) bar.hidden = true;
    watch();
  };
  const watchdog = () => {
    const now = Date.now();
    if (lostAt) {
      say("gone", "no answer for " + span((now - lostAt) / 1000));
      const text = why + " has not answered since " + new Date(lostAt).toLocaleTimeString("sv-SE") + ", " + span((now - lostAt) / 1000) + " ago. ";
      const soon = Math.max(Math.ceil((tryAt - now) / 1000), 0);
      if (bar) bar.querySelector(".word").textContent = text + (busy || !soon ? "Trying again." : "Trying again in " + soon + " s.");
      if (now >= tryAt && !busy) refresh();
    } else if (stream && stream.readyState !== EventSource.CLOSED && now - heardAt > silent && !document.hidden) refresh();
  };
  setInterval(() => { watchdog(); writeTimes(); }, 1000);
  bar?.querySelector("button").addEventListener("click", () => { pause = 1; refresh(); });

  // Rows stand still under the hand: while rows are ticked, or the pointer moves over them, rows change but none comes or goes.
  let moved = 0;
  document.addEventListener("pointermove", (e) => { if (e.pointerType === "mouse" && e.target.closest?.("[data-hold] tbody")) moved = Date.now(); }, { passive: true });
  const ticked = (part) => part.querySelectorAll("tbody .pick input:checked");
  const stands = (part) => "hold" in part.dataset && !forced && (ticked(part).length > 0 || Date.now() - moved < 5000);
  const standStill = (part, fresh) => {
    let more = 0;
    for (const row of fresh.querySelectorAll("tbody tr[id]")) {
      const old = part.querySelector("#" + CSS.escape(row.id));
      if (old) morph(old, row); else more++;
    }
    const held = document.getElementById("held");
    if (!held) return;
    held.hidden = !more && !ticked(part).length;
    held.querySelector("span").textContent = ticked(part).length ? "The list stands still while rows are ticked. " : "The list stands still under the pointer. ";
    held.querySelector("button").textContent = more + " new: show";
    held.querySelector("button").hidden = !more;
  };
  document.getElementById("held")?.querySelector("button").addEventListener("click", () => { forced = true; refresh(); });

  // A part takes over what has changed in it. The rest keeps its focus, ticks, open details and places.
  const morph = (old, fresh, inner) => Idiomorph.morph(old, inner ? fresh.innerHTML : fresh.cloneNode(true), {
    morphStyle: inner ? "innerHTML" : "outerHTML", ignoreActiveValue: true, callbacks: {
      beforeNodeMorphed: (node, next) => {
        if (node.nodeType !== 1) return true;
        if (node.tagName === "TIME" && next.tagName === "TIME") { node.dateTime = next.dateTime; written(node); return false; }
        return !(node.matches("input[type=checkbox], select:focus, textarea:focus") && node.name === next.name);
      },
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.tagName === "DETAILS") && !(name === "class" && node.matches("tr.cursor")) && !(node.matches("svg.graph") && /^(width|height|class)$/.test(name)),
    },
  });
  const said = (row) => { const copy = row.cloneNode(true); copy.querySelectorAll("time").forEach((t) => t.remove()); return copy.textContent; };
  const take = (part, fresh) => {
    if (stands(part)) { standStill(part, fresh); return; }
    const body = fresh.querySelector("tbody");
    for (const box of body ? ticked(part) : []) if (!body.querySelector("#" + CSS.escape(box.closest("tr").id))) body.append(document.importNode(box.closest("tr"), true));
    const rows = new Map([...part.querySelectorAll("tr[id]")].map((r) => [r.id, said(r)]));
    morph(part, fresh, true);
    for (const r of part.querySelectorAll("tr[id]")) if (rows.size && rows.get(r.id) !== said(r)) r.classList.add("fresh");
    const held = document.getElementById("held");
    if (held && "hold" in part.dataset) held.hidden = true;
    part.querySelectorAll(".drawing").forEach((d) => drawn(d));
  };

  const shown = new Map();
  for (const part of document.querySelectorAll("[data-live]")) shown.set(part.id, part.innerHTML);

  // An open page moves at most 5 MB an hour. Readings after changes spend bytes that are saved up at a rate, and wait if none are left.
  const saved = 65536, rate = 1300, headers = 800;
  let left = saved, leftAt = Date.now(), due = 0;
  const spend = (bytes) => {
    left = Math.min(saved, left + (rate * (Date.now() - leftAt)) / 1000) - bytes;
    leftAt = Date.now();
    return left;
  };
  const refreshInTime = () => {
    if (due) return;
    if (spend(0) > 0) { refresh(); return; }
    due = setTimeout(() => { due = 0; if (!document.hidden && !lostAt) refresh(); }, (-1000 * left) / rate + 100);
  };

  const refresh = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html", "X-Part": "1" }, redirect: "manual", signal: AbortSignal.timeout(15000) });
      if (answer.status >= 500) { lose(answer.status === 503 ? "The database" : "pgtasker"); return; }
      if (answer.type === "opaqueredirect" || !answer.ok || "retry" in document.body.dataset) { location.reload(); return; }
      const text = await answer.text();
      spend(headers + (Number(answer.headers.get("Content-Length")) || text.length));
      const next = new DOMParser().parseFromString(text, "text/html");
      heard();
      for (const part of document.querySelectorAll("[data-live]")) {
        const fresh = next.getElementById(part.id);
        if (!fresh || (shown.get(part.id) === fresh.innerHTML && !forced)) continue;
        if (part.contains(document.activeElement) && /^(TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) continue;
        shown.set(part.id, fresh.innerHTML);
        take(part, fresh);
      }
      forced = false;
      document.body.dataset.mark = next.body.dataset.mark ?? "";
      document.title = next.title;
      picked();
    } catch { lose("pgtasker"); } finally {
      busy = false;
      if (again) { again = false; refresh(); }
    }
  };

  const poll = () => {
    say("poll", "every 5 s");
    clearInterval(timer);
    timer = setInterval(() => { if (!document.hidden && !lostAt) refreshInTime(); }, polled);
  };

  const watch = () => {
    if ("retry" in document.body.dataset) { lose(document.body.dataset.retry); return; }
    if (!document.body.dataset.mark) return;
    let failed = 0;
    stream?.close();
    stream = new EventSource(location.href);
    stream.addEventListener("ping", () => { heardAt = Date.now(); });
    stream.addEventListener("mark", (e) => {
      failed = 0;
      heardAt = Date.now();
      clearInterval(timer);
      say("on", "live");
      if (e.data !== document.body.dataset.mark) refreshInTime();
    });
    stream.addEventListener("gone", () => { stream.close(); refresh(); poll(); setTimeout(() => { if (!lostAt) watch(); }, 60000); });
    stream.onerror = () => {
      if (lostAt) return;
      if (stream.readyState === EventSource.CLOSED || ++failed > 2) {
        stream.close();
        poll();
        setTimeout(() => { if (!lostAt) watch(); }, 60000);
      } else refresh();
    };
  };
  // A page in the background holds no stream.
  document.addEventListener("visibilitychange", () => {
    if (lostAt) return;
    if (document.hidden) { stream?.close(); clearInterval(timer); say("", "paused"); } else { heardAt = Date.now(); refresh(); watch(); }
  });
  window.addEventListener("pagehide", () => stream?.close());
  window.addEventListener("pageshow", (e) => { if (e.persisted) { refresh(); watch(); } });

  // A graph: the whole of it if that can be read, else the first failure. Buttons and the wheel zoom, dragging moves it.
  const scales = new WeakMap();
  const whole = (d) => { const { width, height } = d.querySelector("svg.graph").viewBox.baseVal; return [width, height]; };
  const fits = (d) => { const [w, h] = whole(d); return Math.min((d.clientWidth - 24) / w, (704 - 24) / h, 1); };
  const zoom = (d, scale) => {
    const svg = d.querySelector("svg.graph"), [w, h] = whole(d), old = scales.get(d) ?? 1, s = Math.min(Math.max(scale, 0.04), 2);
    const x = (d.scrollLeft + d.clientWidth / 2) / old, y = (d.scrollTop + d.clientHeight / 2) / old;
    svg.setAttribute("width", w * s);
    svg.setAttribute("height", h * s);
    svg.classList.toggle("far", s < 0.42);
    scales.set(d, s);
    d.scrollTo(x * s - d.clientWidth / 2, y * s - d.clientHeight / 2);
  };
  const center = (d, node) => {
    const n = node.getBoundingClientRect(), f = d.getBoundingClientRect();
    d.scrollBy(n.left - f.left - (f.width - n.width) / 2, n.top - f.top - (f.height - n.height) / 2);
  };
  const failures = (d) => [...d.querySelectorAll("svg.graph .node.failed")];
  const drawn = (d) => {
    if (!d.querySelector("svg.graph")) return;
    if (scales.has(d)) { zoom(d, scales.get(d)); return; }
    const fit = fits(d), at = failures(d)[0] ?? d.querySelector(".node.warn, .node.active");
    zoom(d, fit < 0.5 ? 0.8 : fit);
    if (fit < 0.5 && at) center(d, at); else d.scrollTo(0, fit < 0.5 ? (d.scrollHeight - d.clientHeight) / 2 : 0);
  };
  document.querySelectorAll(".drawing").forEach(drawn);
  document.addEventListener("click", (e) => {
    const what = e.target.closest("[data-zoom]"), d = what?.closest(".graphbox")?.querySelector(".drawing");
    if (!d) return;
    switch (what.dataset.zoom) {
      case "fit": zoom(d, fits(d)); d.scrollTo(0, 0); break;
      case "in": zoom(d, scales.get(d) * 1.3); break;
      case "out": zoom(d, scales.get(d) / 1.3); break;
      case "next": {
        const all = failures(d), at = all[(all.findIndex((n) => n.classList.contains("at")) + 1) % all.length];
        all.forEach((n) => n.classList.remove("at"));
        at?.classList.add("at");
        if (scales.get(d) < 0.6) zoom(d, 0.8);
        if (at) { center(d, at); at.querySelector("a")?.focus({ preventScroll: true }); }
      }
    }
  });
  document.addEventListener("wheel", (e) => {
    const d = e.ctrlKey && e.target.closest?.(".drawing");
    if (d && scales.has(d)) { e.preventDefault(); zoom(d, scales.get(d) * (e.deltaY < 0 ? 1.15 : 1 / 1.15)); }
  }, { passive: false });
  document.addEventListener("pointerdown", (e) => {
    const d = e.pointerType === "mouse" && e.button === 0 && e.target.closest?.(".drawing");
    if (!d || e.target.closest("a")) return;
    const move = (m) => d.scrollBy(-m.movementX, -m.movementY), end = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", end); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  });

  // Forms that filter send themselves.
  for (const form of document.querySelectorAll("form[data-auto]")) {
    const send = () => {
      const query = new URLSearchParams([...new FormData(form)].filter(([, v]) => v !== ""));
      location.assign(form.getAttribute("action") ?? location.pathname + (query.size ? "?" + query : ""));
    };
    form.addEventListener("change", (e) => { if (e.target.matches("select, [type=radio]")) send(); });
    form.addEventListener("submit", (e) => { e.preventDefault(); send(); });
  }

  const picked = () => {
    for (const bar of document.querySelectorAll(".selection")) {
      const n = bar.closest("form").querySelectorAll("tbody .pick input:checked").length;
      bar.classList.toggle("some", n > 0);
      bar.querySelector(".picked").textContent = n ? n + " selected" + (bar.closest("form").dataset.total ? ", of " + bar.closest("form").dataset.total + " that match" : "") : "";
    }
  };
  document.addEventListener("change", (e) => {
    if (e.target.matches("[data-all]")) for (const c of e.target.closest("form").querySelectorAll("tbody .pick input")) c.checked = e.target.checked;
    if (e.target.matches(".pick input")) picked();
  });

  const keys = document.getElementById("keys");
  document.querySelector("[data-keys]")?.addEventListener("click", () => keys.showModal());
  const rows = () => [...document.querySelectorAll("tr[data-row]")];
  const move = (by) => {
    const all = rows();
    if (!all.length) return;
    const at = all.findIndex((r) => r.classList.contains("cursor"));
    const to = all[Math.min(Math.max(at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by, 0), all.length - 1)];
    all[at]?.classList.remove("cursor");
    to.classList.add("cursor");
    to.querySelector("a")?.focus({ preventScroll: true });
    to.scrollIntoView({ block: "nearest" });
  };
  let went = 0;
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || keys?.open) return;
    if (e.key === "Escape" && e.target.matches("input, textarea")) { e.target.blur(); return; }
    if (e.target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select")) return;
    const cursor = document.querySelector("tr.cursor");
    const going = Date.now() - went < 1500;
    went = 0;
    if (going) {
      const to = document.querySelector(`[data-go="${CSS.escape(e.key)}"]`);
      if (to) { e.preventDefault(); location.assign(to.href); return; }
    }
    switch (e.key) {
      case "g": went = Date.now(); return;
      case "/": document.getElementById("q")?.focus(); document.getElementById("q")?.select(); break;
      case "?": keys?.showModal(); break;
      case "j": move(1); break;
      case "k": move(-1); break;
      case "x": { const box = cursor?.querySelector(".pick input"); if (box) box.click(); break; }
      case "n": document.querySelector("[data-next]")?.click(); break;
      case "r": refresh(); break;
      default: return;
    }
    e.preventDefault();
  });

  // A link to the login may carry the token behind #, which browsers do not send: it is filled in, and forgotten.
  const token = document.getElementById("token");
  if (token && location.hash.startsWith("#tasker_")) {
    token.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    document.querySelector("button.primary").focus();
  }

  // On a phone the menu is a line that is wider than the screen.
  const here = menu?.querySelector("[aria-current]");
  if (here) menu.scrollLeft = here.offsetLeft - menu.clientWidth / 2 + here.offsetWidth / 2;

  picked();
  showStyle();
  watch();
})();
