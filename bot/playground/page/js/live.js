// The news, as they happen. A connection that is lost is sought again until it stands.

const FIRST_MS = 400;
const MOST_MS = 4000;
// The server says something every 15 seconds. A browser notices late, or never, that nothing comes any more.
const SILENCE_MS = 40000;

export class Live {
  // `up()` when the connection stands (anew): what was missed has to be read. `news(fact)` for each change.
  constructor({ up, news, down }) {
    Object.assign(this, { up, news, down, source: null, wait: FIRST_MS, timer: null, who: null });
    window.addEventListener("online", () => this.retry());
  }

  follow(who) {
    if (who === this.who && this.source?.readyState === EventSource.OPEN) return;
    this.who = who;
    this.wait = FIRST_MS;
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.source?.close();
    const source = new EventSource(`/control/page/news?${new URLSearchParams({ user: this.who })}`);
    this.source = source;
    source.addEventListener("hello", () => {
      this.wait = FIRST_MS;
      this.heard(source);
      this.up();
    });
    source.addEventListener("news", (event) => {
      this.heard(source);
      this.news(JSON.parse(event.data));
    });
    source.addEventListener("quiet", () => this.heard(source));
    source.addEventListener("error", () => {
      if (source === this.source) this.lost();
    });
  }

  heard(source) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => source === this.source && this.lost(), SILENCE_MS);
  }

  lost() {
    clearTimeout(this.silence);
    this.source.close();
    this.down();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 1.6, MOST_MS);
  }

  retry() {
    if (this.who && this.source?.readyState === EventSource.CLOSED) this.connect();
  }
}
