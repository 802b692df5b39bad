import { idempotencyKeyReference } from '../http/endpoint/idempotency.ts';
import type { EndpointReference, FileReference } from '../http/endpoint/reference.ts';
import { pageReferences, summarySchema } from '../http/pages/reference.ts';
import { orNull, record, type Schema, time } from '../http/schema.ts';
import { productFormats } from '../products/files/detect-format.ts';
import type { Import } from './import-record.ts';
import { importStates } from './import-state.ts';
import type { cancelParameters, importParameters, listParameters, rejectsParameters } from './parameters.ts';

const tag = { name: 'Imports', description: 'Files with many products.' };
const count: Schema = { type: 'integer', minimum: 0 };
const counted = (outcome: string): Schema => ({
  ...count,
  description: `The number of products that ${outcome} so far; for a dry run, that would be.`,
});

const importSchema = record<Import>('Import', 'The import of a file. It is kept for a day.', {
  id: { type: 'string' },
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
  bytes: { ...count, description: 'The size of the file.' },
  progress: { type: 'number', minimum: 0, maximum: 1 },
  created: counted('were created'),
  updated: counted('were updated'),
  unchanged: counted('did not change'),
  rejected: counted('were rejected'),
  repeated: {
    ...count,
    description:
      'How many of the created, updated and unchanged products replaced an earlier row of the file.',
  },
  ignored_columns: { type: 'array', items: { type: 'string' } },
  failure: orNull({ type: 'string', description: 'Why it failed.' }),
  created_by: { type: 'string', description: 'The key or the console user that sent the file.' },
  created_at: time,
  finished_at: orNull(time),
});

const exampleImport: Import = {
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
const finishedImport: Import = {
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

interface RejectedRow {
  line: number;
  name: string | null;
  value: string;
  reason: string;
}

const rejectedRowSchema = record<RejectedRow>('RejectedRow', 'A reason for rejecting a row of a file.', {
  line: { type: 'integer', minimum: 1, description: 'The line where the row begins.' },
  name: { type: ['string', 'null'], description: 'The column or field; null for the whole row.' },
  value: { type: 'string', description: 'The value in the file, at most 200 characters of it.' },
  reason: { type: 'string', description: 'What is wrong, and what was expected.' },
});
const exampleRow: RejectedRow = {
  line: 17,
  name: 'cost_basis',
  value: '12,50',
  reason: 'expected a number that is 0 or more, such as 12.5',
};

const id = { description: 'The ID of the import.', example: exampleImport.id };
const imports: Schema = { type: 'array', items: importSchema };
const rejectedRows: Schema = { type: 'array', items: rejectedRowSchema };

export const fileReference: FileReference = {
  description: 'A product file: CSV, NDJSON or a Shopify export, optionally gzipped.',
  example: 'identifier,title\nVASE-7,Vase\n',
};

export const importReference: EndpointReference<typeof importParameters> = {
  name: 'importFile',
  tag,
  summary: 'Import a file',
  description:
    'Receives a file and imports it in the background, with the same rules as an upload in the console. One file of a ' +
    'merchant is received and imported at a time. Send the token in the query, in the `Authorization` header, or in a ' +
    'field before the file: it is checked before the file is read.',
  parameters: {
    name: {
      description: 'The file’s name, for lists. By default the name in the multipart field.',
      example: 'catalog.csv',
    },
    dry_run: {
      description:
        'Whether to only check what the import would change. The console can then import the file.',
      default: false,
    },
  },
  headers: {
    'Idempotency-Key': {
      ...idempotencyKeyReference,
      description: `${idempotencyKeyReference.description} It is bound to the content of the file too.`,
    },
  },
  success: {
    status: 202,
    description: 'The import has started. `Location` shows its progress.',
    schema: importSchema,
    examples: { import: { summary: 'A new import', value: exampleImport } },
    located: true,
  },
};

export const listReference: EndpointReference<typeof listParameters> = {
  name: 'listImports',
  tag,
  summary: 'List imports',
  description: 'Lists the imports of the last day, through the API and in the console, newest first.',
  parameters: pageReferences('imports'),
  success: {
    description: 'The page: an array of imports, or the pagination summary if `pagination` is true.',
    schema: {
      oneOf: [imports, summarySchema('ImportPage', { items: 'imports', one: 'import', results: imports })],
    },
    examples: { imports: { summary: 'Imports', value: [finishedImport] } },
    linked: true,
  },
};

export const retrieveReference: EndpointReference<typeof cancelParameters> = {
  name: 'retrieveImport',
  tag,
  summary: 'Retrieve an import',
  description: 'Returns the status and the counts of an import. Any node that shares the database answers.',
  parameters: { id },
  success: {
    description: 'The import.',
    schema: importSchema,
    examples: { import: { summary: 'A finished import', value: finishedImport } },
  },
};

export const rejectsReference: EndpointReference<typeof rejectsParameters> = {
  name: 'listRejectedRows',
  tag,
  summary: 'List the rejected rows of an import',
  description:
    'Lists the reasons for rejecting rows in the order in which they were found; a row can have several. At most 10,000 ' +
    'reasons of an import are kept.',
  parameters: { id, ...pageReferences('reasons') },
  success: {
    description: 'The page: an array of reasons, or the pagination summary if `pagination` is true.',
    schema: {
      oneOf: [
        rejectedRows,
        summarySchema('RejectedRowPage', { items: 'reasons', one: 'reason', results: rejectedRows }),
      ],
    },
    examples: { rejects: { summary: 'A wrong number', value: [exampleRow] } },
    linked: true,
  },
};

export const cancelReference: EndpointReference<typeof cancelParameters> = {
  name: 'cancelImport',
  tag,
  summary: 'Cancel an import',
  description:
    'Stops an import within seconds. The rows that have been imported by then stay, and the counts include them. ' +
    'Canceling a dry run that has finished discards its file. An import that has ended does not change.',
  parameters: { id },
  headers: { 'Idempotency-Key': idempotencyKeyReference },
  success: {
    description: 'The import.',
    schema: importSchema,
    examples: { import: { summary: 'An import', value: { ...finishedImport, status: 'canceled' } } },
  },
};
