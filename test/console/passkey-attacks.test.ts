import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { Authenticator } from '../support/authenticator.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, signedIn } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { operatorClient, signedInOperator } from '../support/operators.ts';
import {
  addedPasskey,
  newPasskeyRequest,
  ORIGIN,
  passkeyRequest,
  passkeysOf,
  signInWith,
} from '../support/passkeys.ts';
import { startTestService, useService } from '../support/service.ts';

const WRONG = 'This passkey can’t sign you in here.';
const LATE = 'This sign-in took too long. Try again.';

forEachEngine((engine) => {
  describe('a passkey', () => {
    const service = useService(engine, { environment: { PUBLIC_URL: ORIGIN } });
    beforeEach(() => service().passTime(61_000));

    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    const newPasskey = async (use: Parameters<typeof addedPasskey>[1] = {}) => {
      const client = await signedIn(service(), await service().newMerchant());
      return { client, ...(await addedPasskey(client, use)) };
    };
    const isRefused = async (client: ConsoleClient, response: ClientResponse, message = WRONG) => {
      assert.deepEqual([response.status, response.message], [401, message]);
      assert.equal((await client.get('/session')).status, 401);
    };

    it('signs in once with each challenge, in the browser that got it, within five minutes', async () => {
      const { authenticator } = await newPasskey();
      const [client, thief] = [newClient(), newClient()];
      const assertion = authenticator.get(await passkeyRequest(client), { origin: ORIGIN });
      const send = (from: ConsoleClient) => from.post('/auth/sign-in/passkey', assertion);
      await isRefused(thief, await send(thief), LATE);
      await passkeyRequest(thief);
      await isRefused(thief, await send(thief), LATE);
      assert.equal((await send(client)).status, 200);
      await client.post('/auth/sign-out');
      await isRefused(client, await send(client), LATE);
      const late = authenticator.get(await passkeyRequest(client), { origin: ORIGIN });
      service().passTime(5 * 60_000 + 1);
      await isRefused(client, await client.post('/auth/sign-in/passkey', late), LATE);
    });

    it('signs in from each of several tabs of a browser', async () => {
      const { authenticator } = await newPasskey();
      const client = newClient();
      const first = await passkeyRequest(client);
      await passkeyRequest(client);
      const assertion = authenticator.get(first, { origin: ORIGIN });
      assert.equal((await client.post('/auth/sign-in/passkey', assertion)).status, 200);
    });

    it('signs in only for this host and origin, in an operation that signs in, with the user verified', async () => {
      const { authenticator } = await newPasskey();
      for (const use of [
        { origin: 'https://evil.example' },
        { origin: `${ORIGIN}:444` },
        { origin: ORIGIN.replace('https', 'http') },
        { rpId: 'evil.example' },
        { rpId: 'example' },
        { verifies: false },
        { type: 'webauthn.create' },
        { userHandle: Buffer.from('01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90').toString('base64url') },
      ]) {
        service().passTime(61_000);
        const client = newClient();
        await isRefused(client, await signInWith(authenticator, client, use));
      }
      assert.equal((await signInWith(authenticator, newClient())).status, 200);
    });

    it('needs its own key and the user’s own name: another user’s passkey ID is worth nothing', async () => {
      const { authenticator } = await newPasskey();
      const { authenticator: own } = await newPasskey();
      const client = newClient();
      const theirs = authenticator.get(await passkeyRequest(client), { origin: ORIGIN });
      for (const handle of [{}, { userHandle: theirs.response.userHandle }]) {
        const mine = own.get(await passkeyRequest(client), { origin: ORIGIN, ...handle });
        const mixed = { ...mine, id: theirs.id, rawId: theirs.id };
        await isRefused(client, await client.post('/auth/sign-in/passkey', mixed));
      }
    });

    it('has the same refusal if nobody has it, and the request for it names nobody', async () => {
      const client = newClient();
      const { allowCredentials } = await passkeyRequest(client);
      assert.deepEqual(allowCredentials, []);
      const unknown = new Authenticator();
      await isRefused(client, await signInWith(unknown, client, { userHandle: 'AAAA' }));
      for (const body of [
        {},
        { id: 'x' },
        { id: 1, response: [] },
        { id: 'x', response: { clientDataJSON: 'e30' } },
      ])
        await isRefused(client, await client.post('/auth/sign-in/passkey', body));
    });

    it('is refused with a count that is not higher than the last one, as a copy of it has', async () => {
      const { authenticator } = await newPasskey({ count: 5 });
      const client = newClient();
      assert.equal((await signInWith(authenticator, client, { count: 7 })).status, 200);
      for (const count of [7, 6, 0]) {
        const copy = newClient();
        await isRefused(copy, await signInWith(authenticator, copy, { count }));
      }
      assert.equal((await signInWith(authenticator, newClient(), { count: 8 })).status, 200);
    });

    it('signs in one of two copies that are used at once', async () => {
      const { authenticator } = await newPasskey({ count: 1 });
      const clients = [newClient(), newClient()];
      const responses = await Promise.all(
        clients.map((client) => signInWith(authenticator, client, { count: 2 })),
      );
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401]);
      const open = await Promise.all(clients.map(async (one) => (await one.get('/session')).status));
      assert.deepEqual(open.sort(), [200, 401]);
    });

    it('of one realm is none in the other, nor are its challenges', async () => {
      const { authenticator } = await newPasskey();
      const atScreen = operatorClient(service());
      await isRefused(atScreen, await signInWith(authenticator, atScreen));
      const { client: operator } = await signedInOperator(service());
      const { authenticator: ofOperator } = await addedPasskey(operator);
      const client = newClient();
      await isRefused(client, await signInWith(ofOperator, client));
      const assertion = ofOperator.get(await passkeyRequest(client), { origin: ORIGIN });
      for (const [name, value] of client.cookies)
        atScreen.cookies.set(name.replace('__Host-tradepost.', '__Host-tradepost-operator.'), value);
      await isRefused(atScreen, await atScreen.post('/auth/sign-in/passkey', assertion), LATE);
      service().passTime(61_000);
      assert.equal((await signInWith(ofOperator, atScreen)).status, 200);
      assert.equal((await atScreen.get('/operators')).status, 200);
    });

    it('of another user can be neither renamed nor removed', async () => {
      const { client, id } = await newPasskey();
      const stranger = await signedIn(service(), await service().newMerchant());
      assert.equal((await stranger.post(`/passkeys/${id}`, { name: 'Mine' })).status, 404);
      assert.equal((await stranger.request('DELETE', `/passkeys/${id}`)).status, 404);
      assert.deepEqual(
        (await passkeysOf(client)).map(({ name }) => name),
        ['Laptop'],
      );
      assert.deepEqual(await passkeysOf(stranger), []);
    });

    it('is added only in the session that confirmed the password, once, for this origin, with the user verified', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const [client, other] = [newClient(), newClient()];
      await client.signIn(email);
      await other.signIn(email);
      const add = (from: ConsoleClient, created: object) =>
        from.post('/auth/passkeys', { ...created, name: 'Laptop' });
      const request = await newPasskeyRequest(client);
      const created = new Authenticator().create(request, { origin: ORIGIN });
      for (const [name, value] of client.cookies)
        if (name.endsWith('.passkey')) other.cookies.set(name, value);
      assert.equal((await add(other, created)).status, 409);
      assert.equal((await add(client, created)).status, 409, 'another session has used the challenge');
      for (const use of [
        { origin: 'https://evil.example' },
        { origin: ORIGIN, rpId: 'evil.example' },
        { origin: ORIGIN, verifies: false },
        { origin: ORIGIN, type: 'webauthn.get' },
      ]) {
        const wrong = new Authenticator().create(await newPasskeyRequest(client), use);
        assert.equal((await add(client, wrong)).status, 400);
      }
      const ofSignIn = { ...request, challenge: (await passkeyRequest(client)).challenge };
      assert.equal((await add(client, new Authenticator().create(ofSignIn, { origin: ORIGIN }))).status, 409);
      assert.deepEqual(await passkeysOf(client), []);
      assert.equal((await newClient().post('/auth/passkeys', created)).status, 400);
      assert.equal((await add(newClient(), created)).status, 401);
    });

    it('counts as attempts of a network and of the passkey', async () => {
      const { authenticator } = await newPasskey();
      // The sign-in of its user counted, too.
      service().passTime(61_000);
      const statuses: number[] = [];
      for (let count = 0; count < 11; count += 1)
        statuses.push((await signInWith(authenticator, newClient(), { verifies: false })).status);
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
      for (let count = 10; count < 50; count += 1) {
        if (count % 10 === 0) service().passTime(61_000);
        await signInWith(authenticator, newClient(), { verifies: false });
      }
      service().passTime(61_000);
      assert.equal((await signInWith(authenticator, newClient())).status, 429);
      service().passTime(60 * 60_000);
      assert.equal((await signInWith(authenticator, newClient())).status, 200);
    });

    it('is used only by the service’s own pages', async () => {
      for (const path of ['/auth/sign-in/passkey/options', '/auth/sign-in/passkey', '/auth/passkeys']) {
        const response = await newClient().request('POST', path, { json: {}, site: 'cross-site' });
        assert.equal(response.status, 403, path);
      }
    });
  });
});

it('a service without PUBLIC_URL refuses passkeys at an IP address, and takes the host that its proxy names', async (t) => {
  const service = await startTestService(sqlite, { environment: { TRUST_PROXY: '127.0.0.1' } });
  t.after(() => service.close());
  const client = new ConsoleClient(service.client);
  assert.equal((await client.post('/auth/sign-in/passkey/options')).status, 409);
  const named = await client.request('POST', '/auth/sign-in/passkey/options', {
    json: {},
    headers: { 'x-forwarded-host': 'shop.example:8443' },
  });
  assert.equal(named.json<{ rpId: string }>().rpId, 'shop.example');
});
