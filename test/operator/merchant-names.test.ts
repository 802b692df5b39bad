import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, beforeEach, describe, it } from 'node:test';
import type { ShopSettings } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { runCommand } from '../commands/run-command.ts';
import type { ClientResponse } from '../support/client.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import type { CommandResult } from '../support/process.ts';
import { useService } from '../support/service.ts';

const setName = statement<{ merchantId: number; name: string }, never>(
  'UPDATE merchants SET name = :name WHERE id = :merchantId',
);

forEachEngine((engine) => {
  describe('names of merchants', () => {
    const service = useService(engine);
    let token: string;
    before(async () => {
      token = await service().newOperatorToken();
    });
    beforeEach(() => service().passTime(61_000));

    const put = (externalId: string, json: object): Promise<ClientResponse> =>
      service().operator('PUT', `/merchants/${externalId}`, token, { json });
    const run = (...commandLine: string[]): Promise<CommandResult> =>
      runCommand(commandLine, service().environment);
    const rename = async (owner: ConsoleClient, name: string): Promise<void> => {
      const response = await owner.post('/shop', { name });
      assert.equal(response.status, 200, response.text);
      assert.equal(response.json<ShopSettings>().name, name);
    };
    const newOwner = async (): Promise<{ id: number; owner: ConsoleClient }> => {
      const merchant = await service().newMerchant();
      return { id: merchant.id, owner: await signedIn(service(), merchant) };
    };

    it('remain reserved for the merchant that gave them up: files and commands never reach another', async () => {
      const first = await newOwner();
      const second = await newOwner();
      await rename(first.owner, 'Alpine Vases');
      await rename(first.owner, 'Vases of Tyrol');
      const refusal = /^name: The name "ALPINE vases" is reserved for the merchant that had it before\.$/;
      const taken = await second.owner.post('/shop', { name: 'ALPINE vases' });
      assert.equal(taken.status, 400, taken.text);
      expectError(await put(String(second.id), { name: 'ALPINE vases' }), 400, refusal);
      expectError(await put('seller-1', { name: 'ALPINE vases' }), 400, refusal);

      const key = await run('keys', 'create', '--merchant', 'Alpine Vases', '--name', 'ERP');
      assert.match(key.stderr, /There is no merchant "Alpine Vases"/);
      const file = join(service().config.dataDirectory, 'products.ndjson');
      await writeFile(file, '{"merchant":"Alpine Vases","identifier":"P"}\n');
      const imported = await run('import', 'products', file, '--rejects', `${file}.csv`, '--json');
      assert.match(imported.stdout, /"rejected": ?1\b/);

      await rename(first.owner, 'Alpine Vases');
      await rename(first.owner, 'Vases of Tyrol');
      const given = await run('merchants', 'change', String(second.id), '--name', 'Alpine Vases');
      assert.equal(given.status, 0, given.stderr);
      assert.equal((await first.owner.post('/shop', { name: 'Alpine Vases' })).status, 400);
    });

    it('400: names that people may mistake for a present one, invisible characters, and numbers', async () => {
      const { owner } = await newOwner();
      await rename(owner, 'Straße No. 1');
      for (const name of ['STRASSE NO. 1', 'straße  no. 1', 'Straße\u00a0No. １', 'Straße No\u034f. 1'])
        expectError(await put('seller-2', { name }), 400, /^name: A merchant named "Straße No\. 1" already/);
      for (const character of ['\u001b', '\n', '\u200b', '\u202e', '\u2028', '\ue000'])
        expectError(
          await put('seller-2', { name: `Shop${character}A` }),
          400,
          /^name: The merchant’s name must not contain line breaks or invisible characters\.$/,
        );
      expectError(await put('seller-2', { name: '１２' }), 400, /^name: "１２" looks like an id/);
      expectError(await put('seller-2', { name: '\u3164' }), 400, /^name: .* must have 1 to 100 characters/);
      expectError(
        await put('seller-2', { name: '\ufdfa'.repeat(100) }),
        400,
        /^name: .* 1 to 100 characters/,
      );
      assert.equal((await put('seller-2', { name: 'Straße No. 2' })).status, 201);
      await rename(owner, 'STRASSE No. 1');
    });

    it('are at most 20 for each merchant over time, which may use them again', async () => {
      const { id, owner } = await newOwner();
      for (let number = 2; number <= 20; number += 1) await rename(owner, `Shop ${id} no. ${number}`);
      const refused = await owner.post('/shop', { name: `Shop ${id} no. 21` });
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.message, /has already had 20 names/);
      await rename(owner, `Shop ${id} no. 2`);
    });

    it('from before these rules stay, and their merchants can be changed and suspended', async () => {
      const { id } = await service().newMerchant();
      await service().database.transaction((connection) =>
        connection.run(setName, { merchantId: id, name: `Old\u001b${id}` }),
      );
      assert.equal((await put(String(id), { state: 'suspended', currency: 'EUR' })).status, 200);
      const { stdout } = await run('merchants', 'list');
      assert.ok(stdout.includes(`Old\ufffd${id}`), stdout);
    });
  });
});
