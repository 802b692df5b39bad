import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { secretSettings } from '../../src/shared/text-settings.ts';

const root = join(import.meta.dirname, '../..');
const compose = readFileSync(join(root, 'deploy/container/compose.yaml'), 'utf8');
const guide = readFileSync(join(root, 'docs/how-to/run-in-a-container.md'), 'utf8');
const [, service = ''] = /^ {2}tradepost:\n((?: {4}.*\n)+)/m.exec(compose) ?? [];

it('compose.yaml runs the image of this version', () => {
  assert.match(service, new RegExp(`^ {4}image: localhost/tradepost:${packageJson.version}$`, 'm'));
});

it('compose.yaml gives the service no more rights than the guide does', () => {
  for (const line of ['read_only: true', 'cap_drop:\n      - ALL', '- no-new-privileges:true'])
    assert.ok(service.includes(`    ${line}\n`), line);
});

it('compose.yaml has secrets in files that the guide creates', () => {
  const settings = [...service.matchAll(/^ +(\w+)_FILE: \/run\/secrets\/(\w+)$/gm)];
  assert.deepEqual(
    settings.map(([, setting = '']) => setting).filter((setting) => !secretSettings.includes(setting)),
    [],
  );
  const files = [...compose.matchAll(/^ {4}file: (\S+)$/gm)].map(([, file = '']) => file);
  assert.equal(files.length, 2);
  assert.deepEqual(
    files.filter((file) => !guide.includes(` > ${file}\n`)),
    [],
  );
  assert.doesNotMatch(compose, /postgres:\/\//);
});
