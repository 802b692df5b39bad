import type { Dialect } from '../database.ts';

/** Files that merchants sent for import: any process may be asked how far one is. */
export function uploadsTable({ integer, number, text, ordinary }: Dialect): string[] {
  return [
    // The last three columns but the times are JSON. `alive_at`: when its import was last seen to be under way.
    `CREATE TABLE uploads (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      bytes ${integer} NOT NULL,
      state ${text} NOT NULL,
      progress ${number} NOT NULL,
      format ${text},
      failure ${text},
      summary ${text},
      rejections ${text} NOT NULL,
      ignored_columns ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      alive_at ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, id)
    ) ${ordinary}`,
  ];
}
