import assert from 'node:assert/strict';
import { hashPassword } from '../../src/console/auth/passwords.ts';
import { addUser } from '../../src/console/users/add-user.ts';
import type { Answer, Client, Sent } from './client.ts';
import type { TestService } from './service.ts';

/** A password that no test types by chance. */
export const PASSWORD = 'correct horse battery';

/** A browser that is on the console: it keeps cookies, and says where its requests come from. */
export class ConsoleClient {
  readonly cookies = new Map<string, string>();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Sends a request to a path below `/console/api`; `site` null for a browser that does not tell where it comes from. */
  async request(
    method: string,
    path: string,
    { site = 'same-origin', ...sent }: Sent & { site?: string | null } = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = {
      ...(site !== null && { 'sec-fetch-site': site }),
      ...(cookie !== '' && { cookie }),
      ...sent.headers,
    };
    const answer = await this.#client.request(method, `/console/api${path}`, { ...sent, headers });
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line);
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  post(path: string, json?: unknown): Promise<Answer> {
    return this.request('POST', path, json === undefined ? {} : { json });
  }

  /** @throws where sign-in is refused */
  async signIn(email: string, password = PASSWORD): Promise<void> {
    const answer = await this.post('/auth/sign-in/email', { email, password });
    assert.equal(answer.status, 200, answer.text);
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0(;|$)/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

let users = 0;
/** Made once: each takes as long as a password's hash has to. */
let hashed: Promise<string> | undefined;

/** Makes a user of a merchant, with `PASSWORD`. */
export async function newUser(service: TestService, merchant: { id: number }): Promise<{ email: string }> {
  users += 1;
  const email = `user${users}@example.com`;
  hashed ??= hashPassword(PASSWORD);
  const passwordHash = await hashed;
  await service.database.transaction((connection) =>
    addUser(
      connection,
      { merchantId: merchant.id, name: `User ${users}`, email, passwordHash },
      service.now(),
    ),
  );
  return { email };
}

/** A browser in which a user of this merchant has signed in. */
export async function signedIn(service: TestService, merchant: { id: number }): Promise<ConsoleClient> {
  const { email } = await newUser(service, merchant);
  const client = new ConsoleClient(service.client);
  await client.signIn(email);
  return client;
}
