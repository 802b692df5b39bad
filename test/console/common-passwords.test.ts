import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { isCommonPassword } from '../../src/console/auth/common-passwords.ts';
import type { ConsoleError } from '../../src/console/console-api.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { inviteUser } from '../support/users.ts';

const REASON = 'This password is too common.';
const owner = { email: 'ann.smith@example.com', name: 'Ann Smith', placeName: 'Nordwind Ceramics' };

it('recognizes common passwords, patterns and names, even with characters added or replaced', async () => {
  for (const password of [
    'password123',
    'P@ssw0rd123',
    'qwertyuiop12',
    '1234567890',
    'aaaaaaaaaaaa',
    'iloveyou12345',
    'letmein2024',
    'ann.smith1',
    'nordwind12',
    'ceramics99',
    'p4ssw0rd'.repeat(16),
  ]) {
    assert.equal(await isCommonPassword(password, owner), true, password);
  }
});

it('accepts passphrases and random passwords', async () => {
  for (const password of [
    PASSWORD,
    'tr0ub4dor&3x',
    'k8#Vq2!mZp',
    'lamp river candle seven',
    'Ünïcödé wörds 7',
  ]) {
    assert.equal(await isCommonPassword(password, owner), false, password);
  }
});

describe('a password that is too common', () => {
  const service = useService(sqlite, { environment: { SELF_REGISTRATION: 'on' } });
  const newClient = (): ConsoleClient => new ConsoleClient(service().client);
  beforeEach(() => service().passTime(61 * 60_000));
  const assertRejected = (response: ClientResponse, field: string): void => {
    assert.equal(response.status, 400, response.text);
    assert.deepEqual(response.json<ConsoleError>(), {
      message: REASON,
      fields: [{ name: field, reason: REASON }],
    });
  };

  it('400: when it is set with a link, which stays valid', async () => {
    const { id: merchantId } = await service().newMerchant();
    const user = { merchantId, email: 'invited@example.com', name: 'Invited' };
    const { token } = await inviteUser(service(), user);
    const set = (newPassword: string) => newClient().post('/auth/reset-password', { token, newPassword });
    assertRejected(await set('password123'), 'newPassword');
    assertRejected(await set('invited123'), 'newPassword');
    assert.equal((await set(PASSWORD)).status, 200);
    const used = await set('password123');
    assert.match(used.message, /link has expired/);
  });

  it('400: when a user changes to it, and keeps the current password', async () => {
    const { email } = await newUser(service(), await service().newMerchant());
    const client = newClient();
    await client.signIn(email);
    const body = { currentPassword: PASSWORD, newPassword: 'qwertyuiop12' };
    assertRejected(await client.post('/auth/change-password', body), 'newPassword');
    await newClient().signIn(email);
  });

  it('400: at registration, without creating an account', async () => {
    const form = {
      merchant_name: 'Nordwind Ceramics',
      time_zone: 'UTC',
      name: 'Ann',
      email: 'ann.smith@example.com',
      password: 'nordwind12',
    };
    assertRejected(await newClient().post('/registration', form), 'password');
    assert.equal((await newClient().post('/registration', { ...form, password: PASSWORD })).status, 201);
  });
});
