import { recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { setListedCategories } from '../products/record/listed-categories.ts';
import type { CheckedEntries } from './check-entries.ts';
import type { ListName } from './lists.ts';
import { deleteList, findList, upsertList } from './queries.ts';
import { type ListEntries, readList } from './read-lists.ts';

/** Sets a list. Setting the same entries again changes nothing. Merchants see it with their next request. */
export async function setList(
  context: WriteContext,
  { name, entries }: { name: ListName; entries: CheckedEntries },
): Promise<ListEntries> {
  const { connection } = context;
  const { json, count, names } = entries;
  if ((await connection.first(findList, { name }))?.value !== json) {
    // Locks the row, so that two requests do not set the categories at the same time.
    await connection.run(upsertList, { name, value: json });
    if (name === 'categories') await setListedCategories(connection, names);
    const subject = `${name}: ${count} ${count === 1 ? 'entry' : 'entries'}`;
    recordAudit(context, { action: 'metadata.changed', subject });
  }
  return { isDefault: false, json };
}

/** Removes what the operator has set, so that the list is the default again. */
export async function resetList(context: WriteContext, { name }: { name: ListName }): Promise<ListEntries> {
  const { connection } = context;
  if ((await connection.run(deleteList, { name })) > 0) {
    if (name === 'categories') await setListedCategories(connection, []);
    recordAudit(context, { action: 'metadata.reset', subject: name });
  }
  return await readList(connection, name);
}
