import assert from 'node:assert/strict';
import { it } from 'node:test';
import { productionDependencies } from './support/dependencies.ts';

/** Licences that let the program be passed on under its own, and ask for no more than to be named. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

it('every package that production needs has a licence that lets it be passed on', async (t) => {
  const dependencies = await productionDependencies();
  assert.ok(dependencies.length > 50, `${dependencies.length} are too few: the lock file was not read`);
  const megabytes = dependencies.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  t.diagnostic(`${dependencies.length} packages, ${megabytes.toFixed(1)} MB`);
  const refused = dependencies.filter(({ license }) => typeof license !== 'string' || !ALLOWED.has(license));
  assert.deepEqual(
    refused.map(({ name, version, license }) => `${name}@${version}: ${JSON.stringify(license)}`),
    [],
  );
});
