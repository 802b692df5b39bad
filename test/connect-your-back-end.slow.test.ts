import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { createCertificate } from './support/certificates.ts';
import { forEachEngine } from './support/engines.ts';
import { MailServer } from './support/mail-server.ts';
import { freePort } from './support/postgres/programs.ts';
import { ServerProcess, temporaryDirectory, tradepost } from './support/process.ts';
import { until } from './support/until.ts';

const root = join(import.meta.dirname, '..');
const PAGE = 'docs/how-to/connect-your-back-end.md';

/** The packages of the page's programs are installed in their directory. */
async function writePrograms(t: TestContext): Promise<string> {
  const directory = await temporaryDirectory(t);
  await mkdir(join(directory, 'node_modules'));
  await symlink(join(root, 'clients', 'typescript'), join(directory, 'node_modules', 'tradepost-client'));
  await symlink(
    join(root, 'node_modules', 'standardwebhooks'),
    join(directory, 'node_modules', 'standardwebhooks'),
  );
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  const page = await readFile(join(root, PAGE), 'utf8');
  const programs = [...page.matchAll(/as `([\w-]+\.ts)`[^\n]*\n\n```ts\n(.*?)^```$/gms)];
  assert.equal(programs.length, 8);
  for (const [, name = '', code = ''] of programs) await writeFile(join(directory, name), code);
  return directory;
}

forEachEngine((engine) => {
  it('a back end written as the guide says loads, moderates, advertises, sells, refunds, learns of campaigns, and recovers from an outage', async (t) => {
    await using mail = await MailServer.start();
    const directory = await writePrograms(t);
    const { cert, key } = await createCertificate('127.0.0.1');
    await writeFile(join(directory, 'server.pem'), cert);
    await writeFile(join(directory, 'server-key.pem'), key);
    const settings = {
      ...(await engine.environment()),
      ...mail.environment,
      DATA_DIR: join(directory, 'data'),
      WEBHOOK_NETWORKS: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: join(directory, 'server.pem'),
    };
    const server = await ServerProcess.start(t, settings);
    const created = await tradepost(['operator-keys', 'create', '--name', 'Back end', '--json'], settings);
    const receiverPort = String(await freePort());
    const environment = {
      PATH: process.env.PATH ?? '',
      NODE_EXTRA_CA_CERTS: join(settings.DATA_DIR, 'tls-cert.pem'),
      TRADEPOST_OPERATOR_TOKEN: JSON.parse(created.stdout).access_token,
      TRADEPOST_OPERATOR_URL: new URL('/operator/v1', server.baseUrl).href,
      RECEIVER_PORT: receiverPort,
      RECEIVER_URL: `https://127.0.0.1:${receiverPort}/events`,
    };
    const run = async (program: string, ...options: string[]): Promise<string> =>
      (
        await promisify(execFile)(process.execPath, [program, ...options], {
          cwd: directory,
          env: environment,
        })
      ).stdout;
    const startReceiver = () => {
      const child = spawn(process.execPath, ['receive.ts'], {
        cwd: directory,
        env: environment,
        stdio: 'ignore',
      });
      t.after(() => child.kill('SIGKILL'));
      return child;
    };
    const received = async (): Promise<string[]> => {
      const text = await readFile(join(directory, 'received'), 'utf8').catch(() => '');
      return text.split('\n').map((line) => line.split(' ').slice(1).join(' '));
    };
    const untilReceived = (what: string): Promise<boolean> =>
      until(async () => (await received()).includes(what));

    assert.equal(
      await run('load.ts'),
      '1000 products created, 0 lines rejected\n2 results stored\nThe merchant has mail\n',
    );
    await mail.mailTo('ada@alpine-vases.example');
    await run('subscribe.ts');
    const receiver = startReceiver();
    const access_token = await readFile(join(directory, 'merchant-token'), 'utf8');
    const createCampaign = async (name: string, fields: object = {}): Promise<void> => {
      const json = { access_token, name, type: 'AuctionCampaign', ...fields };
      assert.equal((await server.client.request('POST', '/v1/campaigns', { json })).status, 200);
    };
    await createCampaign('Spring', { bid_amount: 0.5 });
    await untilReceived('seller-4711 Spring');
    await run('moderate.ts');
    await untilReceived('seller-4711 product.moderated');
    const issues = await server.client.request(
      'GET',
      `/v1/products/issues?access_token=${access_token}&identifier=vase-7`,
    );
    assert.equal(issues.json<{ state: string }>().state, 'problematic');

    const advertised = { access_token, identifier: 'vase-2', campaign_name: 'Spring' };
    const joined = await server.client.request('POST', '/v1/products/update', { json: advertised });
    assert.equal(joined.status, 200, joined.text);
    let shown = '';
    // Which product competes is followed within seconds.
    for (let place = 1; !shown.startsWith('Show'); place += 1)
      shown = await run('place.ts', `place ${place}`);
    assert.equal(shown, 'Show vase-2 of seller-4711 for 0.01\n1 delivered\n');

    for (let time = 1; time <= 2; time += 1)
      assert.equal(await run('orders.ts'), 'The merchant sees order 1 as paid\n');
    const refund = { access_token, order_id: 1, type: 'full', reason: 'out_of_stock' };
    const refunded = await server.client.request('POST', '/v1/orders/refund', { json: refund });
    assert.equal(refunded.status, 200);
    assert.equal(await run('refunds.ts'), 'Paid 74.9 for seller-4711 MP-1001 refund-1\n');
    assert.equal(await run('refunds.ts'), '');
    const order = await server.client.request(
      'GET',
      `/v1/orders/retrieve?access_token=${access_token}&order_id=1`,
    );
    assert.equal(order.json<{ refund_amount: number }>().refund_amount, 74.9);

    receiver.kill('SIGKILL');
    await once(receiver, 'exit');
    await createCampaign('Summer');
    // It has lost what it had received.
    await writeFile(join(directory, 'received'), '');
    startReceiver();
    const feed = await run('recover.ts');
    assert.match(feed, /^3 events are sent again\n/);
    assert.equal([...feed.matchAll(/ campaign\.created$/gm)].length, 2);
    for (const what of ['Spring', 'Summer', 'product.moderated']) await untilReceived(`seller-4711 ${what}`);
    assert.equal((await received()).filter((line) => line !== '').length, 3);
  });
});
