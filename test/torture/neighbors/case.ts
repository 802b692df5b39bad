import type { Figure } from '../../../bench/measuring/figures.ts';
import { Client } from '../../support/client.ts';
import { ConsoleClient } from '../../support/console.ts';
import type { Owner } from '../../support/process.ts';
import type { StressedServer, StressedSettings } from '../server.ts';
import { emailOf, type MerchantName, type Sizes } from './merchants.ts';
import type { TestRequest, Workload } from './workload.ts';

/** Hostile merchants use many others. */
export const QUIET_ADDRESS = '127.0.0.3';
export const HOSTILE_ADDRESSES: readonly string[] = Array.from(
  { length: 200 },
  (_, number) => `127.1.0.${1 + number}`,
);

export interface Preparation {
  t: Owner;
  settings: StressedSettings;
  sizes: Sizes;
}

export interface CaseContext {
  sizes: Sizes;
  full: boolean;
  seed: number;
  server: StressedServer;
  sessions: ReadonlyMap<MerchantName, string>;
}

/** Runs in this process during the attack, until `isOver`. Resolves to more figures. */
export type Attack = (context: CaseContext, isOver: () => boolean) => Promise<Figure[]>;

export interface Case {
  name: string;
  /** Whether `npm test` runs it too. */
  short: boolean;
  workloads?(context: CaseContext): Workload[];
  duringAttack?: Attack;
  /** Prepares an attack before a server of its own starts. */
  prepare?(preparation: Preparation): Promise<Attack>;
  sameAddress?: boolean;
  /** The limit of the server's resident memory, in MB. */
  maxResidentMb?: number;
  /** The server is behind a proxy that forwards client addresses. */
  proxied?: boolean;
}

export function consoleClientFor(
  { server, sessions }: Pick<CaseContext, 'server' | 'sessions'>,
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

export async function signIn(server: StressedServer, name: MerchantName, address: string): Promise<string> {
  const client = new Client(server.origin, server.ca, address);
  const console = new ConsoleClient(client);
  await console.signIn(emailOf(name));
  client.close();
  return [...console.cookies].map((pair) => pair.join('=')).join('; ');
}

export function consoleRequest(
  { sessions }: Pick<CaseContext, 'sessions'>,
  name: MerchantName,
  path: string,
  json?: object,
): TestRequest {
  const headers = { cookie: sessions.get(name) ?? '', 'sec-fetch-site': 'same-origin' };
  const request = {
    kind: `console ${path.replace(/\?.*/, '')}`,
    path: path.startsWith('/v1/') ? path : `/console/api${path}`,
  };
  if (json === undefined) return { ...request, method: 'GET', headers };
  const body = JSON.stringify(json);
  return { ...request, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
}

export function apiRequest(
  path: string,
  token: string,
  parameters: Record<string, string | number> = {},
): TestRequest {
  const given = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams([['access_token', token], ...given]).toString();
  // Keeps the placeholder unescaped.
  return { kind: path, method: 'GET', path: `/v1${path}?${query.replaceAll('%7Bn%7D', '{n}')}` };
}
