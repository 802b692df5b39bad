import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { newSecret, signatureHeaders } from '../../src/webhooks/signature.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { autoloader } from './autoloader.ts';
import { languages, whyNot } from './runner.ts';

const run = promisify(execFile);
const clients = join(import.meta.dirname, '..', '..', 'clients');
const SECRET = newSecret();
/** Calls the function of the README with a message. */
const receiveMessage: Record<string, string> = {
  php: "receive(getenv('BODY'), json_decode(getenv('HEADERS'), true));",
  python: 'import json\nreceive(os.environ["BODY"], json.loads(os.environ["HEADERS"]))',
};

function message(): { BODY: string; HEADERS: string } {
  const products = [{ identifier: 'clay-pot', available_quantity: 2, status: 'low_inventory' }];
  const event = { id: 'evt_1', type: 'stock.low', test: false, revision: 1, data: { total: 1, products } };
  const body = JSON.stringify({ ...event, occurred_at: '2026-03-02T09:30:00Z', merchant: null });
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    BODY: body,
    HEADERS: JSON.stringify(signatureHeaders({ id: 'evt_1', timestamp, body }, [SECRET])),
  };
}

describe('the examples of the README', () => {
  for (const language of languages.slice(1)) {
    const name = language.name.toLowerCase();
    it(`run with the ${language.name} client`, { skip: whyNot(language) }, async (t) => {
      const readme = await readFile(join(clients, name, 'README.md'), 'utf8');
      const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${name}\\n(.*?)^\`\`\`$`, 'gms'))];
      assert.equal(blocks.length, 14);
      const directory = await temporaryDirectory(t);
      const program = join(directory, 'example');
      await writeFile(program, [...blocks.map(([, code]) => code), receiveMessage[name]].join('\n'));
      await mkdir(join(directory, 'vendor'));
      await writeFile(join(directory, 'vendor', 'autoload.php'), autoloader(join(clients, 'php')));

      await using service = await startTestService(sqlite);
      const merchant = await service.newMerchant();
      const pot = draft('clay-pot', { category: 'Garden' }, [{ identifier: 'clay-pot-s', quantity: 12 }]);
      const lamp = draft('oak-lamp', { category: 'Home | Lighting' }, [
        { identifier: 'oak-lamp-1', quantity: 1 },
      ]);
      await importDrafts(service, merchant, [[pot, lamp]]);
      await pushDrafts(service, merchant, [orderDraft('A-1', { product_identifier: 'clay-pot' })]);
      const certificate = join(service.config.dataDirectory, 'tls-cert.pem');
      const { stdout } = await run(language.command[0], [program], {
        cwd: directory,
        env: {
          PATH: process.env.PATH,
          ...language.environment(certificate),
          TRADEPOST_URL: service.baseUrl,
          TRADEPOST_TOKEN: merchant.token,
          TRADEPOST_OPERATOR_URL: service.operatorUrl,
          TRADEPOST_OPERATOR_TOKEN: await service.newOperatorToken(),
          TRADEPOST_TEST_TOKEN: (await service.newTestKey(merchant)).token,
          TRADEPOST_CERTIFICATE: certificate,
          WEBHOOK_SECRET: SECRET,
          ...message(),
        },
      });
      const updated = new Date(service.now()).toISOString();
      assert.deepEqual(stdout.trimEnd().split('\n'), [
        'clay-pot 12',
        `clay-pot ${updated}`,
        `oak-lamp ${updated}`,
        '1 of 1',
        'Spring sale Active',
        '1 updated 0',
        '2 created 0',
        'clay-pot shipped',
        'done 0 1 0',
        '400 invalid_parameters per_page',
        '60',
        '503 2',
        'ERP read',
        '5000 0',
        'clay-pot',
      ]);
    });
  }
});
