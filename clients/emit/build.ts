import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readDocuments } from '../read-documents.ts';
import { emitPhp } from './php.ts';
import { emitPython } from './python.ts';
import { readModel } from './read-model.ts';

/** The folders of the generated files, which contain nothing else, and what writes the files. */
export const clients = [
  { folder: join(import.meta.dirname, '..', 'php', 'generated'), emit: emitPhp },
  { folder: join(import.meta.dirname, '..', 'python', 'src', 'tradepost', 'generated'), emit: emitPython },
] as const;

/** Writes the generated files of the PHP and the Python client, as `npm ci` does. */
async function buildClients(): Promise<void> {
  const documents = await readDocuments();
  const model = readModel(
    JSON.parse(documents['/openapi.json']),
    JSON.parse(documents['/operator/openapi.json']),
  );
  for (const { folder, emit } of clients) {
    await rm(folder, { recursive: true, force: true });
    for (const [path, source] of emit(model)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, source);
    }
  }
}

if (import.meta.main) await buildClients();
