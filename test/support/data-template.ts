import { rmSync } from 'node:fs';
import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { openDatabase, sqliteFile } from '../../src/database/open-database.ts';
import { selfSignedCertificate } from '../../src/http/tls/self-signed.ts';

const TLS_FILES = ['tls-cert.pem', 'tls-key.pem'];

/** Resolves to a new data directory with an empty SQLite database and a certificate. */
export async function createDataTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-template-'));
  const config = parseConfig({ DATA_DIR: directory });
  await (await openDatabase(config, Date.now())).close();
  await selfSignedCertificate(config, Date.now());
  return directory;
}

/** Resolves to a new data directory, with tables if the settings say that the database is in it. */
export async function newDataDirectory({ DATABASE_URL }: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
  if (DATABASE_URL === undefined) await copyFile(sqliteFile(await template()), sqliteFile(directory));
  return directory;
}

/** Creating a certificate is slow. */
export async function copyCertificate(directory: string): Promise<void> {
  const from = await template();
  await Promise.all(TLS_FILES.map((file) => copyFile(join(from, file), join(directory, file))));
}

/** Of the whole run, or of this file if it runs alone. */
function template(): Promise<string> {
  const { TEST_DATA_TEMPLATE: ofRun } = process.env;
  own ??= ofRun === undefined ? createOwn() : Promise.resolve(ofRun);
  return own;
}

let own: Promise<string> | undefined;

async function createOwn(): Promise<string> {
  const directory = await createDataTemplate();
  process.once('exit', () => rmSync(directory, { recursive: true }));
  return directory;
}
