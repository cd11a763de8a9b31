// Reads a page again when the server hints at a change, and lets it be used by keyboard. Nothing here is needed: the
// page works by links and forms.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const live = document.getElementById("live");
  const polled = 5000; // between readings where no hints come
  let busy = false, again = false, stream = null, timer = 0;

  const say = (kind, word) => {
    if (!live) return;
    live.className = "live " + kind;
    const text = live.querySelector(".word");
    if (text.textContent !== word) text.textContent = word;
  };

  // What a person has done to a part outlives its replacement: open details, ticked boxes, the place of the focus.
  const keep = (part) => {
    const open = [...part.querySelectorAll("details[open][id]")].map((d) => d.id);
    const ticked = [...part.querySelectorAll("input[type=checkbox]:checked")].map((c) => c.name + "=" + c.value);
    const cursor = part.querySelector("tr.cursor")?.id;
    const scrolled = [...part.querySelectorAll(".scroll, .drawing")].map((e) => [e.scrollLeft, e.scrollTop]);
    const focus = part.contains(document.activeElement) ? document.activeElement : null;
    const like = focus && (focus.id ? "#" + CSS.escape(focus.id) : focus.getAttribute("href") ? `[href="${CSS.escape(focus.getAttribute("href"))}"]`
      : focus.value && focus.name ? `[name="${CSS.escape(focus.name)}"][value="${CSS.escape(focus.value)}"]` : "");
    return (fresh) => {
      for (const id of open) fresh.querySelector("#" + CSS.escape(id))?.setAttribute("open", "");
      for (const c of fresh.querySelectorAll("input[type=checkbox]")) c.checked = ticked.includes(c.name + "=" + c.value);
      if (cursor) document.getElementById(cursor)?.classList.add("cursor");
      fresh.querySelectorAll(".scroll, .drawing").forEach((e, i) => { if (scrolled[i]) [e.scrollLeft, e.scrollTop] = scrolled[i]; });
      if (like) fresh.querySelector(like)?.focus({ preventScroll: true });
    };
  };

  const shown = new Map();
  for (const part of document.querySelectorAll("[data-live]")) shown.set(part.id, part.innerHTML);

  const refresh = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "manual" });
      if (answer.type === "opaqueredirect" || answer.status === 401) { location.reload(); return; }
      if (!answer.ok) return;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of document.querySelectorAll("[data-live]")) {
        const fresh = next.getElementById(part.id);
        if (!fresh || shown.get(part.id) === fresh.innerHTML) continue;
        shown.set(part.id, fresh.innerHTML);
        if (part.contains(document.activeElement) && /^(TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) continue;
        const back = keep(part);
        const rows = new Map([...part.querySelectorAll("tr[id]")].map((r) => [r.id, r.textContent.replace(/\d+ (s|ms|min|h|d)\b|now/g, "")]));
        part.replaceChildren(...document.importNode(fresh, true).childNodes);
        for (const r of part.querySelectorAll("tr[id]")) {
          if (rows.size && rows.get(r.id) !== r.textContent.replace(/\d+ (s|ms|min|h|d)\b|now/g, "")) r.classList.add("fresh");
        }
        back(part);
      }
      document.body.dataset.mark = next.body.dataset.mark ?? "";
      document.title = next.title;
      picked();
    } catch { /* The server may be away; the next hint or poll tries again. */ } finally {
      busy = false;
      if (again) { again = false; refresh(); }
    }
  };

  const poll = () => {
    say("poll", "every 5 s");
    clearInterval(timer);
    timer = setInterval(() => { if (!document.hidden) refresh(); }, polled);
  };

  const watch = () => {
    if (!document.body.dataset.mark) return;
    let failed = 0;
    stream = new EventSource(location.href);
    stream.addEventListener("mark", (e) => {
      failed = 0;
      clearInterval(timer);
      say("on", "live");
      if (e.data !== document.body.dataset.mark) refresh();
    });
    stream.addEventListener("gone", () => { stream.close(); location.reload(); });
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED || ++failed > 2) {
        stream.close();
        poll();
        setTimeout(watch, 60000);
      }
    };
  };
  // A page in the background holds no stream.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { stream?.close(); clearInterval(timer); say("", "paused"); } else { refresh(); watch(); }
  });
  window.addEventListener("pagehide", () => stream?.close());
  window.addEventListener("pageshow", (e) => { if (e.persisted) { refresh(); watch(); } });

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
      bar.querySelector(".picked").textContent = n ? n + " selected" : "";
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
  const menu = document.querySelector(".menu"), here = menu?.querySelector("[aria-current]");
  if (here) menu.scrollLeft = here.offsetLeft - menu.clientWidth / 2 + here.offsetWidth / 2;

  picked();
  watch();
})();
