import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleSession, TeamInvitation, TeamList, TeamMember } from '../../src/console/console-api.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import type { Role } from '../../src/users/role.ts';
import { auditLogOf } from '../support/audit.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { linkIn, setPassword, useMailService } from '../support/mail-service.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { enableTwoFactor } from '../support/totp.ts';

const LINK_HOURS = 72;

async function membersOf(client: ConsoleClient): Promise<TeamMember[]> {
  return (await client.get('/team')).json<TeamList>().members;
}

async function findMember(client: ConsoleClient, email: string): Promise<TeamMember> {
  const member = (await membersOf(client)).find((one) => one.email === email);
  return member ?? assert.fail(`no member ${email}`);
}

forEachEngine((engine) => {
  describe('the team of a merchant', () => {
    const service = useService(engine);
    beforeEach(() => service().passTime(61_000));

    const newTeam = async (role: Role = 'editor') => {
      const merchant = await service().newMerchant();
      const owner = await signedIn(service(), merchant);
      const { email } = await newUser(service(), merchant, role);
      return { merchant, owner, email, member: await findMember(owner, email) };
    };
    const signIn = async (email: string): Promise<ConsoleClient> => {
      const client = new ConsoleClient(service().client);
      await client.signIn(email);
      return client;
    };
    const lastAction = async (client: ConsoleClient): Promise<(string | null | undefined)[]> => {
      const [entry] = await auditLogOf(service(), client);
      return [entry?.action, entry?.who, entry?.subject];
    };

    it('is listed with roles, two-factor authentication and last sign-ins', async () => {
      const { owner, email } = await newTeam('viewer');
      const { user } = (await owner.get('/session')).json<ConsoleSession>();
      assert.equal((await findMember(owner, email)).last_sign_in_at, null);
      service().passTime(61_000);
      const member = await signIn(email);
      const { id, created_at, ...rest } = await findMember(owner, email);
      assert.deepEqual(rest, {
        ...{ email, name: rest.name, role: 'viewer', password: true, two_factor: false },
        ...{ last_sign_in_at: formatTime(service().now()), current: false },
      });
      assert.equal((await findMember(member, email)).current, true);
      const own = await findMember(owner, user.email);
      assert.deepEqual([own.role, own.current], ['owner', true]);
    });

    it('gets a user by invitation, who sets a password with the link and has the role', async () => {
      const { owner } = await newTeam();
      const { user } = (await owner.get('/session')).json<ConsoleSession>();
      const invited = { email: 'Vera@Example.com ', name: ' Vera', role: 'viewer' };
      const response = await owner.post('/team', { ...invited, email: `${engine.name}-${invited.email}` });
      assert.equal(response.status, 200, response.text);
      const { set_password_url: url, ...rest } = response.json<TeamInvitation>();
      const expires_at = formatTime(service().now() + LINK_HOURS * 3_600_000);
      assert.deepEqual(rest, { mailed: false, expires_at });
      const link = new URL(url ?? '');
      assert.equal(link.origin, service().client.origin.origin);
      const email = `${engine.name}-vera@example.com`;
      assert.deepEqual(await lastAction(owner), [
        'user.invited',
        `${user.name} <${user.email}>`,
        `Vera <${email}>`,
      ]);
      const { password, role } = await findMember(owner, email);
      assert.deepEqual([password, role], [false, 'viewer']);
      assert.equal(await setPassword(service(), link, PASSWORD), 200);
      assert.equal((await findMember(owner, email)).password, true);
      const vera = await signIn(email);
      assert.equal((await vera.get('/products')).status, 200);
      assert.equal((await vera.post('/v1/campaigns', { name: 'Spring', type: 'T' })).status, 403);
    });

    it('400: an email that is in the team or none, and unknown roles', async () => {
      const { owner, email } = await newTeam();
      for (const [json, field] of [
        [{ email, name: 'Vera', role: 'viewer' }, 'email'],
        [{ email: 'vera', name: 'Vera', role: 'viewer' }, 'email'],
        [{ email: 'new@example.com', name: 'Vera', role: 'admin' }, 'role'],
        [{ email: 'new@example.com', name: 'Vera' }, 'role'],
        [{ email: 'new@example.com', role: 'viewer' }, 'name'],
        [{ email: 'new@example.com', name: 'V\u0007', role: 'viewer' }, 'name'],
      ] as const) {
        const response = await owner.post('/team', json);
        assert.equal(response.status, 400, response.text);
        assert.deepEqual(
          response.json<{ fields: { name: string }[] }>().fields.map(({ name }) => name),
          [field],
        );
      }
      assert.equal((await membersOf(owner)).length, 2);
    });

    it('gets a new link for a user who has not accepted, which replaces the first one', async () => {
      const { owner, member } = await newTeam();
      const email = `${engine.name}-late@example.com`;
      const first = (
        await owner.post('/team', { email, name: 'Late', role: 'editor' })
      ).json<TeamInvitation>();
      const { id } = await findMember(owner, email);
      const again = await owner.post(`/team/${id}/invitation`);
      assert.equal(again.status, 200, again.text);
      const links = [first, again.json<TeamInvitation>()].map(
        ({ set_password_url: url }) => new URL(url ?? ''),
      );
      const statuses: number[] = [];
      for (const link of links) statuses.push(await setPassword(service(), link, PASSWORD));
      assert.deepEqual(statuses, [400, 200]);
      for (const accepted of [id, member.id]) {
        const response = await owner.post(`/team/${accepted}/invitation`);
        assert.equal(response.status, 409, response.text);
      }
    });

    it('limits invitations to 50 a day', async () => {
      const { owner } = await newTeam();
      const email = `${engine.name}-many@example.com`;
      await owner.post('/team', { email, name: 'Many', role: 'viewer' });
      const { id } = await findMember(owner, email);
      for (let sent = 1; sent < 50; sent += 1)
        assert.equal((await owner.post(`/team/${id}/invitation`)).status, 200);
      const response = await owner.post(`/team/${id}/invitation`);
      assert.equal(response.status, 429, response.text);
    });

    it('changes a role at once, and records it', async () => {
      const { owner, email, member } = await newTeam('viewer');
      const client = await signIn(email);
      assert.equal((await client.post('/v1/campaigns', { name: 'A', type: 'T' })).status, 403);
      const response = await owner.post(`/team/${member.id}`, { role: 'editor' });
      assert.equal(response.status, 200, response.text);
      const changed = response.json<TeamList>().members.find(({ id }) => id === member.id);
      assert.equal(changed?.role, 'editor');
      assert.equal((await client.post('/v1/campaigns', { name: 'A', type: 'T' })).status, 200);
      const entries = (await auditLogOf(service(), owner)).slice(0, 2);
      const change = entries.find(({ action }) => action === 'user.role_changed');
      assert.equal(change?.subject, `${member.name} <${email}>, now editor`);
    });

    it('loses a user whom an owner removes, with all sessions and links', async () => {
      const { owner, email, member } = await newTeam();
      const client = await signIn(email);
      const response = await owner.request('DELETE', `/team/${member.id}`);
      assert.equal(response.status, 200, response.text);
      assert.ok(!response.text.includes(email));
      assert.equal((await client.get('/session')).status, 401);
      const wrong = await client.post('/auth/sign-in/email', { email, password: PASSWORD });
      assert.equal(wrong.status, 401);
      assert.equal((await owner.request('DELETE', `/team/${member.id}`)).status, 404);
      const again = await owner.post('/team', { email, name: 'Back', role: 'viewer' });
      assert.equal(again.status, 200, again.text);
    });

    it('409: owners cannot change or remove themselves', async () => {
      const { owner } = await newTeam('owner');
      const { user } = (await owner.get('/session')).json<ConsoleSession>();
      const { id } = await findMember(owner, user.email);
      for (const [method, path] of [
        ['POST', `/team/${id}`],
        ['DELETE', `/team/${id}`],
      ] as const) {
        const json = method === 'POST' ? { role: 'viewer' } : undefined;
        const response = await owner.request(method, path, { json });
        assert.equal(response.status, 409, `${path}: ${response.text}`);
      }
      assert.equal((await owner.post(`/team/${id}/invitation`)).status, 409);
      assert.equal((await findMember(owner, user.email)).role, 'owner');
    });

    it('keeps an owner if two owners demote each other simultaneously', async () => {
      const { owner, email, member } = await newTeam('owner');
      const other = await signIn(email);
      const { user } = (await owner.get('/session')).json<ConsoleSession>();
      const { id } = await findMember(owner, user.email);
      const responses = await Promise.all([
        owner.post(`/team/${member.id}`, { role: 'viewer' }),
        other.post(`/team/${id}`, { role: 'viewer' }),
      ]);
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 403]);
      const owners = (await membersOf(owner)).filter(({ role }) => role === 'owner');
      assert.equal(owners.length, 1);
    });

    it('requires two-factor authentication of all users once an owner who has it says so', async () => {
      const { merchant, owner, email } = await newTeam();
      const client = await signIn(email);
      const require = (required: boolean): Promise<ClientResponse> =>
        owner.post('/team/two-factor', { required });
      const early = await require(true);
      assert.equal(early.status, 409, early.text);
      assert.equal(early.message, 'Enable two-factor authentication for your own account first.');
      await enableTwoFactor(owner);
      const required = await require(true);
      assert.equal(required.status, 200, required.text);
      assert.equal(required.json<TeamList>().requires_two_factor, true);
      assert.equal((await lastAction(owner))[0], 'merchant.two_factor_required');

      for (const one of [client, await newSession(merchant)]) {
        const response = await one.get('/overview');
        assert.equal(response.status, 403);
        assert.equal(
          response.message,
          'An owner of your shop requires two-factor authentication. Set it up to continue.',
        );
        const session = (await one.get('/session')).json<ConsoleSession>();
        assert.deepEqual([session.two_factor_missing, session.two_factor_required_by], [true, 'owner']);
      }
      await enableTwoFactor(client);
      assert.equal((await client.get('/overview')).status, 200);
      assert.equal((await findMember(owner, email)).two_factor, true);

      const stranger = await newSession(await service().newMerchant());
      assert.equal((await stranger.get('/overview')).status, 200);
      await require(false);
      assert.equal((await lastAction(owner))[0], 'merchant.two_factor_optional');
      assert.equal((await (await newSession(merchant)).get('/overview')).status, 200);
    });

    async function newSession(merchant: TestMerchant): Promise<ConsoleClient> {
      return await signedIn(service(), merchant, 'viewer');
    }
  });

  describe('a team of a service that sends mail', () => {
    const parts = useMailService(engine);

    it('gets invitations by mail, whose link the inviting owner does not see', async () => {
      const { server, service } = parts();
      const owner = await signedIn(service, await service.newMerchant());
      const email = 'vera@example.com';
      const invited = (
        await owner.post('/team', { email, name: 'Vera', role: 'viewer' })
      ).json<TeamInvitation>();
      assert.deepEqual([invited.mailed, invited.set_password_url], [true, null]);
      assert.equal(await setPassword(service, linkIn(await server.mailTo(email)), PASSWORD), 200);
      const vera = new ConsoleClient(service.client);
      await vera.signIn(email);
      assert.equal((await vera.get('/session')).json<ConsoleSession>().user.role, 'viewer');
    });

    it('invites a person of another shop by mail, who accepts after signing in', async () => {
      const { server, service } = parts();
      const { email } = await newUser(service, await service.newMerchant());
      const owner = await signedIn(service, await service.newMerchant());
      const invited = await owner.post('/team', { email, name: 'Invited', role: 'viewer' });
      const { mailed, set_password_url } = invited.json<TeamInvitation>();
      assert.deepEqual([mailed, set_password_url], [true, null]);
      const link = linkIn(await server.mailTo(email, /^Join “Merchant no. \d+”$/));
      assert.equal(await setPassword(service, link, `${PASSWORD} new`), 400);
      const client = new ConsoleClient(service.client);
      await client.signIn(email);
      const token = tokenOf(link);
      assert.equal((await client.post('/invitations/accept', { token })).status, 200);
      const { shops } = (await client.get('/session')).json<ConsoleSession>();
      assert.equal(shops.length, 2);
      // The person can set a new password by mail, which is the same for both shops.
      await client.post('/password-links', { email });
      const reset = linkIn(await server.mailTo(email, /^Set a new password$/));
      assert.equal(await setPassword(service, reset, `${PASSWORD} new`), 200);
      const again = new ConsoleClient(service.client);
      await again.signIn(email, `${PASSWORD} new`);
      assert.deepEqual((await again.get('/session')).json<ConsoleSession>().shops, shops);
    });
  });
});

it('409: more users than the budget allows, with advice for the owner', async () => {
  await using service = await startTestService(sqlite, { environment: { BUDGETS: 'users=2' } });
  const owner = await signedIn(service, await service.newMerchant());
  const invite = (name: string): Promise<ClientResponse> =>
    owner.post('/team', { email: `${name}@example.com`, name, role: 'viewer' });
  assert.equal((await invite('second')).status, 200);
  const response = await invite('third');
  assert.equal(response.status, 409, response.text);
  assert.match(
    response.message,
    /Remove a user first, or ask your marketplace operator to raise the limit\.$/,
  );
});
