import assert from 'node:assert/strict';
import type { NewPasskeyRequest, PasskeyList, PasskeyRequest } from '../../src/console/console-api.ts';
import { Authenticator } from './authenticator.ts';
import type { ClientResponse } from './client.ts';
import { type ConsoleClient, PASSWORD } from './console.ts';

/** The public address of services whose passkeys are tested: there are none at IP addresses. */
export const HOST = 'shop.example';
export const ORIGIN = `https://${HOST}`;

type Use = Partial<Parameters<Authenticator['get']>[1]>;

/** Asks for a challenge to make a passkey, as a user with `PASSWORD`. */
export async function newPasskeyRequest(client: ConsoleClient): Promise<NewPasskeyRequest> {
  const response = await client.post('/auth/passkeys/options', { password: PASSWORD });
  assert.equal(response.status, 200, response.text);
  return response.json<NewPasskeyRequest>();
}

/** Resolves to an authenticator with a new passkey of the client's user, and to its ID in the list. */
export async function addedPasskey(
  client: ConsoleClient,
  { name = 'Laptop', ...use }: Use & { name?: string } = {},
): Promise<{ authenticator: Authenticator; id: string }> {
  const authenticator = new Authenticator();
  const created = authenticator.create(await newPasskeyRequest(client), { origin: ORIGIN, ...use });
  const response = await client.post('/auth/passkeys', { ...created, name });
  assert.equal(response.status, 200, response.text);
  const id = (await passkeysOf(client)).find((passkey) => passkey.name === name)?.id;
  return { authenticator, id: id ?? assert.fail('the passkey is not listed') };
}

export async function passkeysOf(client: ConsoleClient): Promise<PasskeyList['passkeys']> {
  return (await client.get('/passkeys')).json<PasskeyList>().passkeys;
}

/** Asks for a challenge to sign in. */
export async function passkeyRequest(client: ConsoleClient): Promise<PasskeyRequest> {
  const response = await client.post('/auth/sign-in/passkey/options');
  assert.equal(response.status, 200, response.text);
  return response.json<PasskeyRequest>();
}

/** Signs a client in, or tries to. */
export async function signInWith(
  authenticator: Authenticator,
  client: ConsoleClient,
  use: Use = {},
): Promise<ClientResponse> {
  const assertion = authenticator.get(await passkeyRequest(client), { origin: ORIGIN, ...use });
  return await client.post('/auth/sign-in/passkey', assertion);
}
