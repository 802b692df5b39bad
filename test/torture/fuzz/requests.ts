import { Random } from '../../../src/demo/random.ts';
import type { Endpoint } from './endpoints.ts';
import { type Pairs, type PostData, postData, spelled } from './post-data.ts';
import { text, value } from './values.ts';

/** One request, as it goes over the wire. */
export interface Made {
  bytes: Buffer;
  /** Asked with HEAD: the answer has no body, whatever it says of its length. */
  isHead: boolean;
}

/** What valid requests name. */
export interface Known {
  token: string;
  /** Of a session of the console. */
  cookie: string;
  identifiers: readonly string[];
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'PURGE',
] as const;
const HEADERS: readonly [string, (random: Random) => string][] = [
  [
    'Accept-Encoding',
    (random) => random.pick(['gzip', 'br', 'zstd', 'identity', '*', '*;q=0', 'gzip;q=x', ',,,']),
  ],
  [
    'If-None-Match',
    (random) => random.pick(['*', '"a"', 'W/"a"', 'W/"2k-9pXn4hJYlq0TzS3vL0V5oQm8cE0"', '"', ',']),
  ],
  ['X-Request-Id', visible],
  ['X-ERP-Name', visible],
  ['User-Agent', visible],
  ['Idempotency-Key', (random) => (random.chance(0.5) ? `key-${random.whole(1, 50)}` : visible(random))],
  ['Accept', visible],
  ['Origin', (random) => random.pick(['https://evil.example', 'null', '', 'https://127.0.0.1'])],
  ['Sec-Fetch-Site', (random) => random.pick(['same-origin', 'cross-site', 'none', 'x'])],
  ['X-Forwarded-Proto', (random) => random.pick(['http', 'https', 'https, http', ''])],
  ['X-Forwarded-For', (random) => random.pick(['10.0.0.1', '::1', 'unknown', ','])],
  ['X-HTTP-Method-Override', () => 'DELETE'],
  ['Access-Control-Request-Method', (random) => random.pick([...METHODS])],
  ['Range', (random) => random.pick(['bytes=0-1', 'bytes=-1', 'bytes=5-1', 'items=1'])],
  ['If-Modified-Since', visible],
  ['Cookie', visible],
  ['Authorization', visible],
  ['Traceparent', visible],
  ['Expect', (random) => random.pick(['100-continue', 'x'])],
  ['Connection', (random) => random.pick(['close', 'keep-alive', 'upgrade', 'x', ''])],
  ['Upgrade', (random) => random.pick(['websocket', 'h2c'])],
];

/** Requests that are valid, nearly valid or not at all, each made of the seed and its number alone. */
export class Requests {
  readonly #seed: number;
  readonly #endpoints: readonly Endpoint[];
  readonly #known: Known;
  readonly #weight: number;

  constructor(seed: number, endpoints: readonly Endpoint[], known: Known) {
    this.#seed = seed;
    this.#endpoints = endpoints;
    this.#known = known;
    this.#weight = endpoints.reduce((sum, { weight }) => sum + weight, 0);
  }

  make(number: number): Made {
    const random = this.random(number);
    const endpoint = this.#endpoint(random);
    const pairs = this.#pairs(endpoint, random);
    const method = random.chance(0.9) ? endpoint.method : random.pick([...METHODS]);
    const inBody = method === 'POST' ? random.chance(0.85) : random.chance(0.1);
    const cut = inBody ? (random.chance(0.8) ? pairs.length : random.whole(0, pairs.length)) : 0;
    const [body, query] = [pairs.slice(0, cut), pairs.slice(cut)];
    const data = inBody ? this.#data(endpoint, body, random) : undefined;
    const target = this.#target(endpoint.path, query, random);
    const version = random.chance(0.97) ? '1.1' : random.pick(['1.0', '1.1', '0.9', '2.0']);
    const framed = framing(data, random);
    const lines = [...this.#headers(endpoint, random), ...framed.lines];
    const head = Buffer.from(
      `${method} ${target} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`,
      'latin1',
    );
    return { bytes: Buffer.concat([head, framed.body]), isHead: method === 'HEAD' };
  }

  /** The chance of this number's request. */
  random(number: number): Random {
    return new Random((this.#seed ^ Math.imul(number + 1, 0x9e3779b1)) >>> 0);
  }

  #endpoint(random: Random): Endpoint {
    let left = random.next() * this.#weight;
    for (const endpoint of this.#endpoints) {
      left -= endpoint.weight;
      if (left < 0) return endpoint;
    }
    throw new Error('nothing to ask for');
  }

  #pairs({ parameters, console, path }: Endpoint, random: Random): Pairs {
    const pairs: Pairs = [];
    for (const { name, schema, required } of parameters) {
      if (!random.chance(required ? 0.95 : 0.35)) continue;
      const identifier = name === 'identifier' && random.chance(0.6);
      pairs.push([name, identifier ? random.pick(['', ...this.#known.identifiers]) : value(schema, random)]);
    }
    if (!console && (path.includes('/v1/') || random.chance(0.3))) {
      if (random.chance(0.93)) pairs.push(['access_token', this.#known.token]);
      else if (random.chance(0.7)) pairs.push(['access_token', text(random)]);
    }
    if (random.chance(0.04)) pairs.push([text(random), text(random)]);
    const [first] = pairs;
    if (random.chance(0.03) && first !== undefined)
      pairs.push([first[0], random.chance(0.5) ? first[1] : text(random)]);
    if (random.chance(0.002)) {
      for (let index = 0; index < 300; index += 1) pairs.push([`p${index}`, index]);
    }
    return pairs;
  }

  #data({ console }: Endpoint, pairs: Pairs, random: Random): PostData {
    if (!console || random.chance(0.1)) return postData(pairs, random);
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(Object.fromEntries(pairs))) };
  }

  #target(path: string, query: Pairs, random: Random): string {
    const asked = query.length > 0 ? `?${spelled(query, random)}` : '';
    const spell = random.chance(0.96) ? path : otherPath(path, random);
    // What stands for itself is sent as the bytes that it has in UTF-8.
    return Buffer.from(`${spell}${asked}`.slice(0, random.chance(0.999) ? 9_000 : 20_000)).toString('latin1');
  }

  #headers({ console, signedIn }: Endpoint, random: Random): string[] {
    const lines = random.chance(0.98) ? ['Host: 127.0.0.1'] : [];
    if (signedIn && random.chance(0.9)) lines.push(`Cookie: ${this.#known.cookie}`);
    if (console && random.chance(0.9)) lines.push('Sec-Fetch-Site: same-origin');
    while (random.chance(0.35)) {
      const [name, make] = random.pick([...HEADERS] as [(typeof HEADERS)[number]]);
      lines.push(`${name}: ${make(random)}`);
    }
    if (random.chance(0.002)) {
      for (let index = 0; index < 120; index += 1) lines.push(`X-${index}: ${index}`);
    }
    return lines;
  }
}

/** Text that a header's value may be. */
function visible(random: Random): string {
  return text(random)
    .replaceAll(/[^\t\x20-\xff]/g, '?')
    .slice(0, random.chance(0.99) ? 300 : 4_000);
}

function otherPath(path: string, random: Random): string {
  return random.pick([
    path.replace('.json', ''),
    `${path}/`,
    `/${path}`,
    path.toUpperCase(),
    path.replace('o', '%6f'),
    path.replace('o', '%2f'),
    `${path}%00`,
    `${path}%`,
    `/./${path}`,
    `/../..${path}`,
    `${path};a=b`,
    `https://127.0.0.1${path}`,
    `https://evil.example:99999${path}`,
    '*',
    `/${encodeURIComponent(text(random).toWellFormed())}`,
  ]);
}

function framing(data: PostData | undefined, random: Random): { lines: string[]; body: Buffer } {
  if (data === undefined) return { lines: [], body: Buffer.alloc(0) };
  const { contentType, contentEncoding, body } = data;
  const lines = [
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    ...(contentEncoding === undefined ? [] : [`Content-Encoding: ${contentEncoding}`]),
  ];
  if (random.chance(0.95)) return { lines: [...lines, `Content-Length: ${body.length}`], body };
  const middle = random.whole(0, body.length);
  const chunks = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}${random.chance(0.1) ? ';a=b' : ''}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  const trailer = random.chance(0.1) ? 'X-Trailer: 1\r\n' : '';
  const end = Buffer.from(`0\r\n${trailer}\r\n`);
  return { lines: [...lines, 'Transfer-Encoding: chunked'], body: Buffer.concat([...framed, end]) };
}
