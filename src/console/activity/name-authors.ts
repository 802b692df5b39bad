import { parseKeyId } from '../../api-keys/key-id.ts';
import { findKeyNames } from '../../api-keys/queries.ts';
import { fileOfImport } from '../../audit/describe-import.ts';
import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { findKeptImports } from '../../imports/queries.ts';
import { idPrefix } from '../../requests/retention.ts';
import type { ActivityAuthor, AuthorImport } from '../activity-api.ts';
import type { StoredAuthor } from './activity-source.ts';
import { findImportEntry } from './queries.ts';

/** Hexadecimal digits at the start of the ID of an import, with a hyphen among them, that are its time. */
const TIME_DIGITS = 13;

/**
 * Returns what a merchant's users see of these authors, in the same order. Which key an operator has used is
 * not a merchant's to know.
 */
export async function nameAuthors(
  database: Reader,
  merchantId: number,
  authors: readonly StoredAuthor[],
): Promise<ActivityAuthor[]> {
  const keyOf = ({ actor_kind, actor_name }: StoredAuthor): number | undefined => {
    const key = actor_kind === 'merchant_key' ? parseKeyId(actor_name) : undefined;
    return key?.merchantId === merchantId ? key.id : undefined;
  };
  const keys = new Set(authors.flatMap((author) => keyOf(author) ?? []));
  const keyNames = new Map(
    (await lookUp(database, findKeyNames, merchantId, [...keys])).map(({ id, name }) => [id, name]),
  );
  const imports = await describeImports(database, merchantId, authors);
  return authors.map((author) => ({
    who_kind: author.actor_kind,
    who: author.actor_kind === 'operator_key' ? '' : author.actor_name,
    key_name: keyNames.get(keyOf(author) ?? 0) ?? null,
    import: imports.get(author.import_id ?? '') ?? null,
  }));
}

/** By ID. The audit log knows names of imports longer than the list of imports. */
async function describeImports(
  database: Reader,
  merchantId: number,
  authors: readonly StoredAuthor[],
): Promise<Map<string, AuthorImport>> {
  const times = new Map(authors.flatMap(({ import_id: id, at }) => (id === null ? [] : [[id, at]])));
  const kept = new Set(
    (await lookUp(database, findKeptImports, merchantId, [...times.keys()])).map(({ id }) => id),
  );
  const described = await Promise.all(
    [...times].map(async ([id, at]): Promise<[string, AuthorImport]> => {
      // A merchant has one import at a time: the newest entry is this one's.
      const period = { from: id.slice(0, TIME_DIGITS), until: timePrefix(at + 1) };
      const entry = await database.first(findImportEntry, { merchantId, ...period });
      const isBulk = entry?.action === 'products.bulk_changed';
      const subject = entry?.subject ?? null;
      const name = subject === null || isBulk ? subject : fileOfImport(subject);
      return [id, { id, name, is_bulk: isBulk, is_kept: kept.has(id) }];
    }),
  );
  return new Map(described);
}

/** Returns what the IDs of audit entries and imports begin with that were made at a time. */
export function timePrefix(at: number): string {
  const digits = idPrefix(at);
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
