import type { Connection, Database } from '../database/database.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { accountName, certificateName } from './acme-store.ts';
import {
  findCertificate,
  listAccounts,
  listAcmeKeyIds,
  ONLY,
  updateAccountKey,
  updateCertificateKey,
} from './queries.ts';

/**
 * Encrypts the keys of the accounts and of the certificate with the newest key. Services can run meanwhile.
 * @throws {KeyFileUnusable}
 * @throws {Error} if a key was changed in the database, so that nothing decrypts it
 */
export async function reencryptAcmeKeys(database: Database, encryption: Encryption): Promise<void> {
  const again = async (value: string, row: string): Promise<string> =>
    await encryption.encrypt(await encryption.decrypt(value, row), row);
  const reencrypt = async (connection: Connection): Promise<void> => {
    await connection.all(database.dialect.takeGlobalLock);
    const used = (await connection.all(listAcmeKeyIds)).map(({ id }) => id);
    const newest = await encryption.newestId();
    if (used.every((id) => id === newest)) return;
    for (const { directory, private_key: key } of await connection.all(listAccounts))
      await connection.run(updateAccountKey, {
        directory,
        private_key: await again(key, accountName(directory)),
      });
    const certificate = await connection.first(findCertificate);
    if (certificate === undefined) return;
    const encrypted = await again(certificate.private_key, certificateName);
    await connection.run(updateCertificateKey, { id: ONLY, private_key: encrypted });
  };
  await database.transaction(reencrypt);
}
