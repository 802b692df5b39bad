import { orNull, record, type Schema, time } from '../http/schema.ts';
import { productFormats } from '../products/files/detect-format.ts';
import type { Import } from './import-record.ts';
import { importStates } from './import-state.ts';

const count: Schema = { type: 'integer', minimum: 0 };
const counted = (outcome: string): Schema => ({
  ...count,
  description: `The number of products that ${outcome} so far; for a dry run, that would be.`,
});

export const importFields: { [Name in keyof Import]: Schema } = {
  id: { type: 'string', description: 'Identifies the import in other calls.' },
  name: { type: 'string', description: 'The file’s name.' },
  status: {
    type: 'string',
    enum: importStates,
    description:
      '`checking` and `importing` are in progress. `checked` is a dry run that has finished, and `done` an import. A file ' +
      'that is `failed` or `canceled` may have been imported in part.',
  },
  dry_run: { type: 'boolean', description: 'Whether the file is only checked.' },
  format: orNull({
    type: 'string',
    description: `One of ${productFormats.join(', ')}; null until it is known.`,
  }),
  bytes: { ...count, description: 'The size of the file, in bytes.' },
  progress: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'The share of the file that has been read, from 0 to 1.',
  },
  created: counted('were created'),
  updated: counted('were updated'),
  unchanged: counted('did not change'),
  rejected: counted('were rejected'),
  repeated: {
    ...count,
    description:
      'How many of the created, updated and unchanged products replaced an earlier row of the file.',
  },
  ignored_columns: {
    type: 'array',
    items: { type: 'string' },
    description: 'The names of the columns that no field has.',
  },
  failure: orNull({
    type: 'string',
    description: 'Why it failed, or why a file that is `checked` cannot be imported as it is.',
  }),
  created_by: { type: 'string', description: 'The key or the console user that sent the file.' },
  created_at: { ...time, description: 'When the file was sent.' },
  finished_at: { ...orNull(time), description: 'When the import ended; null while it is in progress.' },
};

export const importSchema = record<Import>(
  'Import',
  'The import of a file. It is kept for a day.',
  importFields,
);

export const exampleImport: Import = {
  id: '0198a2b4-7c1e-7f00-9d3a-5b6c7d8e9f00',
  name: 'catalog.csv',
  status: 'importing',
  dry_run: false,
  format: null,
  bytes: 1_482_113,
  progress: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  repeated: 0,
  ignored_columns: [],
  failure: null,
  created_by: 'key 12-3',
  created_at: '2026-03-02T17:04:05Z',
  finished_at: null,
};
export const finishedImport: Import = {
  ...exampleImport,
  status: 'done',
  format: 'csv',
  progress: 1,
  created: 120,
  updated: 4_380,
  unchanged: 5_498,
  rejected: 2,
  finished_at: '2026-03-02T17:04:31Z',
};

export const exampleUndo: Import = {
  ...exampleImport,
  id: '0198a2c0-11aa-7c3e-8f21-6a7b8c9d0e1f',
  name: 'Undo: catalog.csv · 4,500 products',
  bytes: 402_771,
};

export const importsTag = { name: 'Imports', description: 'Files with many products.' };
