import { nextSchema } from '../../http/parameters/page.ts';
import { orNull, record, type Schema } from '../../http/schema.ts';
import type { Import } from '../../imports/import-record.ts';
import { finishedImport, importFields } from '../../imports/import-schema.ts';
import { type ImportSource, importSources } from '../../imports/list-imports-of-all-merchants.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';

/** An import with its merchant. */
export interface MerchantImport extends Import {
  merchant: NamedMerchant;
  /** Whether it changes test data. */
  test: boolean;
  source: ImportSource | null;
}

export interface MerchantImportPage {
  results: MerchantImport[];
  next: string | null;
}

export const merchantImportSchema = record<MerchantImport>(
  'MerchantImport',
  'An import of a merchant. It is kept for a day.',
  {
    ...importFields,
    merchant: namedMerchantSchema,
    test: { type: 'boolean', description: 'Whether it changes test data.' },
    source: orNull({
      type: 'string',
      enum: importSources,
      description:
        'The format of the file, or `bulk` for a change of many products in the console; null until it is known.',
    }),
  },
);

export const exampleMerchantImport: MerchantImport = {
  ...finishedImport,
  merchant: exampleNamedMerchant,
  test: false,
  source: 'csv',
};

export const importPageSchema: Schema = record<MerchantImportPage>(
  'MerchantImportPage',
  'Imports of all merchants, newest first.',
  {
    results: { type: 'array', items: merchantImportSchema },
    next: nextSchema,
  },
);
