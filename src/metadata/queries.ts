import { statement } from '../database/statement.ts';
import type { ListName } from './lists.ts';

/** A list that the operator has set. */
interface StoredList {
  name: ListName;
  /** The entries as JSON. */
  value: string;
}

export const findList = statement<Pick<StoredList, 'name'>, Pick<StoredList, 'value'>>(
  'SELECT value FROM metadata_lists WHERE name = :name',
);

export const listStoredLists = statement<unknown, StoredList>('SELECT name, value FROM metadata_lists');

export const upsertList = statement<StoredList, never>(
  `INSERT INTO metadata_lists (name, value) VALUES (:name, :value)
   ON CONFLICT (name) DO UPDATE SET value = :value`,
);

export const deleteList = statement<Pick<StoredList, 'name'>, never>(
  'DELETE FROM metadata_lists WHERE name = :name',
);
