"use strict";
/* Plots of a report: zoom, values under the pointer, lines that can be switched off, all of it by keyboard too; and the
   motion of what the model draws.  Works on the data of the page alone. */
(function () {
  const data = JSON.parse(document.getElementById("regula-data").textContent);
  const W = 600, H = 240, LEFT = 62, RIGHT = 8, TOP = 12, BOTTOM = 34;
  const esc = s => String(s).replace(/[&<>"]/g, c => "&#" + c.charCodeAt(0) + ";");
  const number = v => v === null || v === undefined ? "–" : String(Number(v.toPrecision(7)));
  const clamp = (v, a, b) => Math.min(Math.max(v, a), b);

  function roundStep(length, wanted) {
    const power = Math.pow(10, Math.floor(Math.log10(length / wanted))), part = length / wanted / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  }
  function marks(low, high, log, wanted) {
    const out = [];
    if (log) {
      const a = Math.log10(low), b = Math.log10(high), every = Math.max(1, Math.ceil((b - a) / wanted));
      for (let k = Math.ceil(a - 1e-9); k <= b + 1e-9; k++)
        if (k % every === 0) out.push(Math.pow(10, k));
      if (out.length > 2) return out;
      out.length = 0;
      for (let k = Math.floor(a); k <= b; k++)
        for (const f of [1, 2, 5]) if (f * 10 ** k >= low * (1 - 1e-9) && f * 10 ** k <= high * (1 + 1e-9)) out.push(f * 10 ** k);
      if (out.length > 1) return out;
      out.length = 0;
    }
    const step = roundStep(high - low, wanted);
    if (!(step > 0)) return out;
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * (high - low) && out.length < 40; k++)
      out.push(Math.abs(k * step) < 1e-9 * step ? 0 : k * step);
    return out;
  }
  function markText(v) {
    const s = String(Number(v.toPrecision(10)));
    return Math.abs(v) >= 1e6 || (v !== 0 && Math.abs(v) < 1e-4) ? Number(v.toPrecision(6)).toExponential() : s;
  }

  class Plot {
    constructor(element, spec) {
      this.element = element;
      this.svg = element.querySelector("svg");
      this.out = element.querySelector("output");
      this.spec = spec;
      const from = spec.data || data.series;
      this.x = from[spec.x];
      this.lines = spec.lines.map((name, k) => ({ name, pen: k % 8, y: from[name], on: true, theory: k >= (spec.measured || Infinity) }));
      this.cursor = -1;
      this.view = null;
      this.svg.setAttribute("viewBox", `0 0 ${W} ${H}`);
      this.svg.setAttribute("tabindex", "0");
      this.legend();
      this.listen();
      this.draw();
    }
    legend() {
      const box = this.element.querySelector(".keys");
      box.textContent = "";
      this.lines.forEach(line => {
        const b = document.createElement("button");
        b.type = "button";
        b.setAttribute("aria-pressed", "true");
        b.innerHTML = `<span class="dot b${line.pen}"></span>${esc(line.name)}`;
        b.addEventListener("click", () => {
          line.on = !line.on;
          b.setAttribute("aria-pressed", line.on);
          this.draw();
        });
        box.append(b);
      });
      const tools = document.createElement("span");
      tools.className = "keys tools";
      [["+", "zoom in", () => this.zoom(.5)], ["−", "zoom out", () => this.zoom(2)], ["all", "show all", () => this.reset()]]
        .forEach(([text, label, run]) => {
          const b = document.createElement("button");
          b.type = "button";
          b.textContent = text;
          b.setAttribute("aria-label", label);
          b.addEventListener("click", run);
          tools.append(b);
        });
      box.append(tools);
    }
    shown(v, log) { return v !== null && v !== undefined && isFinite(v) && (!log || v > 0); }
    extent(values, log, range) {
      for (const v of values) if (this.shown(v, log)) {
        if (v < range[0]) range[0] = v;
        if (v > range[1]) range[1] = v;
      }
      return range;
    }
    full() {
      const s = this.spec, x = this.extent(this.x, s.logx, [Infinity, -Infinity]), y = [Infinity, -Infinity];
      this.lines.forEach(l => l.on && this.extent(l.y, s.logy, y));
      return [...this.pad(x, s.logx, s.phase || s.dots ? .04 : 0), ...this.pad(y, s.logy, .06)];
    }
    pad(r, log, margin) {
      if (!(r[0] <= r[1])) return log ? [1, 10] : [0, 1];
      if (log) return r[1] / r[0] > 1.0001 ? [r[0] / (margin ? 1.3 : 1), r[1] * (margin ? 1.3 : 1)] : [r[0] / 2, r[1] * 2];
      const size = Math.max(Math.abs(r[0]), Math.abs(r[1]));
      if (r[1] - r[0] <= 1e-9 * size || r[1] === r[0]) return [r[0] - (size / 2 || 1), r[1] + (size / 2 || 1)];
      const d = margin * (r[1] - r[0]);
      return [r[0] - d, r[1] + d];
    }
    part(v, a, b, log) { return log ? Math.log(v / a) / Math.log(b / a) : (v - a) / (b - a); }
    back(p, a, b, log) { return log ? a * Math.pow(b / a, p) : a + p * (b - a); }
    px(v) { return LEFT + (W - LEFT - RIGHT) * this.part(v, this.v[0], this.v[1], this.spec.logx); }
    py(v) { return H - BOTTOM - (H - TOP - BOTTOM) * this.part(v, this.v[2], this.v[3], this.spec.logy); }
    path(line) {
      let d = "", pen = "M";
      for (let k = 0; k < this.x.length; k++) {
        const x = this.x[k], y = line.y[k];
        if (!this.shown(x, this.spec.logx) || !this.shown(y, this.spec.logy)) { pen = "M"; continue; }
        d += pen + this.px(x).toFixed(1) + " " + clamp(this.py(y), -9999, 9999).toFixed(1) + (pen === "M" ? "h0" : "");
        pen = "L";
      }
      return d;
    }
    draw() {
      const s = this.spec;
      this.v = this.view || this.full();
      const id = "c" + this.element.id;
      let out = `<defs><clipPath id="${id}"><rect x="${LEFT}" y="${TOP}" width="${W - LEFT - RIGHT}" height="${H - TOP - BOTTOM}"/></clipPath></defs>`;
      for (const m of marks(this.v[2], this.v[3], s.logy, 5)) {
        const y = this.py(m).toFixed(1);
        out += `<path class="lg" d="M${LEFT} ${y}H${W - RIGHT}"/><text class="ta" x="${LEFT - 5}" y="${+y + 4}" font-size="11" text-anchor="end">${markText(m)}</text>`;
      }
      for (const m of marks(this.v[0], this.v[1], s.logx, 8)) {
        const x = this.px(m).toFixed(1);
        out += `<path class="lg" d="M${x} ${TOP}V${H - BOTTOM}"/><text class="ta" x="${x}" y="${H - BOTTOM + 14}" font-size="11" text-anchor="middle">${markText(m)}</text>`;
      }
      out += `<path class="la" fill="none" d="M${LEFT} ${TOP}V${H - BOTTOM}H${W - RIGHT}"/>`;
      out += `<text class="ta" x="${(LEFT + W - RIGHT) / 2}" y="${H - 5}" font-size="11" text-anchor="middle">${esc(s.x)}</text>`;
      if (this.lines.length === 1)
        out += `<text class="ta" font-size="11" text-anchor="middle" transform="translate(11 ${(TOP + H - BOTTOM) / 2}) rotate(-90)">${esc(this.lines[0].name)}</text>`;
      out += `<g clip-path="url(#${id})">`;
      for (const l of this.lines) if (l.on)
        if (!s.scattered) out += `<path class="l${l.pen} line${l.theory ? " theory" : ""}" fill="none" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round" d="${this.path(l)}"/>`;
      if (s.dots || this.x.length === 1)
        for (const l of this.lines) if (l.on && !l.theory)
          this.x.forEach((x, k) => {
            if (this.shown(x, s.logx) && this.shown(l.y[k], s.logy))
              out += `<circle class="t${l.pen}" cx="${this.px(x).toFixed(1)}" cy="${this.py(l.y[k]).toFixed(1)}" r="3"/>`;
          });
      this.svg.innerHTML = out + `<g class="mark"></g></g>`;
      this.mark();
    }
    mark() {
      const g = this.svg.querySelector(".mark"), k = this.cursor;
      if (k < 0 || !this.shown(this.x[k], this.spec.logx)) { g.innerHTML = ""; return; }
      const x = this.px(this.x[k]).toFixed(1);
      let out = this.spec.phase ? "" : `<path class="hair" d="M${x} ${TOP}V${H - BOTTOM}"/>`;
      const texts = [`${this.spec.x} = ${number(this.x[k])}`];
      for (const l of this.lines) if (l.on) {
        texts.push(`${l.name} = ${number(l.y[k])}`);
        if (this.shown(l.y[k], this.spec.logy)) out += `<circle class="t${l.pen}" cx="${x}" cy="${this.py(l.y[k]).toFixed(1)}" r="4"/>`;
      }
      if (this.picked) out += `<rect class="pick" x="${Math.min(...this.picked)}" y="${TOP}" width="${Math.abs(this.picked[1] - this.picked[0])}" height="${H - TOP - BOTTOM}"/>`;
      g.innerHTML = out;
      this.out.textContent = texts.join("   ");
    }
    place(e) {
      const r = this.svg.getBoundingClientRect();
      return [(e.clientX - r.left) * W / r.width, (e.clientY - r.top) * H / r.height];
    }
    nearest(x, y) {
      let best = -1, least = Infinity;
      for (let k = 0; k < this.x.length; k++) {
        if (!this.shown(this.x[k], this.spec.logx)) continue;
        let d = Math.abs(this.px(this.x[k]) - x);
        if (this.spec.phase) {
          const v = this.lines[0].y[k];
          if (!this.shown(v, this.spec.logy)) continue;
          d = Math.hypot(d, this.py(v) - y);
        }
        if (d < least) { least = d; best = k; }
      }
      return best;
    }
    zoom(factor, at) {
      const s = this.spec, v = this.view || this.full();
      const c = at !== undefined ? at : this.cursor >= 0 ? this.part(this.x[this.cursor], v[0], v[1], s.logx) : .5;
      const f = this.full(), a = c - c * factor, b = c + (1 - c) * factor;
      const lo = Math.max(this.back(a, v[0], v[1], s.logx), f[0]), hi = Math.min(this.back(b, v[0], v[1], s.logx), f[1]);
      this.show(lo, hi);
    }
    show(lo, hi) {
      const y = [Infinity, -Infinity];
      if (!(hi > lo)) return;
      for (const l of this.lines) if (l.on)
        this.x.forEach((x, k) => {
          if (x >= lo && x <= hi && this.shown(l.y[k], this.spec.logy)) { y[0] = Math.min(y[0], l.y[k]); y[1] = Math.max(y[1], l.y[k]); }
        });
      this.view = [lo, hi, ...this.pad(y, this.spec.logy, .06)];
      this.draw();
    }
    reset() { this.view = null; this.draw(); }
    listen() {
      const svg = this.svg;
      svg.addEventListener("pointermove", e => {
        const [x, y] = this.place(e);
        if (this.from !== undefined) this.picked = [clamp(this.from, LEFT, W - RIGHT), clamp(x, LEFT, W - RIGHT)];
        this.cursor = this.nearest(x, y);
        this.mark();
      });
      svg.addEventListener("pointerdown", e => { if (e.pointerType === "mouse") this.from = this.place(e)[0]; });
      svg.addEventListener("pointerup", () => {
        const p = this.picked, part = v => (v - LEFT) / (W - LEFT - RIGHT);
        this.from = this.picked = undefined;
        if (p && Math.abs(p[1] - p[0]) > 6)
          this.show(...[Math.min(...p), Math.max(...p)].map(v => this.back(part(v), this.v[0], this.v[1], this.spec.logx)));
        else this.mark();
      });
      svg.addEventListener("pointerleave", () => { this.from = this.picked = undefined; });
      svg.addEventListener("dblclick", () => this.reset());
      svg.addEventListener("keydown", e => {
        const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -1e9, End: 1e9 }[e.key];
        if (move) this.cursor = clamp((this.cursor < 0 ? 0 : this.cursor) + move * (e.shiftKey ? 10 : 1), 0, this.x.length - 1);
        else if (e.key === "+" || e.key === "=") return this.zoom(.5);
        else if (e.key === "-") return this.zoom(2);
        else if (e.key === "0" || e.key === "Escape") return this.reset();
        else return;
        e.preventDefault();
        this.mark();
      });
    }
  }

  /* ---- motion */
  class Stage {
    constructor(element, scene) {
      this.element = element;
      this.scene = scene;
      this.svg = element.querySelector("svg");
      this.frame = 0;
      this.speed = 1;
      this.traces = true;
      this.find = name => element.querySelector(`[data-do=${name}]`);
      const range = this.find("time");
      range.max = scene.t.length - 1;
      range.addEventListener("input", () => { this.pause(); this.go(+range.value); });
      this.find("play").addEventListener("click", () => this.timer ? this.pause() : this.play());
      this.find("speed").addEventListener("change", e => { this.speed = +e.target.value; });
      this.find("traces").addEventListener("click", e => {
        this.traces = !this.traces;
        e.target.setAttribute("aria-pressed", this.traces);
        this.go(this.frame);
      });
      this.go(0);
    }
    play() {
      const t = this.scene.t, length = t[t.length - 1] - t[0], lasts = 8000;
      if (this.frame >= t.length - 1) this.frame = 0;
      let before = performance.now(), now = t[this.frame];
      this.find("play").textContent = "pause";
      const step = stamp => {
        now += (stamp - before) / lasts * length * this.speed;
        before = stamp;
        let k = this.frame;
        while (k < t.length - 1 && (t[k + 1] - now) * Math.sign(length) <= 0) k++;
        this.go(k);
        if (k >= t.length - 1) this.pause();
        else this.timer = requestAnimationFrame(step);
      };
      this.timer = requestAnimationFrame(step);
    }
    pause() {
      cancelAnimationFrame(this.timer);
      this.timer = 0;
      this.find("play").textContent = "play";
    }
    go(k) {
      const s = this.scene, p = s.frames[k], n = v => v.toFixed(1);
      const X = v => s.place[0] + v * s.place[2], Y = v => s.place[1] - v * s.place[2];
      const ok = list => list.every(v => v !== null && isFinite(v));
      let out = "", at = 0;
      if (this.traces)
        s.traces.forEach((j, i) => {
          let d = "", pen = "M";
          for (let f = 0; f <= k; f++) {
            const x = s.frames[f][j], y = s.frames[f][j + 1];
            if (!ok([x, y])) { pen = "M"; continue; }
            d += pen + n(X(x)) + " " + n(Y(y));
            pen = "L";
          }
          out += `<path class="l${i % 8} trace" fill="none" d="${d}"/>`;
        });
      for (const shape of s.shapes) {
        const v = p.slice(at, at + shape.count);
        at += shape.count;
        if (!ok(v)) continue;
        if (shape.kind === "line") {
          let d = "";
          for (let i = 0; i < v.length; i += 2) d += (i ? "L" : "M") + n(X(v[i])) + " " + n(Y(v[i + 1]));
          out += `<path class="la" fill="none" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round" d="${d}"/>`;
        } else if (shape.kind === "circle")
          out += `<circle class="la" fill="none" stroke-width="1.6" cx="${n(X(v[0]))}" cy="${n(Y(v[1]))}" r="${n(Math.abs(v[2]) * s.place[2])}"/>`;
        else if (shape.kind === "point")
          out += `<circle class="t0" cx="${n(X(v[0]))}" cy="${n(Y(v[1]))}" r="3.5"/>`;
        else out += `<text class="ta" font-size="12" x="${n(X(v[0]))}" y="${n(Y(v[1]))}">${esc(shape.text)}</text>`;
      }
      this.frame = k;
      this.svg.innerHTML = out;
      this.find("time").value = k;
      this.find("now").textContent = `${s.name} = ${number(s.t[k])}`;
    }
  }

  const plots = [], start = f => {
    const element = document.getElementById(f.id);
    if (element && !element.dataset.live) { element.dataset.live = "1"; plots.push(new Plot(element, f)); }
  };
  for (const f of data.figures || []) {
    const element = document.getElementById(f.id), box = element && element.closest("details");
    if (box && !box.open) box.addEventListener("toggle", () => start(f));
    else start(f);
  }
  const stage = document.getElementById("stage");
  const motion = stage && data.draw ? new Stage(stage, data.draw) : null;
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; }));
  window.regula = { data, plots, motion };
})();
