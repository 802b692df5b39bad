import assert from 'node:assert/strict';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { listMerchants } from '../../src/merchants/list-merchants.ts';
import { importFactDrafts, UNSET_AMOUNTS } from '../support/catalog.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { type CommandResult, temporaryDirectory, tradepost } from '../support/process.ts';
import { onDatabase } from '../support/stored.ts';
import { runCommand } from './run-command.ts';

const PRODUCTS = `${[
  {
    merchant: 'Acme',
    identifier: 'POT-1',
    title: 'Clay pot',
    retail_price: 12.5,
    variations: [{ identifier: 'POT-1-S', quantity: 4 }],
  },
  { merchant: 'Other', identifier: 'PAN-1', category: 'Home|Kitchen' },
]
  .map((product) => JSON.stringify(product))
  .join('\n')}\n`;
const SCHEDULES = `merchant,schedule_id,product_identifier,variation_identifier,scheduled_at,sold,sale_price,rating,order_id
Acme,s1,POT-1,POT-1-S,2026-01-05T18:00:00Z,true,19.99,4.5,4711
Acme,s2,POT-1,,2026-01-05T18:05:00Z,false,,,
`;

async function newStore(t: TestContext, engine: Engine) {
  const directory = await temporaryDirectory(t);
  const environment = { DATA_DIR: join(directory, 'data'), ...(await engine.environment()) };
  const run = (...commandLine: string[]): Promise<CommandResult> =>
    runCommand(commandLine, environment, { cwd: directory });
  for (const name of ['Acme', 'Other'])
    assert.equal((await runCommand(['merchants', 'create', '--name', name], environment)).status, 0);
  const write = (name: string, contents: string): Promise<void> => writeFile(join(directory, name), contents);
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
  const exists = (name: string): Promise<boolean> =>
    stat(join(directory, name)).then(
      () => true,
      () => false,
    );
  const exported = async (...words: string[]): Promise<string> => {
    const { status, stderr } = await run('export', ...words, '--output', 'exported');
    assert.equal(status, 0, stderr);
    return await read('exported');
  };
  return { environment, run, write, read, exists, exported, directory };
}

forEachEngine((engine) => {
  it('import reports what it changed, and nothing the second time', async (t) => {
    const { run, write, exists } = await newStore(t, engine);
    await write('products.ndjson', PRODUCTS);
    const summary = {
      format: 'ndjson',
      dry_run: false,
      created: 2,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      repeated: 0,
      changed_fields: {},
      rejects_file: null,
    };
    const first = await run('import', 'products', 'products.ndjson', '--json');
    assert.deepEqual([first.status, JSON.parse(first.stdout)], [0, summary]);
    const second = await run('import', 'products', 'products.ndjson', '--json');
    assert.deepEqual(
      [second.status, JSON.parse(second.stdout)],
      [0, { ...summary, created: 0, unchanged: 2 }],
    );
    assert.equal(
      (await run('import', 'products', 'products.ndjson')).stdout,
      '0 created, 0 updated, 2 unchanged, 0 rejected.\n',
    );
    assert.equal(await exists('products.ndjson.rejects.csv'), false);
  });

  it('import accepts the valid rows, lists the others with line, column, value and reason, and exits with 1', async (t) => {
    const { run, write, read } = await newStore(t, engine);
    await write('products.csv', 'identifier,retail_price,title\nA,1,"one, two"\nB/B,2,x\nC,"1,5",y\nD,,\n');
    const { status, stdout } = await run(
      'import',
      'products',
      'products.csv',
      '--merchant',
      'Acme',
      '--json',
    );
    assert.equal(status, 1);
    const { created, rejected, rejects_file } = JSON.parse(stdout);
    assert.deepEqual([created, rejected, rejects_file], [2, 2, 'products.csv.rejects.csv']);
    const [header, ...rows] = (await read(rejects_file)).trimEnd().split('\n');
    assert.equal(header, 'line,column,value,reason');
    assert.equal(rows.length, 2);
    assert.match(rows[0] ?? '', /^3,identifier,B\/B,"?expected letters, .*found ""\/"""$/);
    assert.match(rows[1] ?? '', /^4,retail_price,"1,5",expected a number without thousands separators/);
    const other = await run(
      'import',
      'products',
      'products.csv',
      '--merchant',
      'Acme',
      '--rejects',
      'bad.csv',
    );
    assert.equal(other.status, 1);
    assert.match(
      other.stdout,
      /^0 created, 0 updated, 2 unchanged, 2 rejected\.\nSee bad\.csv for why rows were rejected\.\n$/,
    );
    assert.equal((await read('bad.csv')).split('\n').length, 4);
  });

  it('import --dry-run reports the same, and changes nothing', async (t) => {
    const { run, write, exported } = await newStore(t, engine);
    await write('products.ndjson', PRODUCTS);
    const { stdout } = await run('import', 'products', 'products.ndjson', '--dry-run', '--json');
    const { created, dry_run } = JSON.parse(stdout);
    assert.deepEqual([created, dry_run], [2, true]);
    assert.equal(await exported('products'), '');
  });

  for (const format of ['ndjson', 'csv']) {
    it(`import accepts the ${format} output of export in another service`, async (t) => {
      const [one, other] = [await newStore(t, engine), await newStore(t, engine)];
      await one.write('products', PRODUCTS);
      await one.write('schedules', SCHEDULES);
      assert.equal((await one.run('import', 'products', 'products')).status, 0);
      assert.equal((await one.run('import', 'schedules', 'schedules')).status, 0);
      for (const kind of ['products', 'schedules']) {
        const { status, stdout } = await tradepost(['export', kind, '--format', format], one.environment);
        assert.equal(status, 0);
        assert.equal(await one.exported(kind, '--format', format), stdout);
        await other.write(kind, stdout);
        const imported = await other.run('import', kind, kind);
        assert.equal(imported.status, 0, imported.stderr);
        assert.equal(await other.exported(kind, '--format', format), stdout);
      }
    });
  }

  it('export names the merchant in each row, except with --merchant', async (t) => {
    const { run, write, exported } = await newStore(t, engine);
    await write('products', PRODUCTS);
    await run('import', 'products', 'products');
    const all = (await exported('products'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).merchant);
    assert.deepEqual(all, ['Acme', 'Other']);
    const own = await exported('products', '--merchant', 'Other');
    assert.deepEqual([JSON.parse(own).identifier, JSON.parse(own).merchant], ['PAN-1', undefined]);
  });

  it('export campaigns writes schedules as JSON, in CSV too', async (t) => {
    const { environment, exported } = await newStore(t, engine);
    await onDatabase(environment, async (database) => {
      const [merchant] = await listMerchants({ database });
      const caller = { merchantId: merchant?.id ?? 0, who: OPERATOR, budget: null };
      const amounts = { ...UNSET_AMOUNTS, name: 'Night', type: 'T', hourly_schedule: { 0: 0 } };
      await runVerb({ database, now: Date.now }, caller, createCampaign, amounts);
    });
    const hours = { 0: 0, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1 };
    assert.deepEqual(JSON.parse(await exported('campaigns')).hourly_schedule, hours);
    const [header = '', row = ''] = (await exported('campaigns', '--format', 'csv')).split('\n');
    assert.match(header, /,updated_at,products,spend_today,spend,placements,limited_by,hourly_schedule$/);
    assert.ok(row.endsWith(`,"${JSON.stringify(hours).replaceAll('"', '""')}"`), row);
  });

  it('export placements writes the lines that GET placements lists, in CSV too', async (t) => {
    const { environment, run, write, exported } = await newStore(t, engine);
    await write('products', PRODUCTS);
    await run('import', 'products', 'products');
    const campaign = await onDatabase(environment, async (database) => {
      const [merchant] = await listMerchants({ database });
      const caller = { merchantId: merchant?.id ?? 0, who: OPERATOR, budget: null };
      const amounts = { ...UNSET_AMOUNTS, name: 'Night', type: 'T' };
      const catalog = { database, now: Date.now };
      const { internal_id: campaign_id } = await runVerb(catalog, caller, createCampaign, amounts);
      const fact = { merchant: null, placement_id: 'P 1', campaign_id, product_identifier: 'POT-1' };
      const delivered = { delivered_at: Date.parse('2026-02-11T18:00:00Z'), price: 2_500 };
      await importFactDrafts(catalog, { id: caller.merchantId }, [[{ ...fact, ...delivered }]]);
      return campaign_id;
    });
    const { placement_id, campaign_id, price, state, day, bid } = JSON.parse(
      await exported('placements', '--merchant', 'Acme'),
    );
    assert.deepEqual(
      [placement_id, campaign_id, price, state, day, bid],
      ['P 1', campaign, 0.25, 'delivered', '2026-02-11', null],
    );
    const [header = '', row = ''] = (await exported('placements', '--format', 'csv')).split('\n');
    assert.match(header, /^merchant,placement_id,campaign_id,product_identifier,state,price,bid,day,/);
    assert.match(row, /^Acme,P 1,[^,]+,POT-1,delivered,0.25,,2026-02-11,/);
  });

  it('--rejects and --output do not follow a symbolic link or change its target', async (t) => {
    const { run, write, read, exported, directory } = await newStore(t, engine);
    await write('products', `${PRODUCTS}nonsense\n`);
    await write('precious', 'mine');
    await symlink('precious', join(directory, 'link'));
    const rejected: [commandLine: string[], message: RegExp][] = [
      [['import', 'products', 'products', '--rejects', 'link'], /to link: it is a symbolic link/],
      [['import', 'products', 'products', '--rejects', 'data'], /to data: it is a directory/],
      [['export', 'products', '--output', 'link'], /--output link cannot be written: it is a symbolic link/],
    ];
    for (const [commandLine, message] of rejected) {
      const { status, stderr } = await run(...commandLine);
      assert.equal(status, 1, commandLine.join(' '));
      assert.match(stderr, /^tradepost: [^\n]+\n$/);
      assert.match(stderr, message);
    }
    assert.equal(await read('precious'), 'mine');
    assert.equal(await exported('products'), '');
    const { stdout } = await run('import', 'products', 'products', '--rejects', '/dev/null');
    assert.match(stdout, /^2 created, 0 updated, 0 unchanged, 1 rejected\./);
  });

  it('import and export fail with status 1 and one line if a file or merchant does not exist', async (t) => {
    const { run, write } = await newStore(t, engine);
    await write('products', PRODUCTS);
    await write('empty', '');
    const rejected: [commandLine: string[], message: RegExp][] = [
      [['import', 'products', 'nothing'], /nothing/],
      [['import', 'products', 'data'], /directory/],
      [['import', 'products', 'empty'], /empty/],
      [['import', 'products', 'products', '--merchant', 'Nobody'], /no merchant "Nobody"/],
      [['export', 'products', '--merchant', 'Nobody'], /no merchant "Nobody"/],
      [['export', 'products', '--output', 'nowhere/out'], /--output nowhere\/out cannot be written/],
    ];
    for (const [commandLine, message] of rejected) {
      const { status, stdout, stderr } = await run(...commandLine);
      assert.equal(status, 1, commandLine.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, /^tradepost: [^\n]+\n$/);
      assert.match(stderr, message);
    }
  });
});
