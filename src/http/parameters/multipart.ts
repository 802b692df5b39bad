import { isUtf8 as isBufferUtf8 } from 'node:buffer';
import type { DomainError } from '../../errors/domain-error.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { type RawParameter, textValue } from './raw-parameters.ts';

/** At most 70 characters (RFC 2046, 5.1.1). Longer boundaries take longer to find. */
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([\x20-\x7e]{1,70})"|([!#-:<-~]{1,70}))\s*(?:;|$)/i;
const PARAMETER = /\s*;\s*([^\s;="]+)\s*=\s*(?:"([^"]*)"|([^\s;"]*))/y;
const HEADER = /^([^:\r\n]+):[ \t]?([^\r\n]*)$/;
const FOLD = /\r\n(?=[ \t])/g;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const UTF_8 = /^(utf-?8|us-ascii)$/i;
/** How browsers escape characters that a name cannot contain (HTML, “Multipart form data”). */
const ESCAPED = /%(?:22|0D|0A)/gi;

export function isUtf8(contentType: string): boolean {
  return UTF_8.test(CHARSET.exec(contentType)?.[1] ?? 'utf-8');
}

/**
 * Reads up to `maximum` fields of a `multipart/form-data` body, in order.
 * @throws {DomainError} `unreadable_body` if it is malformed, or contains a file or text in another charset;
 *   `too_many_parameters`
 */
export async function readMultipart(
  body: Buffer,
  contentType: string,
  maximum: number,
): Promise<RawParameter[]> {
  return splitParts(body, boundaryOf(contentType), maximum).map(readField);
}

/** @throws {DomainError} `unreadable_body` if there is no boundary */
export function boundaryOf(contentType: string): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed();
  return boundary;
}

interface Part {
  /** By lower-case name. Values are decoded as Latin-1. */
  headers: ReadonlyMap<string, string[]>;
  content: Buffer;
}

/**
 * `openMultipart` takes several times as long for a part, and a body in memory may have thousands of parts.
 * @throws {DomainError} `unreadable_body`, `too_many_parameters`
 */
function splitParts(body: Buffer, boundary: string, maximum: number): Part[] {
  const delimiter = `\r\n--${boundary}`;
  // The first delimiter needs no line break. In Latin-1, each character is one byte.
  const text = `\r\n${body.toString('latin1')}`;
  const parts: Part[] = [];
  let end = text.indexOf(delimiter);
  while (end >= 0) {
    const start = end + delimiter.length;
    if (text.startsWith('--', start)) return parts;
    if (parts.length === maximum) throw requestErrors.too_many_parameters(maximum);
    end = text.indexOf(delimiter, start);
    const headersEnd = text.indexOf('\r\n\r\n', start);
    if (headersEnd < 0 || headersEnd + 4 > end) throw malformed();
    const headers = readHeaders(text.slice(start, headersEnd));
    parts.push({ headers, content: body.subarray(headersEnd + 2, end - 2) });
  }
  throw malformed();
}

/** Reads the headers of a part. @throws {DomainError} `unreadable_body` */
export function readHeaders(text: string): Part['headers'] {
  const headers = new Map<string, string[]>();
  for (const line of text.replaceAll(FOLD, '').split('\r\n')) {
    if (line === '') continue;
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name === undefined) throw malformed();
    const values = headers.get(name.toLowerCase());
    if (values === undefined) headers.set(name.toLowerCase(), [value]);
    else values.push(value);
  }
  return headers;
}

/** Reads a field. @throws {DomainError} `unreadable_body` if it is malformed, a file or not UTF-8 */
export function readField({ headers, content }: Part): RawParameter {
  const [disposition, ...others] = headers.get('content-disposition') ?? [];
  const parameters = readDisposition(disposition ?? '');
  const name = decode(Buffer.from(parameters?.get('name') ?? '', 'latin1'))?.replaceAll(
    ESCAPED,
    decodeURIComponent,
  );
  if (parameters?.has('name') !== true || name === undefined || others.length > 0) throw malformed();
  if (parameters.has('filename') || parameters.has('filename*')) {
    throw requestErrors.unreadable_body(`files are not accepted (${name})`);
  }
  if (!isUtf8(headers.get('content-type')?.[0] ?? ''))
    throw requestErrors.unreadable_body('its charset must be UTF-8');
  const encoding = headers.get('content-transfer-encoding')?.[0]?.trim().toLowerCase() ?? 'binary';
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
      return textValue(name, decode(content), 'text');
    case 'base64':
      return textValue(name, decode(Buffer.from(content.toString('latin1'), 'base64')), 'text');
    default:
      throw requestErrors.unreadable_body(
        'the Content-Transfer-Encoding of a field must be 7bit, 8bit, binary or base64',
      );
  }
}

/** Returns the parameters of `form-data` by lower-case name; undefined for anything else. */
export function readDisposition(value: string): Map<string, string> | undefined {
  const type = /^\s*form-data/i.exec(value)?.[0];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  let position = type.length;
  while (position < value.length) {
    PARAMETER.lastIndex = position;
    const [whole, name = '', quoted, plain = ''] = PARAMETER.exec(value) ?? [];
    if (whole === undefined) break;
    if (parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), quoted ?? plain);
    position += whole.length;
  }
  const rest = value.slice(position).trim();
  return rest === '' || rest === ';' ? parameters : undefined;
}

function decode(bytes: Buffer): string | undefined {
  return isBufferUtf8(bytes) ? bytes.toString() : undefined;
}

export function malformed(): DomainError {
  return requestErrors.unreadable_body('it is not valid multipart/form-data');
}
