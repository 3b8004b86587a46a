//! What a browser does on its way to a provider and back, without showing it: it keeps cookies, follows
//! where it is led, and fills the provider's forms in.

/** A browser with the cookies of each site. */
export class Browser {
  /** @type {Map<string, Map<string, string>>} */
  #cookies = new Map();

  /**
   * @param {string | URL} url
   * @param {RequestInit} [init]
   */
  async ask(url, init = {}) {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map();
    this.#cookies.set(origin, jar);
    const headers = new Headers(init.headers);
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    headers.set('accept', headers.get('accept') ?? 'text/html');
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return answer;
  }

  /**
   * Sends a form of the site's own.
   * @param {string} url
   * @param {Record<string, string>} fields
   */
  send(url, fields) {
    return this.ask(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', referer: url },
    });
  }

  /**
   * Follows a link, as `login` where the provider asks who it is. Stops at the first page, or before an
   * address that begins with `before`. The answer is where it has come to.
   * @param {string} start
   * @param {{ login: string, before?: string, headers?: Record<string, string> }} options
   */
  async follow(start, { login, before, headers = {} }) {
    let url = new URL(start);
    let answer = await this.ask(url, { headers });
    for (let steps = 0; steps < 20; steps += 1) {
      const location = answer.headers.get('location');
      if (location) {
        url = new URL(location, url);
        if (before && url.href.startsWith(before)) return { url, answer };
        answer = await this.ask(url);
        continue;
      }
      const page = await answer.clone().text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!prompt) return { url, answer };
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'x' } : {}) });
      answer = await this.ask(url, { method: 'POST', body });
    }
    throw new Error(`led in a circle, ending at ${url}`);
  }
}
