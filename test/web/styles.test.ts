import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { it } from 'node:test';

const web = join(import.meta.dirname, '../../web');

it('the console loads the styles of every Mantine component that it uses', () => {
  const directory = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/baseline.css'));
  const loaded = readFileSync(join(web, 'theme/styles.ts'), 'utf8');
  const missing = globSync('**/*.tsx', { cwd: web }).flatMap((file) => {
    const [, names = ''] =
      /import \{([^}]*)\} from '@mantine\/core'/.exec(readFileSync(join(web, file), 'utf8')) ?? [];
    const components = names.split(',').map((name) => name.trim());
    return components.filter(
      (name) => existsSync(join(directory, `${name}.css`)) && !loaded.includes(`/${name}.css'`),
    );
  });
  assert.deepEqual(missing, []);
});
