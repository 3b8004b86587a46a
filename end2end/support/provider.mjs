//! A real provider of OpenID Connect (`oidc-provider`) on loopback, whose keys can change, that can be
//! away, and that can be made to say in its tokens what it should not.

import { createServer } from 'node:http';

import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/**
 * Somebody whom the provider knows.
 * @typedef {{ email: string, email_verified: boolean, name: string, groups: string[] }} Person
 */

/** @typedef {import('jose').JWTPayload} Claims */

export const CLIENT = 'concord';
export const SECRET = 'a-secret-of-the-client';

/** A provider. */
export class IdentityProvider {
  /** Changes what the next tokens say, if it is set. @type {((claims: Claims) => Claims) | null} */
  change = null;

  /** The last token that was given out. @type {string | null} */
  last = null;

  /**
   * @param {Record<string, Person>} people by their subjects
   * @param {string} site where Concord is
   */
  constructor(people, site) {
    this.people = people;
    this.site = site;
    this.server = createServer((request, response) => this.answer(request, response));
    /** @type {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} */
    this.answer = () => {};
    this.keys = 0;
  }

  /**
   * @param {Record<string, Person>} people
   * @param {string} site
   */
  static async start(people, site) {
    const provider = new IdentityProvider(people, site);
    await provider.listen(0);
    await provider.rotate();
    return provider;
  }

  /** @param {number} port */
  async listen(port) {
    await new Promise((resolve) => this.server.listen(port, '127.0.0.1', () => resolve(null)));
    const address = this.server.address();
    this.port = address && typeof address === 'object' ? address.port : 0;
    this.issuer = `http://127.0.0.1:${this.port}`;
  }

  /** Does not answer any more, until it listens again. */
  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(() => resolve(null)));
  }

  /** Signs with another key from now on; nobody is told. */
  async rotate() {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    this.keys += 1;
    const kid = `key-${this.keys}`;
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
    const { site, people } = this;
    const client = {
      client_secret: SECRET,
      redirect_uris: [`${site}/sign-in/with/example/back`],
      backchannel_logout_uri: `${site}/sign-in/with/example/logout`,
      backchannel_logout_session_required: true,
    };
    const provider = new Provider(this.issuer ?? '', {
      clients: [
        { ...client, client_id: CLIENT },
        { ...client, client_id: 'another' },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key of the cookies'] },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
      // It refuses to speak to this very machine, where Concord is.
      fetch: (url, options) => {
        const { dispatcher: _, ...rest } = /** @type {RequestInit & { dispatcher?: unknown }} */ (options);
        return fetch(url, rest);
      },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: async () => ({ sub, ...people[sub] }),
      }),
    });
    provider.use(async (ctx, next) => {
      await next();
      const body = /** @type {{ id_token?: string } | undefined} */ (ctx.body);
      if (ctx.oidc?.route !== 'token' || !body?.id_token) return;
      if (this.change) {
        const claims = this.change(decodeJwt(body.id_token));
        const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid });
        body.id_token = await token.sign(privateKey);
      }
      this.last = body.id_token;
    });
    this.inner = provider;
    this.answer = provider.callback();
  }

  /**
   * Tells Concord that somebody's session is over, as one of the provider's clients is told.
   * @param {string} client
   * @param {string} sub
   * @param {string} sid
   */
  async logOut(client, sub, sid) {
    const found = await this.inner?.Client.find(client);
    // @ts-expect-error the types do not know it
    await found.backchannelLogout(sub, sid);
  }

  /** The session of the last token (`sid`). */
  lastSession() {
    return String(decodeJwt(this.last ?? '').sid);
  }
}
