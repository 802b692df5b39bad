import assert from 'node:assert/strict';
import { it } from 'node:test';
import { productionDependencies } from './support/dependencies.ts';

/** Permissive licenses: the program may be distributed under its own license with attribution only. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

it('every production dependency has a permissive license', async (t) => {
  const dependencies = await productionDependencies();
  assert.ok(dependencies.length > 50, `only ${dependencies.length} dependencies: the lock file was not read`);
  const megabytes = dependencies.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  t.diagnostic(`${dependencies.length} packages, ${megabytes.toFixed(1)} MB`);
  const rejected = dependencies.filter(({ license }) => typeof license !== 'string' || !ALLOWED.has(license));
  assert.deepEqual(
    rejected.map(({ name, version, license }) => `${name}@${version}: ${JSON.stringify(license)}`),
    [],
  );
});
