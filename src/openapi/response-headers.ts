import { VARY_BY_FIELDS } from '../http/endpoint/record-fields.ts';
import { requestIdHeader } from '../http/request-context.ts';
import { crossOriginHeaders, SUCCESS_CACHE_CONTROL } from '../http/responses/respond.ts';
import { commonErrorHeaders, ERRORS_PATH } from '../http/responses/send-error.ts';
import { PRIVATE_CACHE_CONTROL } from '../http/responses/send-private.ts';

const always = (description: string, value: string) => ({
  description,
  required: true,
  schema: { type: 'string', const: value },
});
const wholeSeconds = { type: 'integer', minimum: 1 };

/** Headers by their names in the components. */
export const headerComponents = {
  'Access-Control-Allow-Origin': always(
    'Pages of any origin may read the response.',
    crossOriginHeaders['access-control-allow-origin'],
  ),
  'Access-Control-Expose-Headers': always(
    'The response headers that those pages may read.',
    crossOriginHeaders['access-control-expose-headers'],
  ),
  'Cache-Control': always(
    'The client may store the response, but must revalidate it before each use.',
    SUCCESS_CACHE_CONTROL,
  ),
  'Cache-Control-Of-Customers': always(
    'No cache may store the response, because it may have data of customers.',
    PRIVATE_CACHE_CONTROL,
  ),
  'Cache-Control-Of-Errors': always(
    'Errors must be revalidated before each use.',
    commonErrorHeaders['cache-control'],
  ),
  'Content-Encoding': {
    description: 'The compression of the body, if it exceeds 1 KB and `Accept-Encoding` allows it.',
    schema: { type: 'string', enum: ['zstd', 'br', 'gzip'] },
  },
  ETag: {
    description: 'Changes when the response changes. Send it as `If-None-Match` to check for changes.',
    required: true,
    schema: { type: 'string', pattern: String.raw`^(W/)?"[\x21\x23-\x7e]+"$` },
    example: 'W/"2k-9pXn4hJYlq0TzS3vL0V5oQm8cE0"',
  },
  Link: {
    description:
      'The neighboring pages (RFC 8288): `prev` and `next` if they exist, `first` and `last` with the ' +
      'summary. Relative to the requested URL, without the token.',
    schema: { type: 'string' },
    example: '</v1/products.json?page=2>; rel="next"',
  },
  'Link-Of-Errors': {
    description: 'The description of the error, with the relation `help`.',
    required: true,
    schema: { type: 'string', pattern: `^<${ERRORS_PATH}#[a-z_]+>; rel="help"$` },
    example: `<${ERRORS_PATH}#invalid_parameters>; rel="help"`,
  },
  Location: {
    description:
      'The URL of the created record, relative to the requested one. Absent if an `Idempotency-Key` repeats a ' +
      'response from a version without it.',
    schema: { type: 'string' },
    example: 'campaigns/retrieve?internal_id=01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  },
  RateLimit: {
    description:
      'The remaining quota (draft-ietf-httpapi-ratelimit-headers-11): `r` requests in the next `t` ' +
      'seconds. Absent if the operator sets no limit.',
    schema: { type: 'string', pattern: String.raw`^"[a-z-]+";r=\d+;t=\d+$` },
    example: '"key";r=59999;t=42',
  },
  'RateLimit-Policy': {
    description: 'The limit that `RateLimit` refers to: `q` requests in `w` seconds.',
    schema: { type: 'string', pattern: String.raw`^"[a-z-]+";q=\d+;w=\d+$` },
    example: '"key";q=60000;w=60',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before retrying.',
    required: true,
    schema: wholeSeconds,
    example: 17,
  },
  'Retry-After-Of-Some': {
    description: 'The number of seconds to wait before retrying, if that may help.',
    schema: wholeSeconds,
    example: 17,
  },
  'Tradepost-Error': {
    description: 'The name of the error, for programs. Later versions may add names.',
    required: true,
    schema: { type: 'string', pattern: '^[a-z_]+$' },
    example: 'invalid_parameters',
  },
  Vary: always('The body depends on the encoding.', 'Accept-Encoding'),
  'Vary-Of-Products': always('The body depends on the encoding and on the fields.', VARY_BY_FIELDS),
  'Vary-Of-Errors': {
    description: 'Present if the body is compressed.',
    schema: { type: 'string', const: 'Accept-Encoding' },
  },
  'X-Request-Id': {
    description: 'The client’s request ID if it sent one, otherwise a new one. Include it in bug reports.',
    required: true,
    schema: requestIdHeader.schema,
    example: '3f0c1a52-6a3e-4b0e-9d43-7a5f0e1d2c4b',
  },
};

type Component = keyof typeof headerComponents;

function headers(...names: Component[]): Record<string, object> {
  return Object.fromEntries(
    names.map((name) => [
      name.replace(/-Of-(Customers|Errors|Products|Some)$/, ''),
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}

const everywhere = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/** The headers of a success or, if `content` is false, of a 304, which has no content headers. */
export function successHeaders({
  content,
  linked,
  located,
  isPrivate,
  hasFields,
}: {
  content: boolean;
  linked: boolean;
  located: boolean;
  isPrivate: boolean;
  hasFields: boolean;
}): object {
  return headers(
    ...everywhere,
    isPrivate ? 'Cache-Control-Of-Customers' : 'Cache-Control',
    'ETag',
    hasFields ? 'Vary-Of-Products' : 'Vary',
    ...(content ? (['Content-Encoding'] as const) : []),
    ...(linked ? (['Link'] as const) : []),
    ...(located ? (['Location'] as const) : []),
  );
}

/** Whether errors of a status have a `Retry-After` header. */
type Retried = 'always' | 'sometimes' | 'never';

export function headersOfError(retried: Retried): object {
  return headers(
    ...everywhere,
    'Cache-Control-Of-Errors',
    'Tradepost-Error',
    'Link-Of-Errors',
    'Content-Encoding',
    'Vary-Of-Errors',
    ...(retried === 'always' ? (['Retry-After'] as const) : []),
    ...(retried === 'sometimes' ? (['Retry-After-Of-Some'] as const) : []),
  );
}
