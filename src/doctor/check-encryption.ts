import type { Config } from '../config.ts';
import type { Reader } from '../database/database.ts';
import { Encryption } from '../encryption/encryption.ts';
import { KeyFileUnusable } from '../encryption/key-file.ts';
import { listKeyIds } from '../webhooks/queries.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';

/** The key file must have the keys of the encrypted values. Does not create it. */
export async function checkEncryption(
  reader: Pick<Reader, 'all'>,
  { encryptionKeyFile: file }: Pick<Config, 'encryptionKeyFile'>,
): Promise<Finding> {
  const found = findingsOf('encryption');
  const encryption = new Encryption({ file, onCreated: () => {} });
  const rows = await reader.all(listKeyIds);
  try {
    await encryption.requireKeys(rows.map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof KeyFileUnusable)) throw error;
    return found.problem(messageWithoutPeriod(error), 'until then, the service does not start');
  }
  if (await encryption.hasKeys()) return found.ok(`${file} has the keys of all encrypted values`);
  return found.ok('the first webhook creates the key file');
}
