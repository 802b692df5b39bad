import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleOptions, ConsoleSession } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import type { MerchantSummary } from '../../src/merchants/list-merchants.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService, useService } from '../support/service.ts';

const form = {
  merchant_name: 'Acme',
  time_zone: 'Europe/Vienna',
  name: 'Ann',
  email: 'Ann@example.com',
  password: PASSWORD,
};

forEachEngine((engine) => {
  describe('self-registration', () => {
    const service = useService(engine, { environment: { SELF_REGISTRATION: 'on' } });
    const newClient = (): ConsoleClient => new ConsoleClient(service().client);
    beforeEach(() => service().passTime(61 * 60_000));

    it('creates a merchant and its user, and signs the user in', async () => {
      const client = newClient();
      assert.deepEqual((await client.get('/options')).json<ConsoleOptions>(), {
        self_registration: true,
        mail: false,
        single_sign_on: null,
      });
      const response = await client.post('/registration', form);
      assert.equal(response.status, 201, response.text);
      const { user, merchant } = (await client.get('/session')).json<ConsoleSession>();
      assert.equal(user.email, 'ann@example.com');
      assert.equal(user.name, 'Ann');
      assert.equal(merchant.name, 'Acme');
      assert.equal(merchant.time_zone, 'Europe/Vienna');
      await newClient().signIn(form.email);
    });

    it('names the invalid field, and then creates nothing', async () => {
      const refusals: [change: object, field: string][] = [
        [{ merchant_name: 'Acme', email: 'bob@example.com' }, 'merchant_name'],
        [{ merchant_name: '12' }, 'merchant_name'],
        [{ merchant_name: 'Bob & Sons' }, 'email'],
        [{ merchant_name: 'Bob & Sons', email: 'nobody' }, 'email'],
        [{ merchant_name: 'Bob & Sons', email: 'bob@example.com', time_zone: 'Mars/Base' }, 'time_zone'],
        [{ merchant_name: 'Bob & Sons', email: 'bob@example.com', password: 'short' }, 'password'],
        [{ merchant_name: 'Bob & Sons', email: 'bob@example.com', name: ' ' }, 'name'],
      ];
      for (const [change, field] of refusals) {
        service().passTime(61 * 60_000);
        const response = await newClient().post('/registration', { ...form, ...change });
        assert.equal(response.status, 400, response.text);
        const { fields } = response.json<{ fields: { name: string }[] }>();
        assert.deepEqual(
          fields.map(({ name }) => name),
          [field],
        );
      }
      const merchants = await service().database.all(
        statement<unknown, { name: string }>('SELECT name FROM merchants'),
      );
      assert.deepEqual(
        merchants.map(({ name }) => name),
        ['Acme'],
      );
    });

    it('gives the shop an external ID that the operator’s back end cannot mean by chance, but can use', async () => {
      const shop = { merchant_name: 'Own Shop', email: 'own@example.com' };
      assert.equal((await newClient().post('/registration', { ...form, ...shop })).status, 201);
      const token = await service().newOperatorToken();
      const call = async (method: string, path: string, json?: object): Promise<ClientResponse> =>
        service().operator(method, `/merchants${path}`, token, json === undefined ? {} : { json });
      const listed = (await call('GET', '')).json<{ results: MerchantSummary[] }>().results;
      const registered = listed.find(({ name }) => name === 'Own Shop') ?? assert.fail();
      assert.match(registered.external_id, /^registered:[0-9a-f-]{36}$/);

      const seller = await call('PUT', `/${registered.id}`, { name: 'Seller' });
      assert.equal(seller.status, 201, seller.text);
      assert.notEqual(seller.json<MerchantSummary>().id, registered.id);
      const changed = await call('PUT', `/${registered.external_id}`, { currency: 'EUR' });
      assert.equal(changed.status, 200, changed.text);
      assert.deepEqual(
        { ...registered, ...changed.json<MerchantSummary>() },
        { ...registered, currency: 'EUR' },
      );
      expectError(
        await call('PUT', '/registered:other', { name: 'Other' }),
        400,
        /^external_id: External IDs that begin with "registered:" are reserved for merchants that register/,
      );
    });

    it('says of a name that another shop has, had or spells differently only that it isn’t available', async () => {
      const token = await service().newOperatorToken();
      const put = async (name: string): Promise<void> => {
        const { status } = await service().operator('PUT', '/merchants/known', token, { json: { name } });
        assert.ok(status === 200 || status === 201);
      };
      await put('Fresh Shop');
      await put('Fresher Shop');
      const known = { merchant_name: 'Free Shop', email: 'free@example.com' };
      assert.equal((await newClient().post('/registration', { ...form, ...known })).status, 201);
      for (const merchant_name of ['Fresher Shop', 'FRESH  shop', 'fresher shop', 'Free Shop']) {
        service().passTime(61 * 60_000);
        const response = await newClient().post('/registration', {
          ...form,
          merchant_name,
          email: 'new@example.com',
        });
        const reason = 'This shop name isn’t available. Choose another one.';
        assert.deepEqual(response.json(), { message: reason, fields: [{ name: 'merchant_name', reason }] });
      }
    });

    it('says what to enter in each blank field', async () => {
      const response = await newClient().post('/registration', {});
      assert.equal(response.status, 400);
      const { fields } = response.json<{ fields: { name: string; reason: string }[] }>();
      assert.deepEqual(Object.fromEntries(fields.map(({ name, reason }) => [name, reason])), {
        merchant_name: 'Enter a shop name.',
        time_zone: 'Choose a time zone.',
        name: 'Enter your name.',
        email: 'Enter your email.',
        password: 'Enter a password.',
      });
      const signIn = await newClient().post('/auth/sign-in/email', { email: '' });
      assert.equal(signIn.json<{ message: string }>().message, 'Enter your email. Enter your password.');
    });

    it('is limited to five attempts per hour from one network', async () => {
      for (let time = 0; time < 5; time += 1) {
        assert.equal((await newClient().post('/registration', { ...form, merchant_name: '12' })).status, 400);
      }
      assert.equal((await newClient().post('/registration', form)).status, 429);
    });

    it('403: unless the operator enables it', async () => {
      await using closed = await startTestService(engine);
      const client = new ConsoleClient(closed.client);
      assert.deepEqual((await client.get('/options')).json<ConsoleOptions>(), {
        self_registration: false,
        mail: false,
        single_sign_on: null,
      });
      assert.equal((await client.post('/registration', form)).status, 403);
    });
  });
});
