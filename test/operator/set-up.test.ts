import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { newSetUpLink } from '../../src/commands/set-up-link.ts';
import { intercept } from '../../src/database/intercept.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { ScreenSession, SetUpLinkState } from '../../src/operator/screen/screen-api.ts';
import { findMarketplace, listAllOperators } from '../../src/operators/queries.ts';
import { removeOperator } from '../../src/operators/remove-operator.ts';
import { screenUrl } from '../../src/operators/screen-url.ts';
import { addSetUpToken } from '../../src/operators/set-up.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { invitedOperator } from '../support/operators.ts';
import { type TestService, useService } from '../support/service.ts';

const form = {
  name: 'Ada Miller',
  email: 'ada@example.com',
  password: 'a horse that stays calm',
  marketplace_name: 'Alpine Market',
  time_zone: 'Europe/Vienna',
  currency: 'EUR',
};

const newClient = (service: TestService): ConsoleClient => new ConsoleClient(service.client, '/operator/api');
const newToken = async (service: TestService): Promise<string> => {
  const token = await runVerb(service, { merchantId: OPERATOR_ID, who: SERVICE }, addSetUpToken, undefined);
  return token ?? assert.fail('there is an operator');
};
function expectRefusal(response: ClientResponse, status: number, message: RegExp): void {
  assert.equal(response.status, status, response.text);
  assert.match(response.message, message);
}

forEachEngine((engine) => {
  const running = useService(engine);
  let service: TestService;
  const by = { merchantId: OPERATOR_ID, who: SERVICE };
  beforeEach(() => {
    service = running();
    service.passTime(61_000);
  });
  afterEach(async () => {
    for (const { email } of await service.database.all(listAllOperators))
      await runVerb(service, by, removeOperator, { email });
  });

  it('a set-up link creates the first operator and the marketplace, and signs in', async () => {
    const client = newClient(service);
    assert.deepEqual((await client.get('/options')).json(), { set_up: 'link', single_sign_on: null });
    const token = await newToken(service);
    assert.deepEqual((await client.post('/set-up/check', { token })).json<SetUpLinkState>(), { valid: true });
    const done = await client.post('/set-up', { ...form, token });
    assert.equal(done.status, 200, done.text);
    const { user, two_factor_missing } = (await client.get('/session')).json<ScreenSession>();
    assert.deepEqual([user.email, user.role, two_factor_missing], [form.email, 'admin', true]);
    assert.deepEqual((await client.get('/options')).json(), { set_up: 'done', single_sign_on: null });
    assert.deepEqual(
      { ...(await service.database.first(findMarketplace)) },
      {
        name: 'Alpine Market',
        time_zone: 'Europe/Vienna',
        currency: 'EUR',
      },
    );
  });

  it('a set-up link works again after the last operator was removed', async () => {
    const first = newClient(service);
    assert.equal((await first.post('/set-up', { ...form, token: await newToken(service) })).status, 200);
    await runVerb(service, by, removeOperator, { email: form.email });
    const again = { ...form, marketplace_name: 'Other Market', token: await newToken(service) };
    const done = await newClient(service).post('/set-up', again);
    assert.equal(done.status, 200, done.text);
    assert.equal((await service.database.first(findMarketplace))?.name, 'Other Market');
  });

  it('the URL of the screen is that of OPERATOR_ADDRESS', () => {
    const config = { publicUrl: 'https://shop.example', host: '127.0.0.1', port: 8443 };
    assert.equal(screenUrl({ ...config, operatorAddress: null }), 'https://shop.example/operator');
    const operatorAddress = { host: '10.0.0.7', port: 8444 };
    assert.equal(screenUrl({ ...config, operatorAddress }), 'https://10.0.0.7:8444/operator');
  });

  it('a set-up link works once, for 30 minutes, until there is another one or an operator', async () => {
    const client = newClient(service);
    const gone = /^This link has expired, was replaced, or was already used\./;
    const first = await newToken(service);
    const second = await newToken(service);
    expectRefusal(await client.post('/set-up', { ...form, token: first }), 409, gone);
    service.passTime(31 * 60_000);
    expectRefusal(await client.post('/set-up', { ...form, token: second }), 409, gone);
    const token = await newToken(service);
    const both = await Promise.all(
      ['ada@example.com', 'bo@example.com'].map((email) =>
        newClient(service).post('/set-up', { ...form, email, token }),
      ),
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    expectRefusal(await client.post('/set-up', { ...form, token }), 409, gone);
    assert.equal(await runVerb(service, by, addSetUpToken, undefined), undefined);
  });

  it('names what is wrong with each field, and keeps the link valid', async () => {
    const client = newClient(service);
    const token = await newToken(service);
    for (const [wrong, message] of [
      [{ email: 'nobody' }, /"nobody" is not an email address/],
      [{ name: ' ' }, /Enter your name/],
      [{ marketplace_name: '1234' }, /"1234" looks like an id/],
      [{ password: 'short' }, /Use \d+ to \d+ characters/],
      [{ password: 'alpinemarket' }, /too common/],
      [{ time_zone: 'Mars' }, /time zone/i],
      [{ currency: 'Gold' }, /currency/i],
    ] as const)
      expectRefusal(await client.post('/set-up', { ...form, token, ...wrong }), 400, message);
    service.passTime(61_000);
    assert.equal((await client.post('/set-up', { ...form, token })).status, 200);
  });

  // The last one, because a merchant stays.
  it('a set-up link works only while there is no merchant, and the pages say what to do instead', async () => {
    const client = newClient(service);
    const token = await newToken(service);
    assert.match((await newSetUpLink(service.database, service.config, service.now)) ?? '', /set-up#token=/);
    const newest = await newToken(service);
    await service.newMerchant();
    assert.deepEqual((await client.get('/options')).json(), { set_up: 'command', single_sign_on: null });
    // A service also starts while its database refuses writes.
    const refusing = intercept(service.database, { transaction: () => assert.fail('a write') });
    assert.equal(await newSetUpLink(refusing, service.config, service.now), undefined);
    for (const sent of [token, newest]) {
      assert.deepEqual((await client.post('/set-up/check', { token: sent })).json(), { valid: false });
      expectRefusal(await client.post('/set-up', { ...form, token: sent }), 409, /operators invite/);
    }
    await invitedOperator(service);
    assert.deepEqual((await client.get('/options')).json(), { set_up: 'done', single_sign_on: null });
  });
});
