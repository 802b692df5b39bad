import type { Dialect } from '../database.ts';

/** Creates the table of uploaded files, from which any process can read the progress of an import. */
export function uploadsTable({ integer, number, text, ordinary }: Dialect): string[] {
  return [
    // `summary`, `rejections` and `ignored_columns` are JSON. `alive_at` is when its import last reported progress.
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
