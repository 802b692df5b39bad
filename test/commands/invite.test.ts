import assert from 'node:assert/strict';
import { it } from 'node:test';
import { auditLogOf, whoOf } from '../support/audit.ts';
import { ConsoleClient, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { onDatabase } from '../support/stored.ts';
import { runCommand } from './run-command.ts';

forEachEngine((engine) => {
  it('merchants create and invite print links with which users set a password, and remove-user removes them', async (t) => {
    const environment = {
      DATA_DIR: await temporaryDirectory(t),
      ...(await engine.environment()),
      PUBLIC_URL: 'https://shop.example',
    };
    const runJson = async (...line: string[]): Promise<{ set_password_url?: string; new_user?: boolean }> => {
      const { status, stdout, stderr } = await runCommand([...line, '--json'], environment);
      assert.equal(status, 0, stderr);
      return JSON.parse(stdout);
    };
    const created = await runJson('merchants', 'create', '--name', 'Acme', '--email', 'ann@example.com');
    const without = await runJson('merchants', 'create', '--name', 'Other');
    assert.equal(without.set_password_url, undefined);
    const bob = ['--merchant', 'Acme', '--email', 'bob@example.com', '--role', 'viewer'];
    const further = await runJson('merchants', 'invite', ...bob);
    assert.equal(further.new_user, true);
    const again = await runJson('merchants', 'invite', '--merchant', '1', '--email', 'Bob@Example.com');
    assert.equal(again.new_user, false);

    for (const line of [
      ['merchants', 'invite', '--merchant', 'Nobody', '--email', 'carl@example.com'],
      ['merchants', 'invite', '--merchant', 'Other', '--email', 'carl'],
      ['merchants', 'invite', '--merchant', 'Other', '--email', 'carl@example.com', '--role', 'editor'],
    ]) {
      const { status, stdout, stderr } = await runCommand(line, environment);
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^tradepost: [^\n]+\n$/);
    }
    const listed = await runCommand(['merchants', 'list', '--json'], environment);
    assert.equal(JSON.parse(listed.stdout).length, 2);

    await using service = await startTestService({ ...engine, environment: async () => environment });
    const client = new ConsoleClient(service.client);
    const setPassword = async (link: string | undefined): Promise<number> => {
      const url = new URL(link ?? '');
      assert.equal(`${url.origin}${url.pathname}`, 'https://shop.example/console/set-password');
      const token = tokenOf(url);
      return (await client.post('/auth/reset-password', { token, newPassword: PASSWORD })).status;
    };
    assert.equal(await setPassword(created.set_password_url), 200);
    assert.equal(await setPassword(further.set_password_url), 400);
    assert.equal(await setPassword(again.set_password_url), 200);
    await client.signIn('bob@example.com');
    const entries = await onDatabase(environment, (database) => auditLogOf({ database }, client));
    assert.deepEqual(
      entries.slice(0, 4).map(({ action, subject, ...by }) => [action, whoOf(by), subject]),
      [
        ['user.signed_in', 'Acme <bob@example.com>', 'by password'],
        ['user.password_changed', 'Acme <bob@example.com>', null],
        ['user.password_changed', 'Acme <ann@example.com>', null],
        ['user.invited', 'operator', 'Acme <bob@example.com>'],
      ],
    );

    const users = await runCommand(['merchants', 'users', '--merchant', 'Acme', '--json'], environment);
    assert.deepEqual(
      JSON.parse(users.stdout).map(
        ({ created_at: _, last_sign_in_at: signedIn, ...user }: Record<string, unknown>) => ({
          ...user,
          signed_in: signedIn !== null,
        }),
      ),
      [
        ['ann@example.com', 'owner', false],
        ['bob@example.com', 'viewer', true],
      ].map(([email, role, signedIn]) => ({
        ...{ email, name: 'Acme', role, signed_in: signedIn },
        ...{ password: true, two_factor: false },
      })),
    );
    const remove = (merchant: string): Promise<{ status: number | null; stderr: string }> =>
      runCommand(
        ['merchants', 'remove-user', '--merchant', merchant, '--email', 'Bob@example.com'],
        environment,
      );
    const wrong = await remove('Other');
    assert.deepEqual([wrong.status, /no user with the email/.test(wrong.stderr)], [1, true]);
    assert.equal((await client.get('/session')).status, 200);
    assert.equal((await remove('Acme')).status, 0);
    assert.equal((await client.get('/session')).status, 401);
    const back = await client.post('/auth/sign-in/email', { email: 'bob@example.com', password: PASSWORD });
    assert.equal(back.status, 401);
    const ann = new ConsoleClient(service.client);
    await ann.signIn('ann@example.com');
    const last = await onDatabase(environment, (database) => auditLogOf({ database }, ann));
    assert.deepEqual(
      [last[1]?.action, last[1]?.who_kind, last[1]?.subject],
      ['user.removed', 'command', 'Acme <bob@example.com>'],
    );
    assert.equal(service.log.join('\n').includes(PASSWORD), false);
  });
});
