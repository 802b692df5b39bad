import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { type Role, roles } from '../../src/users/role.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { RouteWatch } from '../support/route-watch.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';

/** Routes that change nothing but the caller's own account, or need no account. */
const OPEN_TO_ALL =
  /^\w+ \/(auth\/[a-z/-]+|session\/shop|sessions(\/:id)?|passkeys(\/:id)?|invitations\/accept|notifications|views|product-columns|support-view|registration|(password|registration)-links(\/check)?)$/;
const FOR_OWNERS = /^\w+ \/(keys|shop|team|webhooks)(\/|$)/;

const setRole = statement<{ email: string; role: Role }, never>(
  'UPDATE memberships SET role = :role WHERE user_id = (SELECT id FROM console_users WHERE email = :email)',
);

forEachEngine((engine) => {
  describe('roles of console users', () => {
    let service: TestService;
    let merchant: TestMerchant;
    let routes: string[];
    let clients: Record<Role, ConsoleClient>;

    before(async () => {
      const watch = new RouteWatch();
      service = await startTestService(engine);
      watch.stop();
      routes = [...watch.routes]
        .filter((route) => / \/console\/api\//.test(route))
        .map((route) => route.replace('/console/api', ''));
      merchant = await service.newMerchant();
      const signInAs = (role: Role): Promise<ConsoleClient> => signedIn(service, merchant, role);
      clients = {
        owner: await signInAs('owner'),
        editor: await signInAs('editor'),
        viewer: await signInAs('viewer'),
      };
    });
    after(() => service?.close());

    const changing = (): string[] =>
      routes.filter((route) => !/^(GET|HEAD|OPTIONS) /.test(route) && !OPEN_TO_ALL.test(route));
    const call = async (role: Role, route: string): Promise<ClientResponse> => {
      const [method = '', path = ''] = route.split(' ');
      return await clients[role].request(method, path.replaceAll(/:\w+/g, 'x'));
    };
    const areForOwners = (): string[] => changing().filter((route) => FOR_OWNERS.test(route));

    it('viewers get 403 from every route that changes something besides their own account', async () => {
      assert.ok(changing().length > 10, changing().join('\n'));
      for (const route of changing()) {
        const response = await call('viewer', route);
        const needed = FOR_OWNERS.test(route) ? 'owners' : 'owners and editors';
        assert.equal(response.status, 403, route);
        assert.equal(response.message, `Only ${needed} can do this. You are a viewer.`, route);
      }
    });

    it('editors get 403 from every route that is for owners, and from no other one', async () => {
      assert.ok(areForOwners().length > 5);
      for (const route of changing()) {
        const response = await call('editor', route);
        assert.equal(response.status === 403, FOR_OWNERS.test(route), `${route}: ${response.text}`);
        if (response.status === 403)
          assert.equal(response.message, 'Only owners can do this. You are an editor.');
      }
    });

    it('owners get 403 from no route', async () => {
      for (const route of changing()) assert.notEqual((await call('owner', route)).status, 403, route);
    });

    it('every role can read everything', async () => {
      for (const route of routes.filter((one) => one.startsWith('GET '))) {
        for (const role of roles) assert.notEqual((await call(role, route)).status, 403, `${role} ${route}`);
      }
    });

    it('every role can sign out and end own sessions', async () => {
      const viewer = await signedIn(service, merchant, 'viewer');
      assert.equal((await viewer.request('DELETE', '/sessions')).status, 200);
      assert.equal((await viewer.post('/auth/sign-out')).status, 200);
      assert.equal((await viewer.get('/session')).status, 401);
    });

    it('a new role applies to the sessions of its user at once', async () => {
      const { email } = await newUser(service, merchant);
      const client = new ConsoleClient(service.client);
      await client.signIn(email);
      const roleOf = async (): Promise<Role> =>
        (await client.get('/session')).json<ConsoleSession>().user.role;
      const create = async (): Promise<number> =>
        (await client.post('/v1/campaigns', { name: 'Spring', type: 'T' })).status;
      assert.deepEqual([await roleOf(), await create()], ['owner', 200]);
      await service.database.transaction((connection) => connection.run(setRole, { email, role: 'viewer' }));
      assert.deepEqual([await roleOf(), await create()], ['viewer', 403]);
    });
  });
});
