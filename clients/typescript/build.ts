import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type DocumentPath, readDocuments } from '../read-documents.ts';

/**
 * Writes the types of the OpenAPI documents to `src` and the package's JavaScript and declarations
 * to `dist`, as `npm ci` does. Where the development dependencies were left out, nothing needs them.
 */
async function buildClient(): Promise<void> {
  let generator: typeof import('./generate.ts');
  try {
    generator = await import('./generate.ts');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stdout.write('The client is not built: the development dependencies are not installed.\n');
    return;
  }
  const { documents, generateTypes } = generator;
  const here = import.meta.dirname;
  const served = await readDocuments();
  for (const path of Object.keys(documents) as DocumentPath[])
    await writeFile(join(here, 'src', documents[path]), await generateTypes(path, served[path]));
  await rm(join(here, 'dist'), { recursive: true, force: true });
  // This package's own TypeScript: what an older one declares, a newer one reads.
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', here], { stdio: 'inherit' });
}

await buildClient();
