import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ConsoleSession, EndedSupportView } from '../../src/console/console-api.ts';
import type { OperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import type { NewSupportView, OperatorList } from '../../src/operator/screen/screen-api.ts';
import type { OperatorRole } from '../../src/operators/role.ts';
import { auditLogOf, whoOf } from '../support/audit.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { Client, type ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { invitedOperator, operatorClient, signedInOperator } from '../support/operators.ts';
import { RouteWatch } from '../support/route-watch.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { openedSupportView, supportCode } from '../support/support-views.ts';
import { enableTwoFactor } from '../support/totp.ts';
import { inviteUser } from '../support/users.ts';

const MINUTE = 60_000;
const COOKIE = '__Host-tradepost-support';
const OWN = /^\w+ \/console\/api\/support-view$/;
const READ_ONLY = 'A support view is read only: nothing can be changed in it.';
const ENDED = 'This support view has ended.';
const LINK_GONE =
  'This link has expired or was already used. Open the support view again from the operator’s screen.';

function expectRefusal(response: ClientResponse, status: number, message: string, context = ''): void {
  assert.equal(response.status, status, `${context} ${response.text}`);
  assert.equal(response.message, message, context);
}

forEachEngine((engine) => {
  describe('a support view of a merchant’s console', () => {
    let service: TestService;
    let routes: string[];
    let merchant: TestMerchant;

    before(async () => {
      const watch = new RouteWatch();
      service = await startTestService(engine);
      watch.stop();
      routes = [...watch.routes].filter((route) => / \/(console\/api|v1)\//.test(route));
      // Only an admin can be the first operator.
      await invitedOperator(service);
    });
    after(() => service?.close());
    beforeEach(async () => {
      // Keeps the sign-ins of all tests together below the limit of attempts.
      service.passTime(61_000);
      merchant = await service.newMerchant();
    });

    const open = (role?: OperatorRole) => openedSupportView(service, merchant, role);
    const exchange = (code: string): Promise<ClientResponse> =>
      new ConsoleClient(service.client).post('/support-view', { code });
    const auditOf = async (client: ConsoleClient): Promise<string[]> => {
      const entries = await auditLogOf(service, client);
      return entries.map(({ action, subject, ...by }) => `${whoOf(by)} ${action} ${subject}`);
    };
    const call = async (client: ConsoleClient, route: string): Promise<ClientResponse> => {
      const [method = '', path = ''] = route.split(' ');
      return await client.request(method, path.replaceAll(/:\w+/g, '1').replace('/console/api', ''), {
        ...(method !== 'GET' && { json: path.includes('/batch') ? [{}] : {} }),
      });
    };

    it('cannot write: every method but GET and HEAD of every route of the console and of v1 is refused', async () => {
      const { view } = await open('admin');
      const writing = routes.filter((route) => !/^(GET|HEAD|OPTIONS) /.test(route) && !OWN.test(route));
      assert.ok(writing.some((route) => route.includes('/v1/')));
      assert.ok(writing.length > 60, writing.join('\n'));
      for (const route of writing) expectRefusal(await call(view, route), 403, READ_ONLY, route);
      assert.equal((await view.get('/session')).status, 200, 'the view is still open');
    });

    it('stays in its merchant while a person of the browser switches shops, and lists no shops', async () => {
      const [first, second] = [await service.newMerchant(), await service.newMerchant()];
      const { email } = await newUser(service, first);
      await newUser(service, second);
      const person = new ConsoleClient(service.client);
      await person.signIn(email);
      const { token } = await inviteUser(service, { merchantId: second.id, email, name: 'Known' });
      assert.equal((await person.post('/invitations/accept', { token })).status, 200);
      const { view } = await open();
      for (const [name, value] of person.cookies) view.cookies.set(name, value);
      expectRefusal(await view.post('/session/shop', { merchant_id: first.id }), 403, READ_ONLY);
      assert.equal((await person.post('/session/shop', { merchant_id: first.id })).status, 200);
      const session = (await view.get('/session')).json<ConsoleSession>();
      assert.deepEqual([session.merchant.id, session.shops], [merchant.id, []]);
      const ofPage = (id: number) => ({ headers: { 'tradepost-merchant': String(id) } });
      assert.equal((await view.request('GET', '/v1/products', ofPage(first.id))).status, 409);
      assert.equal((await view.request('GET', '/v1/products', ofPage(merchant.id))).status, 200);
      const own = (await person.get('/session')).json<ConsoleSession>();
      assert.deepEqual([own.merchant.id, own.shops.length], [first.id, 2]);
    });

    it('reads every route that viewers can read, without a secret, and without a trace in the merchant’s data', async () => {
      await importDrafts(service, merchant, [[draft('P-1')]]);
      const owner = await signedIn(service, merchant);
      const { secret } = (await owner.post('/webhooks', { url: 'https://shop.example/' })).json<{
        secret: string;
      }>();
      assert.ok(secret.length > 20);
      const viewer = await signedIn(service, merchant, 'viewer');
      const { view } = await open();
      const logged = await auditOf(owner);
      const reading = routes.filter((route) => route.startsWith('GET '));
      assert.ok(reading.length > 40);
      for (const route of reading) {
        const response = await call(view, route);
        assert.equal(response.status, (await call(viewer, route)).status, route);
        assert.ok(!response.text.includes(secret), route);
      }
      assert.deepEqual(await auditOf(owner), logged);
    });

    it('shows one merchant only', async () => {
      const other = await service.newMerchant();
      await importDrafts(service, other, [[draft('SECRET-1')]]);
      await importDrafts(service, merchant, [[draft('OWN-1')]]);
      const { view } = await open();
      const products = await view.get('/v1/products');
      assert.ok(products.text.includes('OWN-1'), products.text);
      assert.ok(!products.text.includes('SECRET-1'), products.text);
      const { merchant: shown } = (await view.get('/session')).json<ConsoleSession>();
      assert.equal(shown.id, merchant.id);
    });

    it('is opened by a code in the fragment of a URL, in a cookie that scripts and other sites never get', async () => {
      const { client } = await signedInOperator(service, 'support');
      const created = await client.post('/support-views', { external_id: String(merchant.id) });
      const url = new URL(created.json<NewSupportView>().url);
      assert.equal(
        `${url.origin}${url.pathname}${url.search}`,
        `${service.baseUrl.replace(/\/v1$/, '')}/console/support-view`,
      );
      const response = await exchange(url.hash.slice(1));
      const [cookie = '', ...others] = response.headers['set-cookie'] ?? [];
      assert.deepEqual(others, []);
      const [pair = '', ...attributes] = cookie.split('; ');
      assert.match(pair, new RegExp(`^${COOKIE}=[\\w-]{43}$`));
      assert.deepEqual(attributes.toSorted(), [
        'HttpOnly',
        'Max-Age=86400',
        'Path=/',
        'SameSite=Strict',
        'Secure',
      ]);
      assert.equal(response.header('cache-control'), 'no-store');
      assert.ok(!created.text.includes(pair.slice(COOKIE.length + 1)));
    });

    it('needs a code that is new, unused, and of a support view', async () => {
      const { client } = await signedInOperator(service);
      const code = await supportCode(client, merchant);
      assert.equal((await exchange(code)).status, 200);
      expectRefusal(await exchange(code), 400, LINK_GONE, 'used');
      const late = await supportCode(client, merchant);
      service.passTime(MINUTE + 1);
      expectRefusal(await exchange(late), 400, LINK_GONE, 'expired');
      const { token } = await invitedOperator(service);
      for (const foreign of [token, '', 'x'.repeat(43)])
        expectRefusal(await exchange(foreign), 400, LINK_GONE, foreign);
      const { view } = await open();
      expectRefusal(await exchange(view.cookies.get(COOKIE) ?? ''), 400, LINK_GONE, 'a token');
    });

    it('of two calls with the same code, one opens it', async () => {
      const { client } = await signedInOperator(service);
      const code = await supportCode(client, merchant);
      const responses = await Promise.all([exchange(code), exchange(code), exchange(code)]);
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 400, 400]);
    });

    it('is opened by support and admins, and not by viewers, keys, or merchants', async () => {
      const json = { external_id: String(merchant.id) };
      for (const role of ['support', 'admin'] as const) assert.equal((await open(role)).view.cookies.size, 1);
      const { client: viewer } = await signedInOperator(service, 'viewer');
      expectRefusal(
        await viewer.post('/support-views', json),
        403,
        'Only admins and support can do this. You are a viewer.',
      );
      const headers = { authorization: `Bearer ${await service.newOperatorToken()}` };
      const withKey = await operatorClient(service).request('POST', '/support-views', { json, headers });
      assert.equal(withKey.status, 401, withKey.text);
      const { client } = await signedInOperator(service);
      assert.equal((await client.post('/support-views', { external_id: 'nobody' })).status, 404);
    });

    it('ends after an hour', async () => {
      const { view } = await open();
      service.passTime(60 * MINUTE - 1000);
      assert.equal((await view.get('/session')).status, 200);
      service.passTime(1001);
      for (const path of ['/session', '/products', '/v1/products'])
        expectRefusal(await view.get(path), 401, ENDED, path);
      assert.equal((await view.get('/session')).header('console-error'), 'support_view_ended');
    });

    it('ends with the operator’s session', async () => {
      const { view, operator } = await open();
      assert.equal((await operator.post('/auth/sign-out')).status, 200);
      expectRefusal(await view.get('/session'), 401, ENDED);
      const { view: other, operator: signedOut } = await open();
      const code = await supportCode(signedOut, merchant);
      await signedOut.post('/auth/sign-out');
      expectRefusal(await exchange(code), 400, LINK_GONE);
      expectRefusal(await other.get('/v1/products'), 401, ENDED);
    });

    it('ends when its operator is removed or may only read', async () => {
      const { client: admin } = await signedInOperator(service);
      const find = async (email: string): Promise<string> => {
        const { operators } = (await admin.get('/operators')).json<OperatorList>();
        return operators.find((operator) => operator.email === email)?.id ?? assert.fail(email);
      };
      const demoted = await open();
      const code = await supportCode(demoted.operator, merchant);
      const change = await admin.post(`/operators/${await find(demoted.email)}`, { role: 'viewer' });
      assert.equal(change.status, 200, change.text);
      expectRefusal(await demoted.view.get('/session'), 401, ENDED);
      expectRefusal(await exchange(code), 400, LINK_GONE);
      const removed = await open();
      const removal = await admin.request('DELETE', `/operators/${await find(removed.email)}`);
      assert.equal(removal.status, 200, removal.text);
      expectRefusal(await removed.view.get('/session'), 401, ENDED);
    });

    it('shows the console of a suspended merchant', async () => {
      const token = await service.newOperatorToken();
      const json = { state: 'suspended' };
      assert.equal((await service.operator('PUT', `/merchants/${merchant.id}`, token, { json })).status, 200);
      const { view } = await open();
      const session = (await view.get('/session')).json<ConsoleSession>();
      assert.deepEqual([session.suspended, session.support_view?.suspended], [false, true]);
      assert.equal((await view.get('/overview')).status, 200);
      assert.equal((await view.get('/v1/products')).status, 200);
    });

    it('precedes a session of the same browser, and leaves it as it was', async () => {
      const user = await signedIn(service, await service.newMerchant());
      const before = (await user.get('/session')).json<ConsoleSession>();
      const { client: operator } = await signedInOperator(service);
      // Refused only in the view, so that the session would show that it was used.
      const write = (): Promise<ClientResponse> => user.post('/views', { views: [] });
      assert.equal((await write()).status, 200);
      await user.post('/support-view', { code: await supportCode(operator, merchant) });
      const during = (await user.get('/session')).json<ConsoleSession>();
      assert.deepEqual([during.merchant.id, during.user.role], [merchant.id, 'viewer']);
      expectRefusal(await write(), 403, READ_ONLY);
      expectRefusal(await user.post('/auth/sign-out'), 403, READ_ONLY);
      service.passTime(61 * MINUTE);
      expectRefusal(await user.get('/session'), 401, ENDED, 'not suddenly another merchant');
      const ended = await user.request('DELETE', '/support-view');
      assert.equal(ended.status, 200, ended.text);
      assert.deepEqual((await user.get('/session')).json<ConsoleSession>(), before);
    });

    it('ends when its operator ends it, and leads back to the merchant on the screen', async () => {
      const { view } = await open();
      const token = view.cookies.get(COOKIE) ?? '';
      const ended = (await view.request('DELETE', '/support-view')).json<EndedSupportView>();
      const screen = service.baseUrl.replace(/\/v1$/, '/operator');
      assert.equal(ended.return_to, `${screen}/merchants/${merchant.id}`);
      assert.equal(view.cookies.size, 0);
      assert.equal((await view.get('/session')).status, 401);
      view.cookies.set(COOKIE, token);
      expectRefusal(await view.get('/session'), 401, ENDED);
    });

    it('is in the audit logs of the merchant and of the operator, with the operator’s name', async () => {
      const owner = await signedIn(service, merchant);
      const { view, operator, name, email } = await open();
      await view.request('DELETE', '/support-view');
      await view.request('DELETE', '/support-view');
      const who = `operator ${name} <${email}>`;
      assert.deepEqual((await auditOf(owner)).slice(0, 2), [
        `${who} support_view.ended null`,
        `${who} support_view.opened null`,
      ]);
      const { entries } = (await operator.get('/audit')).json<OperatorAudit>();
      assert.deepEqual(
        entries.slice(0, 2).map((entry) => `${whoOf(entry)} ${entry.action} ${entry.merchant?.external_id}`),
        [`${who} support_view.ended ${merchant.id}`, `${who} support_view.opened ${merchant.id}`],
      );
    });

    it('is visible to the merchant’s users while it is open', async () => {
      const owner = await signedIn(service, merchant);
      const until = async (): Promise<string | null> =>
        (await owner.get('/session')).json<ConsoleSession>().support_until;
      assert.equal(await until(), null);
      const { client: operator } = await signedInOperator(service);
      await supportCode(operator, merchant);
      assert.equal(await until(), null, 'not with a code alone');
      const { view } = await open();
      const { support_view: view1 } = (await view.get('/session')).json<ConsoleSession>();
      assert.equal(await until(), view1?.ends_at);
      await view.request('DELETE', '/support-view');
      assert.equal(await until(), null);
    });

    it('another view of the same browser replaces it', async () => {
      const { view, operator } = await open();
      const old = view.cookies.get(COOKIE) ?? '';
      const other = await service.newMerchant();
      await view.post('/support-view', { code: await supportCode(operator, other) });
      assert.equal((await view.get('/session')).json<ConsoleSession>().merchant.id, other.id);
      view.cookies.set(COOKIE, old);
      expectRefusal(await view.get('/session'), 401, ENDED);
    });

    it('only the console’s own pages can open or end it', async () => {
      const { view, operator } = await open();
      const json = { code: await supportCode(operator, merchant) };
      for (const [method, options] of [
        ['POST', { json }],
        ['DELETE', {}],
      ] as const) {
        const response = await view.request(method, '/support-view', { ...options, site: 'cross-site' });
        assert.equal(response.status, 403, response.text);
      }
      assert.equal((await view.get('/session')).status, 200);
    });
  });
});

it('a support view leads from the address of the screen to the one of the console, and back', async () => {
  const environment = { OPERATOR_ADDRESS: '127.0.0.1:0', PUBLIC_URL: 'https://shop.example' };
  await using own = await startTestService(sqlite, { environment });
  const ca = await readFile(join(own.config.dataDirectory, 'tls-cert.pem'), 'utf8');
  const { origin } = new URL(own.operatorUrl);
  const screen = new Client(origin, ca);
  const { email, token } = await invitedOperator(own);
  const operator = operatorClient({ client: screen });
  await operator.post('/auth/reset-password', { token, newPassword: PASSWORD });
  await operator.signIn(email);
  await enableTwoFactor(operator);
  const { id } = await own.newMerchant();
  const created = await operator.post('/support-views', { external_id: String(id) });
  const url = new URL(created.json<NewSupportView>().url);
  assert.equal(url.origin, 'https://shop.example');
  const headers = { origin: url.origin };
  const view = new ConsoleClient(own.client);
  const json = { code: url.hash.slice(1) };
  assert.equal((await view.request('POST', '/support-view', { json, headers })).status, 200);
  assert.equal((await view.get('/session')).status, 200);
  const ended = (await view.request('DELETE', '/support-view')).json<EndedSupportView>();
  assert.equal(ended.return_to, `${origin}/operator/merchants/${id}`);
  screen.close();
});
