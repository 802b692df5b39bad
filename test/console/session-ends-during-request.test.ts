import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/database.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface Editor {
  user: ConsoleClient;
  userId: string;
}

const setExpiry = statement<{ userId: string; time: number }, never>(
  'UPDATE console_sessions SET expires_at = :time WHERE user_id = :userId',
);
const findExpiry = statement<{ userId: string }, { expires_at: number }>(
  'SELECT expires_at FROM console_sessions WHERE user_id = :userId',
);

forEachEngine((engine) => {
  describe('a session that ends while large post data arrives', () => {
    const service = useService(engine);
    let merchant: TestMerchant;
    let owner: ConsoleClient;

    before(async () => {
      merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('POT')]]);
      owner = await signedIn(service(), merchant, 'owner');
    });

    /** Sends half of a change, calls `between` once the session was found, and sends the rest. */
    async function send({ user, userId }: Editor, between: () => Promise<unknown>) {
      const body = JSON.stringify({ identifier: 'POT', description: 'x'.repeat(100_000) });
      const half = body.length / 2;
      const { hostname: host, port } = service().client.origin;
      const options: RequestOptions = {
        host,
        port,
        method: 'POST',
        path: '/v1/products/update',
        rejectUnauthorized: false,
        headers: {
          cookie: [...user.cookies].map((pair) => pair.join('=')).join('; '),
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'content-length': body.length,
        },
      };
      // Finding a session that has lasted for a while renews it.
      const soon = Date.now() + 60 * 60_000;
      await service().database.transaction((connection) => connection.run(setExpiry, { userId, time: soon }));
      const sent = request(options);
      sent.write(body.slice(0, half));
      await until(async () => {
        const session = await service().database.first(findExpiry, { userId });
        return session !== undefined && session.expires_at > soon;
      });
      await between();
      sent.end(body.slice(half));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: response.statusCode, text: await text(response) };
    }

    async function newEditor(): Promise<Editor> {
      const user = await signedIn(service(), merchant, 'editor');
      return { user, userId: (await user.get('/session')).json<ConsoleSession>().user.id };
    }

    it('401 after signing out or removal, 403 as a viewer: nothing is written', async () => {
      const cases: [(editor: Editor) => Promise<unknown>, number][] = [
        [({ user }) => user.post('/auth/sign-out'), 401],
        [({ userId }) => owner.request('DELETE', `/team/${userId}`), 401],
        [({ userId }) => owner.post(`/team/${userId}`, { role: 'viewer' }), 403],
      ];
      for (const [end, status] of cases) {
        const editor = await newEditor();
        const response = await send(editor, () => end(editor));
        assert.equal(response.status, status, response.text);
        assert.equal((await allProducts(service(), merchant))[0]?.description, null);
      }
      assert.equal((await send(await newEditor(), async () => {})).status, 200);
    });
  });
});
