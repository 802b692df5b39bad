import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type CertificatePair, createCertificate } from './certificates.ts';
import { until } from './until.ts';

/** Characters that a URL must encode. */
const USER = 'trade@post';
export const SMTP_PASSWORD = 'p/a:s%s-word';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Unfolded, by lower-case name. */
  headers: ReadonlyMap<string, string>;
  text: string;
  html: string;
  /** Parts of the mail itself. */
  images: { type: string; id: string; bytes: Buffer }[];
}

/** Rejections are SMTP codes. */
export interface Behavior {
  /** Accepts connections, and says nothing. */
  hangs?: boolean;
  rejectsUser?: boolean;
  recipientCode?: (address: string) => number | undefined;
}

/** A real SMTP server with TLS and authentication, which records what it receives. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  behavior: Behavior = {};
  hanging = 0;
  readonly #pair: CertificatePair;
  readonly #directory: string;
  readonly #isSecure: boolean;
  #server: SMTPServer | undefined;
  #port = 0;

  private constructor(pair: CertificatePair, directory: string, isSecure: boolean) {
    this.#pair = pair;
    this.#directory = directory;
    this.#isSecure = isSecure;
  }

  /** With STARTTLS, or with TLS from the beginning. */
  static async start({ isSecure = false }: { isSecure?: boolean } = {}): Promise<MailServer> {
    const directory = await mkdtemp(join(tmpdir(), 'tradepost-mail-'));
    const pair = await createCertificate('localhost');
    await writeFile(join(directory, 'ca.pem'), pair.cert);
    const server = new MailServer(pair, directory, isSecure);
    await server.listen();
    return server;
  }

  /** The settings of a service that uses this server. */
  get environment(): Record<'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL', string> {
    const scheme = this.#isSecure ? 'smtps' : 'smtp';
    const login = `${encodeURIComponent(USER)}:${encodeURIComponent(SMTP_PASSWORD)}`;
    const ca = encodeURIComponent(join(this.#directory, 'ca.pem'));
    return {
      SMTP_URL: `${scheme}://${login}@127.0.0.1:${this.#port}?ca=${ca}`,
      MAIL_FROM: 'Example Shop <no-reply@shop.example>',
      PUBLIC_URL: 'https://shop.example',
    };
  }

  /** Listens on the port that this server had before, if any. */
  async listen(): Promise<void> {
    const server = new SMTPServer(this.#options());
    // Clients that give up cause errors.
    server.on('error', () => {});
    server.listen(this.#port, '127.0.0.1');
    await once(server.server, 'listening');
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Connections are refused from now on. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    for (const connection of server.connections) connection.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async mailTo(address: string, subject = /./): Promise<ReceivedMail> {
    const find = (): ReceivedMail | undefined =>
      this.received.find(
        ({ to, headers }) => to.includes(address) && subject.test(headers.get('subject') ?? ''),
      );
    return await until(find, { message: `no mail to ${address}` });
  }

  #options(): SMTPServerOptions {
    return {
      ...this.#pair,
      secure: this.#isSecure,
      closeTimeout: 100,
      onConnect: (_session, done) => {
        if (this.behavior.hangs === true) this.hanging += 1;
        else done();
      },
      onAuth: ({ username, password }, _session, done) => {
        const isKnown = username === USER && password === SMTP_PASSWORD;
        if (isKnown && this.behavior.rejectsUser !== true) done(null, { user: USER });
        else done(new Error(`Invalid password ${SMTP_PASSWORD}`));
      },
      onRcptTo: ({ address }, _session, done) => {
        const code = this.behavior.recipientCode?.(address);
        done(code === undefined ? null : Object.assign(new Error(`no ${address}`), { responseCode: code }));
      },
      onData: async (stream, { envelope }, done) => {
        const source = (await buffer(stream)).toString('latin1');
        const { mailFrom, rcptTo } = envelope;
        this.received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...parseMail(source),
        });
        done();
      },
    };
  }
}

function parseMail(source: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'images'> {
  const mail = parsePart(source);
  const parts = partsOf(mail);
  const [text, html] = ['text/plain', 'text/html'].map((type) => {
    const part = parts.find((each) => each.headers.get('content-type')?.startsWith(type));
    return part === undefined ? '' : decode(part);
  });
  const images = parts.flatMap(({ headers, body }) => {
    const type = headers.get('content-type') ?? '';
    if (!type.startsWith('image/')) return [];
    const bytes = Buffer.from(body, 'base64');
    return [{ type: type.replace(/;.*/, ''), id: headers.get('content-id') ?? '', bytes }];
  });
  return { headers: mail.headers, text: text ?? '', html: html ?? '', images };
}

/** The parts of a mail, also within other parts. */
function partsOf({ headers, body }: Part): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return [{ headers, body }];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => partsOf(parsePart(part.replace(/^\r\n/, ''))));
}

interface Part {
  headers: Map<string, string>;
  body: string;
}

function parsePart(source: string): Part {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), decodeWords(value.join(':').trim())];
  });
  return { headers: new Map(headers), body: source.slice(end + 4) };
}

function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, content: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString()
        : quotedPrintable(content.replaceAll('_', ' ')),
    );
}

function decode({ headers, body }: Part): string {
  switch (headers.get('content-transfer-encoding')) {
    case 'base64':
      return Buffer.from(body, 'base64').toString();
    case 'quoted-printable':
      return quotedPrintable(body.replaceAll('=\r\n', ''));
    default:
      return Buffer.from(body, 'latin1').toString();
  }
}

function quotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number(`0x${code}`)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
