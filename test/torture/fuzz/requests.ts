import { Random } from '../../../src/demo/random.ts';
import type { Endpoint } from './endpoints.ts';
import { encodePairs, lineData, type Pairs, type PostData, postData } from './post-data.ts';
import { anyText, anyValue } from './values.ts';

export interface FuzzRequest {
  bytes: Buffer;
  /** HEAD: the response has no body despite its Content-Length. */
  isHead: boolean;
}

export interface ValidValues {
  token: string;
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
  ['X-Request-Id', headerValue],
  ['X-ERP-Name', headerValue],
  ['User-Agent', headerValue],
  ['Idempotency-Key', (random) => (random.chance(0.5) ? `key-${random.whole(1, 50)}` : headerValue(random))],
  ['Accept', headerValue],
  ['Origin', (random) => random.pick(['https://evil.example', 'null', '', 'https://127.0.0.1'])],
  ['Sec-Fetch-Site', (random) => random.pick(['same-origin', 'cross-site', 'none', 'x'])],
  ['X-Forwarded-Proto', (random) => random.pick(['http', 'https', 'https, http', ''])],
  ['X-Forwarded-For', (random) => random.pick(['10.0.0.1', '::1', 'unknown', ','])],
  ['X-HTTP-Method-Override', () => 'DELETE'],
  ['Access-Control-Request-Method', (random) => random.pick([...METHODS])],
  ['Range', (random) => random.pick(['bytes=0-1', 'bytes=-1', 'bytes=5-1', 'items=1'])],
  ['If-Modified-Since', headerValue],
  ['Cookie', headerValue],
  ['Authorization', headerValue],
  ['Traceparent', headerValue],
  ['Expect', (random) => random.pick(['100-continue', 'x'])],
  ['Connection', (random) => random.pick(['close', 'keep-alive', 'upgrade', 'x', ''])],
  ['Upgrade', (random) => random.pick(['websocket', 'h2c'])],
];

const MAX_LINES = 5;

/** Valid, almost valid or invalid requests. Each depends only on the seed and its number. */
export class RequestGenerator {
  readonly #seed: number;
  readonly #endpoints: readonly Endpoint[];
  readonly #valid: ValidValues;
  readonly #totalWeight: number;

  constructor(seed: number, endpoints: readonly Endpoint[], valid: ValidValues) {
    this.#seed = seed;
    this.#endpoints = endpoints;
    this.#valid = valid;
    this.#totalWeight = endpoints.reduce((sum, { weight }) => sum + weight, 0);
  }

  make(number: number): FuzzRequest {
    const random = this.random(number);
    const endpoint = this.#endpoint(random);
    const pairs = this.#pairs(endpoint, random);
    const method = random.chance(0.9) ? endpoint.method : random.pick([...METHODS]);
    const inBody = method === 'POST' ? random.chance(0.85) : random.chance(0.1);
    const isWhole = endpoint.lines === undefined && random.chance(0.8);
    const cut = inBody ? (isWhole ? pairs.length : random.whole(0, pairs.length)) : 0;
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

  random(number: number): Random {
    return new Random((this.#seed ^ Math.imul(number + 1, 0x9e3779b1)) >>> 0);
  }

  #endpoint(random: Random): Endpoint {
    let left = random.next() * this.#totalWeight;
    for (const endpoint of this.#endpoints) {
      left -= endpoint.weight;
      if (left < 0) return endpoint;
    }
    throw new Error('no endpoints');
  }

  /** Values of some parameters or fields. */
  #values(parameters: Endpoint['parameters'], random: Random): Pairs {
    const pairs: Pairs = [];
    for (const { name, schema, required } of parameters) {
      if (!random.chance(required ? 0.95 : 0.35)) continue;
      const identifier = name === 'identifier' && random.chance(0.6);
      pairs.push([
        name,
        identifier ? random.pick(['', ...this.#valid.identifiers]) : anyValue(schema, random),
      ]);
    }
    return pairs;
  }

  #pairs({ parameters, console, path }: Endpoint, random: Random): Pairs {
    const pairs = this.#values(parameters, random);
    if (!console && (path.includes('/v1/') || random.chance(0.3))) {
      if (random.chance(0.93)) pairs.push(['access_token', this.#valid.token]);
      else if (random.chance(0.7)) pairs.push(['access_token', anyText(random)]);
    }
    if (random.chance(0.04)) pairs.push([anyText(random), anyText(random)]);
    const [first] = pairs;
    if (random.chance(0.03) && first !== undefined)
      pairs.push([first[0], random.chance(0.5) ? first[1] : anyText(random)]);
    if (random.chance(0.002)) {
      for (let index = 0; index < 300; index += 1) pairs.push([`p${index}`, index]);
    }
    return pairs;
  }

  #data({ console, lines }: Endpoint, pairs: Pairs, random: Random): PostData {
    if (lines !== undefined && random.chance(0.8)) {
      const count = random.whole(0, MAX_LINES);
      return lineData(
        Array.from({ length: count }, () => this.#values(lines, random)),
        random,
      );
    }
    if (!console || random.chance(0.1)) return postData(pairs, random);
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(Object.fromEntries(pairs))) };
  }

  #target(path: string, query: Pairs, random: Random): string {
    const search = query.length > 0 ? `?${encodePairs(query, random)}` : '';
    const spelling = random.chance(0.96) ? path : otherPath(path, random);
    // Unescaped characters are sent as their UTF-8 bytes.
    return Buffer.from(`${spelling}${search}`.slice(0, random.chance(0.999) ? 9_000 : 20_000)).toString(
      'latin1',
    );
  }

  #headers({ console, signedIn }: Endpoint, random: Random): string[] {
    const lines = random.chance(0.98) ? ['Host: 127.0.0.1'] : [];
    if (signedIn && random.chance(0.9)) lines.push(`Cookie: ${this.#valid.cookie}`);
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

function headerValue(random: Random): string {
  return anyText(random)
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
    `/${encodeURIComponent(anyText(random).toWellFormed())}`,
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
