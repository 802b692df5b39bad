import { randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Connection, Database } from '../../database/database.ts';
import { claimMerchant } from '../../merchants/queries.ts';
import { GONE_MS } from './describe-upload.ts';
import { deleteUploadsBefore, findUploadUnderWay, insertUpload } from './queries.ts';
import { KEPT_MS } from './sweep-uploads.ts';
import type { UploadFiles, UploadKey } from './upload-files.ts';

/** The merchant has another upload under way; the message is for the merchant. */
export class UploadUnderWay extends Error {
  override name = 'UploadUnderWay';

  constructor() {
    super('Another file is on its way or being imported: try again when it is done.');
  }
}

interface Taking {
  database: Database;
  files: UploadFiles;
  now: () => number;
  /** The merchants whose files this process is receiving. */
  receiving: Set<number>;
  maximumBytes: number;
}

/**
 * Takes a merchant's file in; resolves to its upload, which is to be checked.
 * @throws {UploadUnderWay}, {FileTooLarge}
 */
export async function takeUpload(
  { database, files, now, receiving, maximumBytes }: Taking,
  { merchantId, name, stream }: { merchantId: number; name: string; stream: Readable },
): Promise<UploadKey> {
  const key = { merchantId, id: randomUUIDv7() };
  if (receiving.has(merchantId)) throw new UploadUnderWay();
  receiving.add(merchantId);
  try {
    await refuseSecond(database, merchantId, now());
    const bytes = await files.receive(key, stream, maximumBytes);
    await database.transaction(async (connection) => {
      await connection.run(claimMerchant, [merchantId]);
      await refuseSecond(connection, merchantId, now());
      await connection.run(deleteUploadsBefore, [merchantId, now() - KEPT_MS]);
      await connection.run(insertUpload, [merchantId, key.id, name, bytes, now(), now()]);
    });
    return key;
  } catch (error) {
    await files.remove(key);
    throw error;
  } finally {
    receiving.delete(merchantId);
  }
}

/** @throws {UploadUnderWay} */
export async function refuseSecond(
  reader: Pick<Connection, 'first'>,
  merchantId: number,
  now: number,
): Promise<void> {
  const other = await reader.first(findUploadUnderWay, [merchantId, now - GONE_MS]);
  if (other !== undefined) throw new UploadUnderWay();
}
