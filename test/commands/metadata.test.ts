import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { type CommandResult, temporaryDirectory } from '../support/process.ts';
import { runCommand } from './run-command.ts';

forEachEngine((engine) => {
  it('metadata shows, sets and resets lists, and refuses files that are not such a list', async (t) => {
    const directory = await temporaryDirectory(t);
    const environment = { DATA_DIR: directory, ...(await engine.environment()) };
    const run = (...words: string[]): Promise<CommandResult> =>
      runCommand(['metadata', ...words], environment);
    const succeed = async (...words: string[]): Promise<string> => {
      const { status, stdout, stderr } = await run(...words);
      assert.deepEqual([status, stderr], [0, '']);
      return stdout;
    };
    const file = join(directory, 'carriers.json');
    const carriers = { UPS: 'ups', 'Northwind Express': 'nwx' };
    await writeFile(file, JSON.stringify(carriers));
    assert.equal(await succeed('set', 'carriers', file), 'Set carriers: 2 entries.\n');
    assert.deepEqual(JSON.parse(await succeed('show', 'carriers')), carriers);
    const listed = JSON.parse(await succeed('list', '--json')) as { list: string; is_default: boolean }[];
    assert.deepEqual(
      listed.filter(({ is_default }) => !is_default),
      [{ list: 'carriers', is_default: false }],
    );
    for (const [content, message] of [
      ['{"UPS": "ups", "UPS": "x"}', 'expected each name once, found "UPS" again'],
      ['["UPS"]', 'expected an object with a code for each name'],
      ['UPS', 'expected a JSON array or object'],
    ] as const) {
      await writeFile(file, content);
      const { status, stderr } = await run('set', 'carriers', file);
      assert.deepEqual([status, stderr], [1, `tradepost: ${file}: ${message}\n`]);
    }
    assert.equal((await run('set', 'shades', file)).status, 1);
    assert.match(
      (await run('set', 'carriers', join(directory, 'none'))).stderr,
      /^tradepost: .*none: ENOENT/,
    );
    assert.equal(await succeed('reset', 'carriers'), 'carriers is the default again.\n');
    assert.equal(JSON.parse(await succeed('show', 'carriers')).USPS, 'usps');
  });
});
