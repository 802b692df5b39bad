import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { SingleSignOnStart } from '../../src/console/console-api.ts';
import type { ConsoleClient } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { operatorClient } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { useFalseProvider } from './false-provider.ts';

const CALLBACK = '/auth/single-sign-on/callback';

/** Why the last sign-in failed, according to the log. */
function reasonOf(log: readonly string[]): string {
  const line = log.findLast((entry) => entry.includes('single sign-on failed')) ?? '{}';
  return (JSON.parse(line) as { reason?: string }).reason ?? '';
}

forEachEngine((engine) => {
  describe('single sign-on with a provider that cannot be trusted', () => {
    const provider = useFalseProvider();
    const service = useService(engine, { environment: provider.environment });
    beforeEach(() => {
      service().passTime(61_000);
      provider.answer = {};
    });

    async function begin(next?: unknown): Promise<{ client: ConsoleClient; url: string }> {
      const client = operatorClient(service());
      const response = await client.post('/auth/single-sign-on', { next });
      assert.equal(response.status, 200, response.text);
      return { client, url: response.json<SingleSignOnStart>().url };
    }
    async function comeBack(client: ConsoleClient, parameters: URLSearchParams): Promise<string> {
      const response = await client.get(`${CALLBACK}?${parameters}`);
      assert.equal(response.status, 303, response.text);
      return response.header('location') ?? '';
    }
    async function expectProblem(
      problem: string,
      answer: typeof provider.answer,
      changed: Record<string, string> = {},
    ): Promise<void> {
      provider.answer = answer;
      const { client, url } = await begin();
      assert.equal(
        await comeBack(client, provider.comeBack(url, changed)),
        `/operator/sign-in?problem=${problem}`,
      );
      assert.equal((await client.get('/session')).status, 401);
    }

    it('signs in with what is right', async () => {
      const { client, url } = await begin();
      assert.equal(await comeBack(client, provider.comeBack(url)), '/operator');
      assert.equal((await client.get('/session')).status, 200);
    });

    const now = Math.floor(Date.now() / 1000);
    const rejected: Record<string, [reason: RegExp, answer: typeof provider.answer]> = {
      'another issuer': [/"iss"/, { claims: { iss: 'https://other.example' } }],
      'another audience': [/"aud"/, { claims: { aud: 'someone else' } }],
      'an audience that another client was authorized for': [
        /"azp"/,
        { claims: { aud: ['operators', 'other'], azp: 'other' } },
      ],
      'another nonce': [/"nonce"/, { claims: { nonce: 'of another sign-in' } }],
      'no nonce': [/"nonce"/, { claims: { nonce: undefined } }],
      'a signature with another key': [/signature/, { wrongKey: true }],
      'no signature': [/"alg"/, { unsigned: true }],
      'an expired token': [/"exp"/, { claims: { iat: now - 7200, exp: now - 3600 } }],
      'no subject': [/"sub"/, { claims: { sub: undefined } }],
      'a subject that cannot be stored': [/stored/, { claims: { sub: 'a\0b' }, userInfoSubject: 'a\0b' }],
      'user info about someone else': [/"sub"/, { userInfoSubject: 'alice' }],
    };
    for (const [name, [reason, answer]] of Object.entries(rejected)) {
      it(`rejects ${name}`, async () => {
        await expectProblem('rejected', answer);
        assert.match(reasonOf(service().log), reason);
      });
    }

    it('rejects a response that names another issuer', async () => {
      await expectProblem('rejected', {}, { iss: 'https://other.example' });
      assert.match(reasonOf(service().log), /"iss" \(issuer\) response parameter/);
    });

    it('says that a code has expired or was used', () => expectProblem('expired', { status: 400 }));

    it('says that the provider is down', () => expectProblem('unreachable', { status: 503 }));

    it('believes what is said about an email only where the email is said', async () => {
      const [subject, email] = ['contradictory', 'contradictory@example.com'];
      await expectProblem('email_unverified', {
        claims: { sub: subject, email_verified: true },
        userInfoSubject: subject,
        userInfo: { email, email_verified: false },
      });
    });

    const unusable: Record<string, [reason: RegExp, description: Record<string, unknown>]> = {
      'has no page to sign in': [/authorization_endpoint/, { authorization_endpoint: undefined }],
      'sends browsers to a script': [/authorization_endpoint/, { authorization_endpoint: 'javascript:1' }],
      'has no address for codes': [/token_endpoint/, { token_endpoint: undefined }],
      'is too long': [/more than 1048576 bytes/, { padding: 'x'.repeat(1 << 20) }],
    };
    for (const [name, [reason, description]] of Object.entries(unusable)) {
      it(`does not use a description that ${name}, and reads it again`, async () => {
        provider.answer = { description };
        // The service keeps the description for an hour.
        service().passTime(61 * 60_000);
        const response = await operatorClient(service()).post('/auth/single-sign-on', {});
        assert.equal(response.status, 409, response.text);
        assert.match(reasonOf(service().log), reason);
        provider.answer = {};
        await begin();
      });
    }

    it('rejects another state, the state of another browser, and one that was used', async () => {
      const { client, url } = await begin();
      const right = provider.comeBack(url);
      const { client: other } = await begin();
      const expired = '/operator/sign-in?problem=expired';
      assert.equal(await comeBack(other, right), expired);
      assert.equal(await comeBack(operatorClient(service()), right), expired);
      assert.equal(
        await comeBack(client, new URLSearchParams({ ...Object.fromEntries(right), state: 'x' })),
        expired,
      );
      const { client: again, url: secondUrl } = await begin();
      const cookies = new Map(again.cookies);
      const second = provider.comeBack(secondUrl);
      assert.equal(await comeBack(again, second), '/operator');
      for (const [name, value] of cookies) again.cookies.set(name, value);
      assert.equal(await comeBack(again, second), expired);
    });

    it('rejects a state after ten minutes', async () => {
      const { client, url } = await begin();
      service().passTime(10 * 60_000);
      assert.equal(await comeBack(client, provider.comeBack(url)), '/operator/sign-in?problem=expired');
    });

    it('returns to own pages only', async () => {
      const wanted = {
        '/merchants?state=suspended': '/operator/merchants?state=suspended',
        '//evil.example/': '/operator',
        '/\\evil.example': '/operator',
        'https://evil.example/': '/operator',
        '/../console': '/operator',
        '/api/session': '/operator',
      };
      for (const [next, expected] of Object.entries(wanted)) {
        service().passTime(61_000);
        const { client, url } = await begin(next);
        assert.equal(await comeBack(client, provider.comeBack(url)), expected, next);
      }
    });

    it('starts for the screen’s own pages only, and as often as other sign-ins', async () => {
      const client = operatorClient(service());
      const options = { json: {}, site: 'cross-site' };
      assert.equal((await client.request('POST', '/auth/single-sign-on', options)).status, 403);
      const statuses = new Set<number>();
      for (let count = 0; count < 11; count += 1)
        statuses.add((await client.post('/auth/single-sign-on', {})).status);
      assert.deepEqual([...statuses], [200, 429]);
    });

    it('keeps its secret, codes and tokens out of the log', () => {
      const log = service().log.join('\n');
      assert.match(log, /single sign-on failed/);
      assert.doesNotMatch(log, /"secret"|code=code|id_token|eyJ/);
    });
  });
});
