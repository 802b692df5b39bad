import type { Actor } from '../database/actor.ts';
import { errors } from '../errors/errors.ts';
import { UnusableFile } from '../files/parsed.ts';
import { readProducts } from '../products/files/read-products.ts';
import {
  hasStoredResponse,
  type IdempotencyServices,
  type IdempotentRequest,
  idempotent,
  runOnce,
} from '../requests/run-once.ts';
import { readContent, type Source } from './import-files.ts';
import type { ImportReading } from './import-reading.ts';
import type { Imports } from './imports.ts';
import { type NewImport, storeImportOnce } from './store-import.ts';

type Described = Pick<NewImport, 'name' | 'firstStep' | 'reading'>;

const DEFAULT_NAME = 'upload';
const MAX_NAME_LENGTH = 255;

interface ImportRequest {
  /**
   * Called once the file has been read, because fields may follow it. `name` is the name in the multipart
   * field by default.
   */
  readFields: () => Promise<{ name: string | undefined; dryRun: boolean; reading: ImportReading }>;
  who: Actor;
  /** Called once the file is there. What it throws keeps the import from being stored. */
  requireCallerStill: () => Promise<void>;
  /** With its name and its size according to the client, 0 if unknown. */
  file: Source & { name: string | undefined; announcedBytes: number };
}

/**
 * Receives a file and starts its import, or its check for a dry run. Resolves to the import's record as JSON.
 * The `Idempotency-Key` also stands for the file's bytes: a repetition is read but not stored.
 * @throws {DomainError} `import_in_progress`, `file_too_large`, `invalid_parameters` for an unknown format,
 *   `idempotency_key_reused`, `idempotency_key_in_progress`
 * @throws {BudgetExceeded}
 */
export async function receiveImport(
  services: IdempotencyServices & { imports: Imports },
  repeated: Omit<IdempotentRequest, 'input'>,
  { readFields, who, requireCallerStill, file }: ImportRequest,
): Promise<string> {
  const { imports } = services;
  const describe = async (): Promise<Described> => {
    const { name: stated, dryRun, reading } = await readFields();
    const name = [...(stated ?? file.name?.trim() ?? '')].slice(0, MAX_NAME_LENGTH).join('') || DEFAULT_NAME;
    return { name, firstStep: dryRun ? 'checking' : 'importing', reading };
  };
  const inputOf = ({ name, firstStep, reading }: Described, sha256: string) => ({
    name,
    dryRun: firstStep === 'checking',
    sha256,
    ...reading,
  });
  if (await hasStoredResponse(services, repeated)) {
    const { sha256 } = await readContent(file, imports.maximumBytes);
    const repeat = idempotent(async () => {
      // The first response has expired in the meantime.
      throw errors.idempotency_key_in_progress();
    });
    const request = { ...repeated, who, input: inputOf(await describe(), sha256) };
    return (await runOnce(services, request, repeat, undefined, {})).response;
  }
  let response = '';
  const { merchantId } = repeated;
  const incoming = { ...file, merchantId, createdBy: who, bytes: file.announcedBytes, describe };
  await imports.take(incoming, async ({ path, sha256, newImport }) => {
    await requireProducts(path, imports.maximumUnpackedBytes, newImport.reading);
    await requireCallerStill();
    const request = { ...repeated, who, input: inputOf(newImport, sha256) };
    ({ response } = await runOnce(services, request, storeImportOnce, newImport, {}));
    // Otherwise it is the response to the same request on another process.
    return (JSON.parse(response) as { id: string }).id === newImport.id;
  });
  return response;
}

/**
 * Checks the beginning of a file. Of a workbook, only what is found soon: this process also serves requests.
 * @throws {DomainError} `invalid_parameters` if a file does not begin like a product file
 */
async function requireProducts(
  path: string,
  maximumBytes: number,
  { sheet, columns }: ImportReading,
): Promise<void> {
  try {
    const file = await readProducts(path, { maximumBytes, sheet, columns, startOnly: true });
    await file.close();
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    // The message begins with the path, which is the server's.
    const reason = error.message.replace(`${path}: `, '');
    throw errors.invalid_parameters([{ field: 'file', reason }]);
  }
}
