import { requestIdReference } from '../http/request-id.ts';
import { crossOriginHeaders, SUCCESS_CACHE_CONTROL } from '../http/responses/respond.ts';
import { errorHeaders } from '../http/responses/send-error.ts';

const always = (description: string, value: string) => ({
  description,
  required: true,
  schema: { type: 'string', const: value },
});
const wholeSeconds = { type: 'integer', minimum: 1 };

/** Every header that answers are described with, by the name that it has among the components. */
export const headerComponents = {
  'Access-Control-Allow-Origin': always(
    'Pages of any origin may read the answer.',
    crossOriginHeaders['access-control-allow-origin'],
  ),
  'Access-Control-Expose-Headers': always(
    'The headers that those pages may read.',
    crossOriginHeaders['access-control-expose-headers'],
  ),
  'Cache-Control': always('A caller may keep the answer and has to ask again.', SUCCESS_CACHE_CONTROL),
  'Cache-Control-Of-Errors': always('Errors are not kept.', errorHeaders['cache-control']),
  'Content-Encoding': {
    description: 'How the body is compressed, where it is over 1 KB and `Accept-Encoding` allows it.',
    schema: { type: 'string', enum: ['zstd', 'br', 'gzip'] },
  },
  ETag: {
    description: 'Changes when the answer does; send it as `If-None-Match` to hear whether it has.',
    required: true,
    schema: { type: 'string', pattern: String.raw`^W/"[\x21\x23-\x7e]+"$` },
    example: 'W/"2k-9pXn4hJYlq0TzS3vL0V5oQm8cE0"',
  },
  Link: {
    description:
      'The neighbouring pages (RFC 8288): `prev` and `next` where there are any, `first` and `last` with ' +
      'the summary. Relative to this address, without the token.',
    schema: { type: 'string' },
    example: '</v1/products.json?page=2>; rel="next"',
  },
  RateLimit: {
    description:
      'What is left of a limit (draft-ietf-httpapi-ratelimit-headers-11): `r` requests in the next `t` ' +
      'seconds. Where the operator sets no limit, there is no such header.',
    schema: { type: 'string', pattern: String.raw`^"[a-z-]+";r=\d+;t=\d+$` },
    example: '"key";r=59999;t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit that `RateLimit` is about: `q` requests in `w` seconds.',
    schema: { type: 'string', pattern: String.raw`^"[a-z-]+";q=\d+;w=\d+$` },
    example: '"key";q=60000;w=60',
  },
  'Retry-After': {
    description: 'The seconds to wait before trying again.',
    required: true,
    schema: wholeSeconds,
    example: 17,
  },
  Vary: always('Bodies differ by their encoding.', 'Accept-Encoding'),
  'Vary-Of-Errors': {
    description: 'Where the body is compressed.',
    schema: { type: 'string', const: 'Accept-Encoding' },
  },
  'X-Request-Id': {
    description: 'The caller’s own id of the request where it sent one, else a new one. Name it in reports.',
    required: true,
    schema: requestIdReference.schema,
    example: '3f0c1a52-6a3e-4b0e-9d43-7a5f0e1d2c4b',
  },
};

type Component = keyof typeof headerComponents;

function headers(...names: Component[]): Record<string, object> {
  return Object.fromEntries(
    names.map((name) => [name.replace('-Of-Errors', ''), { $ref: `#/components/headers/${name}` }]),
  );
}

const everywhere = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/** The headers of a 200; of a 304, those that are not about its body. */
export function successHeaders({ content, linked }: { content: boolean; linked: boolean }): object {
  return headers(
    ...everywhere,
    'Cache-Control',
    'ETag',
    'Vary',
    ...(content ? (['Content-Encoding'] as const) : []),
    ...(linked ? (['Link'] as const) : []),
  );
}

/** The headers of an error. */
export function headersOfError({ retried }: { retried: boolean }): object {
  return headers(
    ...everywhere,
    'Cache-Control-Of-Errors',
    'Content-Encoding',
    'Vary-Of-Errors',
    ...(retried ? (['Retry-After'] as const) : []),
  );
}
