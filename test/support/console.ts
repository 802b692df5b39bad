import assert from 'node:assert/strict';
import { hashPassword } from '../../src/console/auth/passwords.ts';
import { DEFAULT_ROLE, type Role } from '../../src/users/role.ts';
import type { Client, ClientResponse, RequestOptions } from './client.ts';
import { LOW_COST, type TestService } from './service.ts';
import { addUser } from './users.ts';

export const PASSWORD = 'correct horse battery';

/** Behaves like a browser on the console: keeps cookies, and sends `Sec-Fetch-Site`. */
export class ConsoleClient {
  readonly cookies = new Map<string, string>();
  readonly #client: Pick<Client, 'request'>;
  readonly #apiPath: string;

  /** `apiPath` is of the realm where the client signs in. */
  constructor(client: Pick<Client, 'request'>, apiPath = '/console/api') {
    this.#client = client;
    this.#apiPath = apiPath;
  }

  /** `path` is of the API, or below the realm's path. With `site` null, it sends no `Sec-Fetch-Site`. */
  async request(
    method: string,
    path: string,
    { site = 'same-origin', ...options }: RequestOptions & { site?: string | null } = {},
  ): Promise<ClientResponse> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = {
      ...(site !== null && { 'sec-fetch-site': site }),
      ...(cookie !== '' && { cookie }),
      ...options.headers,
    };
    const target = /^\/(operator\/)?v1\//.test(path) ? path : `${this.#apiPath}${path}`;
    const response = await this.#client.request(method, target, { ...options, headers });
    for (const line of response.headers['set-cookie'] ?? []) this.#keep(line);
    return response;
  }

  get(path: string): Promise<ClientResponse> {
    return this.request('GET', path);
  }

  post(path: string, json?: unknown): Promise<ClientResponse> {
    return this.request('POST', path, json === undefined ? {} : { json });
  }

  /** @throws if sign-in fails */
  async signIn(email: string, password = PASSWORD): Promise<void> {
    const response = await this.post('/auth/sign-in/email', { email, password });
    assert.equal(response.status, 200, response.text);
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0(;|$)/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

let users = 0;

export async function newUser(
  service: TestService,
  merchant: { id: number },
  role: Role = DEFAULT_ROLE,
): Promise<{ email: string }> {
  users += 1;
  const email = `user${users}@example.com`;
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);
  await addUser(service, { merchantId: merchant.id, name: `User ${users}`, email, role, passwordHash });
  return { email };
}

/** Returns a client with the session of a new user. */
export async function signedIn(
  service: TestService,
  merchant: { id: number },
  role: Role = DEFAULT_ROLE,
): Promise<ConsoleClient> {
  const { email } = await newUser(service, merchant, role);
  const client = new ConsoleClient(service.client);
  await client.signIn(email);
  return client;
}
