import { csvLine } from '../../files/write-csv.ts';
import { escapeFormulas } from '../../shared/formulas.ts';
import type { ActivityEntry, ActivityList, ChangedOrderValue } from '../activity-api.ts';
import { typeOfAction } from './log-types.ts';

const columns = [
  ...['at', 'type', 'who', 'import', 'action', 'subject', 'count', 'field', 'variation', 'from', 'to'],
] as const;
type Column = (typeof columns)[number];
type Row = Partial<Record<Column, string | number | null>>;

/** The header, with the names of the columns. */
export const activityCsvHeader = csvLine(columns);

/**
 * Yields the lines of a list, one for each field that changed, without formulas for a spreadsheet. `read`
 * returns a part of the list.
 */
export async function* activityCsvLines(
  read: (before: string | undefined) => Promise<ActivityList>,
): AsyncGenerator<Buffer> {
  let before: string | undefined;
  do {
    const { entries, next } = await read(before);
    const text = entries.flatMap(rowsOf).map(lineOf).join('');
    if (text !== '') yield Buffer.from(text);
    before = next ?? undefined;
  } while (before !== undefined);
}

function rowsOf(entry: ActivityEntry): Row[] {
  const { at, who_kind, who, key_name, import: ofImport } = entry;
  const key =
    who_kind === 'merchant_key' ? `key ${who}${key_name === null ? '' : ` ${key_name}`}` : undefined;
  const author = {
    at,
    who: key ?? (who === '' ? who_kind : who),
    import: ofImport?.name ?? ofImport?.id ?? null,
  };
  switch (entry.about) {
    case 'log': {
      const { action, subject } = entry;
      return [{ ...author, type: typeOfAction(action), action, subject }];
    }
    case 'campaign': {
      const { campaign, action, changes } = entry;
      const of = { ...author, type: 'campaign', action, subject: campaign.name ?? campaign.id };
      return changes.map((change) => ({ ...of, ...change }));
    }
    case 'orders': {
      const { changed, created, order_ids: ids, changes } = entry;
      const action = changed > 0 ? 'changed' : 'created';
      const of = { ...author, type: 'order', action, subject: ids.join(' '), count: changed + created };
      if (changes.length === 0) return [of];
      return changes.map((change) => ({ ...of, field: fieldOf(change), from: change.from, to: change.to }));
    }
    case 'products': {
      const { changed, created, fields, product, changes } = entry;
      const action = changed > 0 ? 'changed' : 'created';
      const count = changed + created;
      const of = { ...author, type: 'product', action, subject: product?.identifier ?? null, count };
      if (product === null || changes === null || changes.length === 0)
        return [{ ...of, field: fields.join(' ') }];
      return changes.map((change) => ({ ...of, ...change }));
    }
  }
}

/** Returns for example `packages[1].carrier`. */
function fieldOf({ field, package: place, refund }: ChangedOrderValue): string {
  if (place !== null) return `packages[${place}].${field}`;
  return refund === null ? field : `refunds[${refund}].${field}`;
}

function lineOf(row: Row): string {
  return csvLine(
    columns.map((column) => {
      const value = row[column] ?? null;
      return typeof value === 'string' ? escapeFormulas(value) : value;
    }),
  );
}
