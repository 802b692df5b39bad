import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface RemoteOptions {
  /** Without a trailing slash, such as `https://shop.example/v1`. */
  baseUrl: URL;
  /** Distinct, in the order of the file. */
  tokens: readonly Token[];
  /** PEM certificates of authorities to trust in addition to the system's. */
  ca: string | undefined;
  /** For each kind of request. */
  seconds: number;
  connections: number;
}

/** `line` is the line of the file. Messages name the line, never the token. */
export interface Token {
  value: string;
  line: number;
}

/** The message is for the operator and contains no token. */
export class RemoteError extends Error {
  override name = 'RemoteError';
}

export const USAGE = `Usage: npm run bench -- remote https://HOST --tokens FILE [options]

Measures a running service from another machine. Sends only GET requests: pages of
products, variations and monthly sales. HOST may have a port and the base path of the
API (/v1 if there is none).

  --tokens FILE      access tokens, one per line
  --ca FILE          certificates to trust besides the system's, PEM
  --seconds N        duration for each of four kinds of request (10; at most 60)
  --connections N    simultaneous requests (16; at most 256)
`;

const MAX_SECONDS = 60;
const MAX_CONNECTIONS = 256;
const MAX_TOKENS = 1_000;
const DEFAULT_PATH = '/v1';

/** Also reads the files that the command line names. @throws {RemoteError} if any of it is invalid */
export function readOptions(commandLine: readonly string[]): RemoteOptions {
  const { positionals, values } = parse(commandLine);
  const [url, ...further] = positionals;
  if (url === undefined) throw new RemoteError('The URL of the service is missing.');
  if (further.length > 0) throw new RemoteError(`Expected one URL, but got ${positionals.length} arguments.`);
  if (values.tokens === undefined) throw new RemoteError('--tokens FILE is missing.');
  return {
    baseUrl: readBaseUrl(url),
    tokens: readTokens(values.tokens),
    ca: values.ca === undefined ? undefined : readCertificates(values.ca),
    seconds: readNumber('--seconds', values.seconds, MAX_SECONDS),
    connections: readNumber('--connections', values.connections, MAX_CONNECTIONS),
  };
}

function parse(commandLine: readonly string[]) {
  try {
    return parseArgs({
      args: [...commandLine],
      allowPositionals: true,
      options: {
        tokens: { type: 'string' },
        ca: { type: 'string' },
        seconds: { type: 'string', default: '10' },
        connections: { type: 'string', default: '16' },
      },
    });
  } catch (error) {
    throw new RemoteError(error instanceof Error ? error.message : String(error));
  }
}

function readBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new RemoteError(`"${text}" is not a URL.`);
  if (url.protocol !== 'https:') {
    throw new RemoteError('The URL must begin with https://, because tokens are sent only over HTTPS.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new RemoteError('The URL may have only a host, a port and the base path of the API.');
  }
  url.pathname = url.pathname.replace(/\/+$/, '') || DEFAULT_PATH;
  return url;
}

function readTokens(file: string): Token[] {
  const tokens = new Map<string, Token>();
  for (const [index, text] of readText(file).split('\n').entries()) {
    const value = text.trim();
    if (value === '' || tokens.has(value)) continue;
    const line = index + 1;
    if (!/^[\x21-\x7e]{1,200}$/.test(value)) {
      throw new RemoteError(`Line ${line} of ${file} is not an access token.`);
    }
    tokens.set(value, { value, line });
  }
  if (tokens.size === 0) throw new RemoteError(`${file} contains no access token.`);
  if (tokens.size > MAX_TOKENS) throw new RemoteError(`${file} contains more than ${MAX_TOKENS} tokens.`);
  return [...tokens.values()];
}

function readCertificates(file: string): string {
  const text = readText(file);
  try {
    new X509Certificate(text);
  } catch {
    throw new RemoteError(`${file} contains no PEM certificate.`);
  }
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new RemoteError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function readNumber(option: string, text: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new RemoteError(`${option} must be a whole number from 1 to ${max}.`);
  return value;
}
