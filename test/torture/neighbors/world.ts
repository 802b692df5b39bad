import type { Figure } from '../../../bench/measuring/figures.ts';
import { Client } from '../../support/client.ts';
import { ConsoleClient } from '../../support/console.ts';
import type { TorturedServer } from '../server.ts';
import { emailOf, type MerchantName, type Sizes } from './merchants.ts';
import type { Ask, Work } from './work.ts';

/** The quiet merchant's address. Hostile ones have many others. */
export const QUIET_ADDRESS = '127.0.0.3';
export const HOSTILE_ADDRESSES: readonly string[] = Array.from(
  { length: 200 },
  (_, number) => `127.1.0.${1 + number}`,
);

/** What a case has to do with. */
export interface World {
  sizes: Sizes;
  full: boolean;
  /** What chance begins with. */
  seed: number;
  server: TorturedServer;
  /** Cookies of sessions. */
  sessions: ReadonlyMap<MerchantName, string>;
}

/** What a hostile merchant does for a while. */
export interface Case {
  name: string;
  /** Whether `npm test` runs it too. */
  short: boolean;
  /** Each in a process of its own. */
  works?(world: World): Work[];
  /** What this process does meanwhile, until `isOver`; resolves to figures of its own. */
  beside?(world: World, isOver: () => boolean): Promise<Figure[]>;
  /** Set where the hostile merchant and the quiet one come from one address. */
  sameAddress?: boolean;
  /** What the server may hold meanwhile, in MB. */
  mostResidentMb?: number;
  /** Set where the server is behind a proxy that names the clients' addresses. */
  proxied?: boolean;
}

/** A browser of this merchant, from an address. */
export function browserOf(
  { server, sessions }: Pick<World, 'server' | 'sessions'>,
  name: MerchantName,
  address: string,
): ConsoleClient {
  const console = new ConsoleClient(new Client(server.origin, server.ca, address));
  for (const cookie of (sessions.get(name) ?? '').split('; ')) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(cookie) ?? [];
    console.cookies.set(key, value);
  }
  return console;
}

/** Signs a merchant's user in; resolves to the cookies. */
export async function signIn(server: TorturedServer, name: MerchantName, address: string): Promise<string> {
  const client = new Client(server.origin, server.ca, address);
  const console = new ConsoleClient(client);
  await console.signIn(emailOf(name));
  client.close();
  return [...console.cookies].map((pair) => pair.join('=')).join('; ');
}

/** A request of the console's pages, in a merchant's session. */
export function consoleAsk(
  { sessions }: Pick<World, 'sessions'>,
  name: MerchantName,
  path: string,
  json?: object,
): Ask {
  const headers = { cookie: sessions.get(name) ?? '', 'sec-fetch-site': 'same-origin' };
  const ask = { kind: `console ${path.replace(/\?.*/, '')}`, path: `/console/api${path}` };
  if (json === undefined) return { ...ask, method: 'GET', headers };
  const body = JSON.stringify(json);
  return { ...ask, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
}

/** A request of the API; `token` is a merchant's. */
export function apiAsk(path: string, token: string, parameters: Record<string, string | number> = {}): Ask {
  const given = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams([['access_token', token], ...given]).toString();
  // A placeholder is not text to be escaped.
  return { kind: path, method: 'GET', path: `/v1${path}?${query.replaceAll('%7Bn%7D', '{n}')}` };
}
