import type { RecordFields } from '../../api-keys/record-fields.ts';
import { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Dialect, Reader } from '../../database/database.ts';
import { SpoolFile } from '../../shared/spool-file.ts';
import { type FramedPage, frame } from '../../sync/framed-page.ts';
import { assemble } from './assemble-page.ts';
import { type RecordSize, readRecords } from './read-in-steps.ts';

interface AssemblerOptions {
  /** The directory for pages that are too large for memory, while they are sent. */
  spoolDirectory: string;
  /** The number of such pages that one merchant may have at once; null for no limit. */
  largePages: number | null;
}

interface PageRecords {
  merchantId: number;
  total: number;
  records: readonly RecordSize[];
  fields: RecordFields;
}

export class PageAssembler {
  readonly #dialect: Dialect;
  readonly #spoolDirectory: string;
  readonly #largePages: ConcurrentUse;

  constructor(dialect: Dialect, { spoolDirectory, largePages }: AssemblerOptions) {
    this.#dialect = dialect;
    this.#spoolDirectory = spoolDirectory;
    this.#largePages = new ConcurrentUse('large_pages', largePages);
  }

  /**
   * Returns a page of records with the given fields. `total` counts the products on all pages. The caller has
   * to close a file.
   * @throws {BudgetExceeded} `large_pages`
   */
  async assemble(
    reader: Reader,
    page: FramedPage,
    { merchantId, total, records, fields }: PageRecords,
  ): Promise<Buffer | SpoolFile> {
    const steps = readRecords(reader, this.#dialect, { merchantId, records, fields });
    return await assemble(frame(page, { total, count: records.length }), steps, async () => {
      this.#largePages.requireRemaining(merchantId);
      return await SpoolFile.create(this.#spoolDirectory, this.#largePages.hold(merchantId));
    });
  }
}
