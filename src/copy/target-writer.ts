import type { Connection, Database } from '../database/database.ts';
import { namingSide } from './copy-stopped.ts';
import { holdCopy } from './mark.ts';
import type { Page } from './pages.ts';
import { boundParameters, deleteRows, deleteRowsByValue, insertRow } from './queries.ts';
import type { Section } from './sections.ts';
import type { TableWithColumns } from './tables.ts';

/** A transaction is written when it has this many rows, or this many characters of them, of any merchants. */
const TRANSACTION_ROWS = 2_000;
const TRANSACTION_LENGTH = 4 * 1024 * 1024;

/** A page to write. */
interface Change {
  section: Section<TableWithColumns>;
  page: Page;
  /** Whether the target has rows at or after the page's beginning. */
  occupied: boolean;
}

/** Writes the pages of one table into the target. Each transaction runs while the pages of the next one are read. */
export class TargetWriter {
  readonly #target: Database;
  readonly #run: string;
  readonly #table: TableWithColumns;
  #waiting: Change[] = [];
  #rows = 0;
  #length = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(target: Database, run: string, table: TableWithColumns) {
    this.#target = target;
    this.#run = run;
    this.#table = table;
  }

  /** Replaces the target's rows between a page's bounds by the page. `length` is the page's size as text. */
  async replace(
    section: Section<TableWithColumns>,
    page: Page,
    length: number,
    occupied: boolean,
  ): Promise<void> {
    this.#waiting.push({ section, page, occupied });
    this.#rows += page.rows.length;
    this.#length += length;
    if (this.#rows >= TRANSACTION_ROWS || this.#length >= TRANSACTION_LENGTH) await this.#flush();
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#writing;
  }

  async #flush(): Promise<void> {
    const changes = this.#waiting.splice(0);
    this.#rows = 0;
    this.#length = 0;
    await this.#writing;
    if (changes.length === 0) return;
    this.#writing = this.#write(changes);
    // The next flush or `end` throws the error.
    this.#writing.catch(() => {});
  }

  async #write(changes: Change[]): Promise<void> {
    const work = async (connection: Connection): Promise<void> => {
      await holdCopy(connection, this.#run);
      for (const change of changes) if (change.occupied) await clear(connection, change);
      const rows = changes.flatMap(({ page }) => page.rows);
      await connection.runEach(insertRow(this.#table), rows);
    };
    await namingSide('--to', () => this.#target.transaction(work, { longRunning: true }));
  }
}

/** Deletes the rows between a page's bounds, and rows elsewhere in the section that have one of its unique values. */
async function clear(connection: Connection, { section, page }: Change): Promise<void> {
  const { table, owner } = section;
  const { rows, after, upTo } = page;
  await connection.run(deleteRows(table, { after: after !== undefined, upTo: upTo !== undefined }), {
    ...owner,
    ...boundParameters('after', after),
    ...boundParameters('upTo', upTo),
  });
  for (const column of table.unique ?? []) {
    await connection.runEach(
      deleteRowsByValue(table, column),
      rows.map((row) => ({ ...owner, value: row[column] ?? null })),
    );
  }
}
