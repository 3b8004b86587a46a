//! A real mail server on a port of its own, which keeps what it takes: SMTP by smtp-server, mails read by
//! mailparser.

import type { AddressInfo } from 'node:net';

import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** Whoever hands mail over has to say this. */
export const NAME = 'concord';
export const SECRET = 'hush @ home';

/** A mail as it arrived. */
export interface Arrived {
  readonly to: string;
  readonly mail: ParsedMail;
}

/** A mail server that answers some recipients otherwise: each answer once, the first first. */
export class PostOffice {
  readonly arrived: Arrived[] = [];
  readonly #answers = new Map<string, number[]>();
  #server: SMTPServer | undefined;
  port = 0;

  /** Answers the next tries to write to an address with these codes. */
  answer(address: string, codes: number[]): void {
    this.#answers.set(address, codes);
  }

  /** Opens where it was before, or anywhere. */
  async open(): Promise<void> {
    const server = new SMTPServer({
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _session, done) => {
        const fits = auth.username === NAME && auth.password === SECRET;
        done(fits ? null : new Error('wrong name or password'), { user: NAME });
      },
      onRcptTo: (address, _session, done) => {
        const code = this.#answers.get(address.address)?.shift();
        if (code === undefined) return done();
        const words = code < 500 ? '4.7.1 not now' : '5.1.1 no such user';
        done(Object.assign(new Error(words), { responseCode: code }));
      },
      onData: (stream, session, done) => {
        void simpleParser(stream).then((mail) => {
          const to = session.envelope.rcptTo.map((recipient) => recipient.address).join(' ');
          this.arrived.push({ to, mail });
          done();
        }, done);
      },
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', () => resolve()));
    this.port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server?.close(() => resolve()));
  }

  /** What was sent to an address. */
  to(address: string): ParsedMail[] {
    return this.arrived.filter((arrived) => arrived.to === address).map((arrived) => arrived.mail);
  }
}
