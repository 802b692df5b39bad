import { gzipSync } from 'node:zlib';
import type { Random } from '../../../src/demo/random.ts';
import { anyText, type Value } from './values.ts';

/** Pairs in the order of sending. A name may occur twice. */
export type Pairs = [name: string, value: Value][];

export interface PostData {
  contentType: string | undefined;
  contentEncoding?: string;
  body: Buffer;
}

const TYPES = [
  ...['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data; boundary=b'],
  ...[
    'application/json; charset=utf-16',
    'application/JSON;charset=UTF-8',
    'text/plain',
    'text/xml',
    'application/xml',
  ],
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/octet-stream',
    '',
    'x',
    '/',
    ';;;',
    'a/b;c',
  ],
] as const;

export function encodePairs(pairs: Pairs, random: Random): string {
  const encode = random.pick([
    encodeSafely,
    encodeSafely,
    encodeSafely,
    encodeWithPlus,
    encodeAll,
    encodeBadly,
  ]);
  const separator = random.chance(0.02) ? ';' : '&';
  return pairs
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return random.chance(0.01) ? encode(name, random) : `${encode(name, random)}=${encode(text, random)}`;
    })
    .join(separator);
}

/** A form, JSON or multipart, sometimes damaged. */
export function postData(pairs: Pairs, random: Random): PostData {
  const data = random.pick([form, json, multipart])(pairs, random);
  if (random.chance(0.06)) data.contentType = random.pick([...TYPES, undefined]);
  if (random.chance(0.05)) data.body = corrupted(data.body, random);
  if (random.chance(0.01)) {
    data.contentEncoding = random.pick(['gzip', 'br', 'deflate', 'zstd', 'identity', 'x']);
    if (data.contentEncoding === 'gzip') data.body = gzipSync(data.body);
  }
  return data;
}

/** NDJSON or a JSON array, sometimes damaged. A name occurs once in a line. */
export function lineData(lines: readonly Pairs[], random: Random): PostData {
  const objects = lines.map((pairs) => JSON.stringify(Object.fromEntries(pairs)));
  const data = random.chance(0.7)
    ? {
        contentType: 'application/x-ndjson',
        body: Buffer.from(objects.join(random.pick(['\n', '\r\n', '\n\n']))),
      }
    : { contentType: 'application/json', body: Buffer.from(`[${objects.join(',')}]`) };
  return random.chance(0.05) ? { ...data, body: corrupted(data.body, random) } : data;
}

function form(pairs: Pairs, random: Random): PostData {
  return { contentType: TYPES[0], body: Buffer.from(encodePairs(pairs, random)) };
}

/** JSON.stringify on the object could not repeat a name. */
function json(pairs: Pairs, random: Random): PostData {
  const members = pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const object = `{${members.join(random.chance(0.1) ? ' ,\n' : ',')}}`;
  const whole = random.chance(0.05)
    ? random.pick([
        `[${object}]`,
        '"text"',
        '1',
        'null',
        '',
        `\u{feff}${object}`,
        `${object}x`,
        nested(random),
      ])
    : object;
  return { contentType: TYPES[1], body: Buffer.from(whole) };
}

function nested(random: Random): string {
  const depth = random.whole(10, 5_000);
  return random.chance(0.5)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

function multipart(pairs: Pairs, random: Random): PostData {
  const boundary = random.chance(0.9)
    ? 'a-boundary'
    : random.pick(['-', '"a b"', 'x'.repeat(70), 'x'.repeat(300)]);
  const parts = pairs.map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const file = random.chance(0.02) ? '; filename="a.csv"\r\nContent-Type: text/csv' : '';
    const quoted = random.chance(0.95) ? name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ') : name;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n\r\n${text}\r\n`;
  });
  const end = random.chance(0.95)
    ? `--${boundary}--\r\n`
    : random.pick(['', `--${boundary}`, `--${boundary}-`]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(parts.join('') + end),
  };
}

export function corrupted(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const at = random.whole(0, copy.length);
  switch (random.whole(0, 3)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return Buffer.concat([copy.subarray(0, at), Buffer.from(anyText(random)), copy.subarray(at)]);
    case 2:
      return Buffer.concat([copy.subarray(0, at), copy]);
    default:
      for (let change = random.whole(1, 8); change > 0 && copy.length > 0; change -= 1) {
        copy[random.whole(0, copy.length - 1)] = random.whole(0, 255);
      }
      return copy;
  }
}

function encodeSafely(word: string): string {
  return encodeURIComponent(word.toWellFormed());
}

function encodeWithPlus(word: string): string {
  return encodeSafely(word).replaceAll('%20', '+').toLowerCase();
}

function encodeAll(word: string): string {
  return Buffer.from(word).toString('hex').replaceAll(/../g, '%$&');
}

/** Leaves bytes unescaped, and adds invalid escapes, but nothing that would end the request line. */
function encodeBadly(word: string, random: Random): string {
  const raw = word.replaceAll(/[\s\0#]/g, encodeURIComponent('é'));
  const invalid = random.pick([
    '',
    '%',
    '%4',
    '%zz',
    '%ff',
    '%c3%28',
    '%00',
    '%ed%a0%80',
    '+',
    '=',
    '%u0041',
  ]);
  const at = random.whole(0, raw.length);
  return raw.slice(0, at) + invalid + raw.slice(at);
}
