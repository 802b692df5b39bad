import type { SecureContext } from 'node:tls';
import { Connection, type TimedResponse } from './connection.ts';
import { RemoteError, type RemoteOptions, type Token } from './options.ts';
import { type Catalog, PAGE_SIZE, pagePath } from './requests.ts';

/** Enough pages of each catalog that their variations are not all on one database page. */
const VARIATION_PAGES = 5;
/** With more tokens, only page 1 of each catalog is read. */
const THOROUGH_TOKENS = 20;
/** Matches errors of a certificate that is not trusted or not for this host. */
const CERTIFICATE_ERROR = /CERT|ISSUER|SIGNATURE|ERR_TLS/;

export interface Survey {
  catalogs: Catalog[];
  /** Of one key, per minute; undefined if the service reports no limit. */
  keyLimit: number | undefined;
}

interface Page {
  results: { variations?: { identifier: string }[] | null }[];
  total_entries: number;
}

/** @throws {RemoteError} if the service cannot be reached or rejects a token */
export async function survey({ baseUrl, tokens }: RemoteOptions, context: SecureContext): Promise<Survey> {
  const connection = new Connection(baseUrl, context);
  try {
    const catalogs: Catalog[] = [];
    let keyLimit: number | undefined;
    for (const token of tokens) {
      const { page, response } = await readPage(connection, baseUrl, token, 1);
      keyLimit ??= limitIn(response.headers['ratelimit-policy']);
      const pages = Math.ceil(page.total_entries / PAGE_SIZE);
      const variations = variationsOf(page);
      const further = tokens.length > THOROUGH_TOKENS ? 1 : VARIATION_PAGES;
      for (let number = 1; number < Math.min(further, pages); number += 1) {
        const sampled = 1 + Math.floor((number * pages) / further);
        variations.push(...variationsOf((await readPage(connection, baseUrl, token, sampled)).page));
      }
      catalogs.push({ token: token.value, pages, variations: [...new Set(variations)] });
    }
    return { catalogs, keyLimit };
  } finally {
    connection.close();
  }
}

async function readPage(
  connection: Connection,
  { host, href }: URL,
  { value, line }: Token,
  number: number,
): Promise<{ page: Page; response: TimedResponse }> {
  const response = await connection.get(pagePath(value, number, { pagination: 'true' })).catch((error) => {
    throw new RemoteError(unreachable(host, error));
  });
  const { status, headers, body } = response;
  if (status === 401) throw new RemoteError(`The service rejected the token on line ${line}.`);
  if (status === 429 || status === 503) {
    const wait = headers['retry-after'];
    throw new RemoteError(
      `The service refuses requests now (status ${status}).${wait === undefined ? '' : ` Try again in ${wait} s.`}`,
    );
  }
  const page = status === 200 ? parsePage(body) : undefined;
  if (page === undefined) {
    throw new RemoteError(`There is no Tradepost API at ${href} (status ${status}). Check the base path.`);
  }
  return { page, response };
}

function unreachable(host: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (!CERTIFICATE_ERROR.test(code)) return `Cannot reach ${host}: ${code}.`;
  return `The certificate of ${host} is not valid here: ${code}. If its authority is private, name the authority's certificate with --ca FILE.`;
}

function parsePage(body: Buffer): Page | undefined {
  try {
    const page: Page = JSON.parse(body.toString());
    return Array.isArray(page.results) && Number.isInteger(page.total_entries) ? page : undefined;
  } catch {
    return undefined;
  }
}

function variationsOf({ results }: Page): string[] {
  return results.flatMap(({ variations }) => (variations ?? []).map(({ identifier }) => identifier));
}

/** The key's limit per minute in `RateLimit-Policy`, such as `"key";q=60000;w=60`. */
function limitIn(policy: string | string[] | undefined): number | undefined {
  const [, requests, seconds] = /"key";q=(\d+);w=(\d+)/.exec(String(policy)) ?? [];
  return requests === undefined ? undefined : (Number(requests) * 60) / Number(seconds);
}
