import type { Connection, Database, Value } from '../database/database.ts';
import { naming } from './copy-stopped.ts';
import { holdCopy } from './mark.ts';
import type { Page } from './pages.ts';
import { columnsOf, deleteRows, deleteRowsByValue, insertRow } from './queries.ts';
import type { Section } from './sections.ts';
import type { Table } from './tables.ts';

/** A transaction takes so many rows or characters of them, however many merchants they are of. */
const TRANSACTION_ROWS = 2_000;
const TRANSACTION_LENGTH = 4 * 1024 * 1024;

/** What is to be where the target has something else. */
interface Change {
  section: Section;
  page: Page;
  /** Whether there is anything from there on. */
  occupied: boolean;
}

/** Writes one table's pages into the target, each transaction while the next one's pages are being read. */
export class TargetWriter {
  readonly #target: Database;
  readonly #run: string;
  readonly #table: Table;
  #waiting: Change[] = [];
  #rows = 0;
  #length = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(target: Database, run: string, table: Table) {
    this.#target = target;
    this.#run = run;
    this.#table = table;
  }

  /** Puts a page in the place of what is between its bounds. `length` is how long it is as text. */
  async replace(section: Section, page: Page, length: number, occupied: boolean): Promise<void> {
    this.#waiting.push({ section, page, occupied });
    this.#rows += page.rows.length;
    this.#length += length;
    if (this.#rows >= TRANSACTION_ROWS || this.#length >= TRANSACTION_LENGTH) await this.#begin();
  }

  /** Resolves once everything is written. */
  async end(): Promise<void> {
    await this.#begin();
    await this.#writing;
  }

  async #begin(): Promise<void> {
    const changes = this.#waiting.splice(0);
    this.#rows = 0;
    this.#length = 0;
    await this.#writing;
    if (changes.length === 0) return;
    this.#writing = this.#write(changes);
    // Whoever comes next is told.
    this.#writing.catch(() => {});
  }

  async #write(changes: Change[]): Promise<void> {
    const work = async (connection: Connection): Promise<void> => {
      await holdCopy(connection, this.#run);
      for (const change of changes) if (change.occupied) await clear(connection, change);
      const rows = changes.flatMap(({ page }) => page.rows);
      await connection.runEach(insertRow(this.#table), rows);
    };
    await naming('--to', () => this.#target.transaction(work, { unhurried: true }));
  }
}

/** Removes what is between a page's bounds, and what has one of its unique values anywhere else. */
async function clear(connection: Connection, { section, page }: Change): Promise<void> {
  const { table, owner } = section;
  const { rows, after, upTo } = page;
  const bounds = { after: after !== undefined, upTo: upTo !== undefined };
  await connection.run(deleteRows(table, bounds), [...owner, ...(after ?? []), ...(upTo ?? [])]);
  if (table.unique === undefined) return;
  const column = columnsOf(table).indexOf(table.unique);
  const values = rows.map((row): Value[] => [...owner, row[column] ?? null]);
  await connection.runEach(deleteRowsByValue(table, table.unique), values);
}
