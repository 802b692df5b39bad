import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Product } from '../../src/products/record/product.ts';
import { forEachEngine } from '../support/engines.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { newRandom } from '../support/seed.ts';
import { newMerchant } from '../support/stored.ts';
import { until } from '../support/until.ts';

const KILLS = 4;
const PRODUCTS = 40;
/** The number of successful writes between two kills. */
const WRITES_PER_KILL = 60;

forEachEngine((engine) => {
  it('a copy kept by changed_since equals the export, through writes by calls and commands, and kills', async (t) => {
    const directory = await temporaryDirectory(t);
    const environment = { DATA_DIR: join(directory, 'data'), ...(await engine.environment()) };
    const merchant = await newMerchant(environment);
    const nodes: [ServerProcess, ...ServerProcess[]] = [await ServerProcess.start(t, environment)];
    if (engine.name === 'postgres') nodes.push(await ServerProcess.start(t, environment));
    const random = newRandom();
    const anyIdentifier = (): string => `P-${random.whole(0, PRODUCTS - 1)}`;
    const send = async (method: string, path: string, form?: Record<string, string>) => {
      const target = `/v1/${path}${path.includes('?') ? '&' : '?'}access_token=${merchant.token}`;
      // A node that was killed does not respond.
      return await random
        .pick(nodes)
        .client.request(method, target, form && { form })
        .catch(() => undefined);
    };

    let written = 0;
    let writing = true;
    const calls = async (): Promise<void> => {
      while (writing) {
        const identifier = anyIdentifier();
        const title = `T ${random.whole(0, 1e9)}`;
        const [path, form] = random.pick<[string, Record<string, string>]>([
          ['products', { identifier, title, [`variations[${identifier}-V][quantity]`]: '1' }],
          ['products/update', { identifier, title }],
          ['variations/update', { identifier: `${identifier}-V`, quantity_change: '3' }],
          ['products/disable', { identifier }],
          ['products/delete', { identifier }],
        ]);
        const response = await send('POST', path, form);
        if (response?.status === 200) written += 1;
      }
    };
    const files = async (): Promise<void> => {
      const file = join(directory, 'catalog.ndjson');
      while (writing) {
        const lines = Array.from({ length: 10 }, () =>
          JSON.stringify({ identifier: anyIdentifier(), title: `F ${random.whole(0, 1e9)}` }),
        );
        await writeFile(file, lines.join('\n'));
        const { status } = await tradepost(['import', 'products', file, '--merchant', 'Acme'], environment);
        if (status === 0) written += 1;
      }
    };
    const copy = new Map<number, string>();
    let cursor = 'start';
    /** Reads one page of changes. Resolves to whether it was the last one. */
    const follow = async (): Promise<boolean> => {
      const response = await send('GET', `products?per_page=7&changed_since=${cursor}`);
      if (response?.status !== 200) return false;
      const page = response.json<{ results: Product[]; cursor: string; more: boolean }>();
      for (const product of page.results) copy.set(product.internal_id, JSON.stringify(product));
      cursor = page.cursor;
      return !page.more;
    };
    const following = async (): Promise<void> => {
      while (writing) await follow();
    };

    const work = Promise.all([calls(), calls(), calls(), files(), following()]);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await until(() => written >= kill * WRITES_PER_KILL, { timeoutMs: 120_000 });
      const index = kill % nodes.length;
      await nodes[index]?.end('SIGKILL');
      nodes[index] = await ServerProcess.start(t, environment);
    }
    writing = false;
    await work;
    await until(follow);

    const { stdout } = await tradepost(
      ['export', 'products', '--merchant', 'Acme', '--format', 'ndjson'],
      environment,
    );
    const ids = [...copy.keys()].toSorted((one, other) => one - other);
    assert.ok(ids.length > PRODUCTS / 2);
    assert.equal(`${ids.map((id) => copy.get(id)).join('\n')}\n`, stdout);
  });
});
