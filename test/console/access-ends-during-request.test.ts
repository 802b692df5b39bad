import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, beforeEach, describe, it } from 'node:test';
import type { ConsoleSession, TeamList } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface Editor {
  user: ConsoleClient;
  userId: string;
  /** Of the user in the team. */
  memberId: string;
}

interface Sent {
  path: string;
  headers: OutgoingHttpHeaders;
  body: string;
}

const setExpiry = statement<{ userId: string; time: number }, never>(
  'UPDATE user_sessions SET expires_at = :time WHERE user_id = :userId',
);
const findExpiry = statement<{ userId: string }, { expires_at: number }>(
  'SELECT expires_at FROM user_sessions WHERE user_id = :userId',
);

forEachEngine((engine) => {
  describe('a caller who loses access while a request arrives', () => {
    const service = useService(engine);
    let merchant: TestMerchant;
    let owner: ConsoleClient;
    /** What ends or limits the access of an editor, and the response to a request. */
    const losses: [(editor: Editor) => Promise<unknown>, number][] = [
      [({ user }) => user.post('/auth/sign-out'), 401],
      [({ memberId }) => owner.request('DELETE', `/team/${memberId}`), 401],
      [({ memberId }) => owner.post(`/team/${memberId}`, { role: 'viewer' }), 403],
    ];

    before(async () => {
      merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('POT')]]);
      owner = await signedIn(service(), merchant, 'owner');
    });

    beforeEach(() => service().passTime(61_000));

    async function newEditor(): Promise<Editor> {
      const user = await signedIn(service(), merchant, 'editor');
      const { id: userId, email } = (await user.get('/session')).json<ConsoleSession>().user;
      const { members } = (await owner.get('/team')).json<TeamList>();
      const member = members.find((one) => one.email === email) ?? assert.fail('no member');
      return { user, userId, memberId: member.id };
    }

    /** Sends half of the body, calls `between`, and sends the rest. */
    async function sendInHalves({ path, headers, body }: Sent, between: () => Promise<unknown>) {
      const half = Math.floor(body.length / 2);
      const { hostname: host, port } = service().client.origin;
      const sent = request({
        host,
        port,
        path,
        method: 'POST',
        rejectUnauthorized: false,
        headers: { 'content-length': body.length, ...headers },
      });
      sent.write(body.slice(0, half));
      await between();
      sent.end(body.slice(half));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, text: await text(response) };
    }

    const headersOf = ({ user }: Editor, type: string): OutgoingHttpHeaders => ({
      cookie: [...user.cookies].map((pair) => pair.join('=')).join('; '),
      'sec-fetch-site': 'same-origin',
      'content-type': type,
    });

    async function sendPostData(editor: Editor, end: () => Promise<unknown>) {
      const { userId } = editor;
      // Finding a session that has lasted for a while renews it.
      const soon = Date.now() + 60 * 60_000;
      await service().database.transaction((connection) => connection.run(setExpiry, { userId, time: soon }));
      const body = JSON.stringify({ identifier: 'POT', description: 'x'.repeat(100_000) });
      const headers = headersOf(editor, 'application/json');
      return await sendInHalves({ path: '/v1/products/update', headers, body }, async () => {
        await until(async () => {
          const session = await service().database.first(findExpiry, { userId });
          return session !== undefined && session.expires_at > soon;
        });
        await end();
      });
    }

    const filesOf = async (): Promise<string[]> =>
      (await readdir(join(service().config.dataDirectory, 'imports'))).filter((name) =>
        name.startsWith(`${merchant.id}-`),
      );

    const sendFile = (path: string, headers: OutgoingHttpHeaders, end: () => Promise<unknown>) =>
      sendInHalves({ path, headers, body: 'identifier,title\nNEW,New\n' }, async () => {
        await until(async () => (await filesOf()).length > 0);
        await end();
      });

    it('large post data: 401 after signing out or removal, 403 as a viewer, and nothing is written', async () => {
      for (const [end, status] of losses) {
        const editor = await newEditor();
        const response = await sendPostData(editor, () => end(editor));
        assert.equal(response.status, status, response.text);
        assert.equal((await allProducts(service(), merchant))[0]?.description, null);
      }
      assert.equal((await sendPostData(await newEditor(), async () => {})).status, 200);
    });

    it('a file, with a session: 401 after signing out or removal, 403 as a viewer, and nothing is imported', async () => {
      for (const path of ['/v1/imports', '/console/api/imports?name=new.csv']) {
        for (const [end, status] of losses) {
          const editor = await newEditor();
          const headers = headersOf(editor, 'application/octet-stream');
          const response = await sendFile(path, headers, () => end(editor));
          assert.equal(response.status, status, response.text);
        }
      }
      assert.deepEqual(await filesOf(), []);
      assert.equal((await service().get('/imports', merchant)).text, '[]');
    });

    it('a file, with a key: 401 after the key was revoked, and nothing is imported', async () => {
      const { id, token } = await service().newKey(merchant);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
      const response = await sendFile('/v1/imports', headers, () => owner.post(`/keys/${id}/revoke`));
      assert.equal(response.status, 401, response.text);
      assert.deepEqual(await filesOf(), []);
      assert.equal((await service().get('/imports', merchant)).text, '[]');
    });
  });
});
