import { basename, join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Identity } from './identity.ts';
import type { License } from './licenses.ts';

const ROOT = join(import.meta.dirname, '..');
const LICENSES = 'licenses.json';

/** One CommonJS script with everything that a module imports, and the licenses of the packages in it. */
export interface Bundle {
  code: string;
  licenses: License[];
}

/**
 * CommonJS, because an executable contains compiled code only of CommonJS, and then starts in a third of the
 * time (docs/decisions/0024-release.md).
 */
export async function bundle(module: string, identity: Identity): Promise<Bundle> {
  return parts(
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      plugins: [packageJson(identity)],
      ssr: { noExternal: true },
      build: {
        ssr: join(ROOT, module),
        write: false,
        minify: true,
        target: 'es2025',
        license: { fileName: LICENSES },
        rolldownOptions: { output: { format: 'cjs', codeSplitting: false, entryFileNames: 'bundle.js' } },
      },
    }),
  );
}

export async function pageLicenses(): Promise<License[]> {
  const configFile = join(ROOT, 'web', 'vite.config.ts');
  const options = { write: false, license: { fileName: LICENSES } };
  return parts(await build({ configFile, logLevel: 'error', build: options })).licenses;
}

/** Gives the bundle only what it needs of `package.json`. */
function packageJson(identity: Identity): Plugin {
  const file = join(ROOT, 'package.json');
  return {
    name: 'package-json',
    enforce: 'pre',
    load: (id) => (id === file ? { code: JSON.stringify(identity), moduleType: 'json' } : undefined),
  };
}

function parts(built: Awaited<ReturnType<typeof build>>): Bundle {
  const { output } = built as Rolldown.RolldownOutput;
  const entry = output.find((part) => part.type === 'chunk' && part.isEntry);
  const licenses = output.find(({ fileName }) => basename(fileName) === LICENSES);
  if (entry?.type !== 'chunk' || licenses?.type !== 'asset') throw new Error('the build has no such output');
  return { code: entry.code, licenses: JSON.parse(String(licenses.source)) as License[] };
}
