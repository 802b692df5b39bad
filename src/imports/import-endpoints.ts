import type { FastifyInstance } from 'fastify';
import { errors } from '../errors/errors.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { pageSchemas } from '../http/pages/page-schema.ts';
import { pageOf, pageParameters } from '../http/pages/pages.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { text } from '../http/parameters/types.ts';
import { sendJson } from '../http/responses/respond.ts';
import { record } from '../http/schema.ts';
import { cancelImportOnce } from './cancel-import.ts';
import type { ImportKey } from './import-files.ts';
import { importRecord } from './import-record.ts';
import { finishedImport, importSchema, importsTag } from './import-schema.ts';
import type { Imports } from './imports.ts';
import type { ImportRow } from './queries.ts';

interface RejectedRow {
  line: number;
  identifier: string | null;
  name: string | null;
  value: string;
  reason: string;
}

const rejectedRowSchema = record<RejectedRow>('RejectedRow', 'A reason for rejecting a row of a file.', {
  line: { type: 'integer', minimum: 1, description: 'The number of the line where the row begins, from 1.' },
  identifier: { type: ['string', 'null'], description: 'The product’s; null if it could not be read.' },
  name: { type: ['string', 'null'], description: 'The column or field; null for the whole row.' },
  value: { type: 'string', description: 'The value in the file, at most 200 characters of it.' },
  reason: { type: 'string', description: 'What is wrong, and what was expected.' },
});
const exampleRow: RejectedRow = {
  line: 17,
  identifier: 'VASE-7',
  name: 'cost_basis',
  value: '12,50',
  reason: 'expected a number that is 0 or more, such as 12.5',
};

const id = {
  type: text(100),
  required: true,
  description: 'The ID of the import.',
  example: finishedImport.id,
} as const;
const pageOfImports = pageSchemas('ImportPage', { items: 'imports', one: 'import', schema: importSchema });
const pageOfReasons = pageSchemas('RejectedRowPage', {
  items: 'reasons',
  one: 'reason',
  schema: rejectedRowSchema,
});

/** The calls that show and cancel imports (contract for writing, “Many at once”). */
export function importEndpoints(app: FastifyInstance, services: WriteServices & { imports: Imports }): void {
  const { imports, now } = services;
  const find = async (key: ImportKey): Promise<ImportRow> => {
    const row = await imports.find(key);
    if (row === undefined) throw errors.import_not_found(key.id);
    return row;
  };
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/imports.json',
    name: 'listImports',
    tag: importsTag,
    summary: 'List imports',
    description: 'Lists the imports of the last day, through the API and in the console, newest first.',
    scope: 'read',
    parameters: pageParameters('imports'),
    statuses: [200, 304],
    success: {
      description: 'The page: an array of imports, or the pagination summary if `pagination` is true.',
      schema: { oneOf: pageOfImports },
      examples: { imports: { summary: 'Imports', value: [finishedImport] } },
      linked: true,
    },
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const { page, perPage } = pageOf(input);
      const total = await imports.count(merchantId);
      const rows = await imports.list(merchantId, { offset: (page - 1) * perPage, limit: perPage });
      const records = rows.map((row) => importRecord(row, now()));
      await sendPage(request, reply, { input, records, total });
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/imports/retrieve.json',
    name: 'retrieveImport',
    tag: importsTag,
    summary: 'Retrieve an import',
    description: 'Returns the status and the counts of an import. Any node that shares the database answers.',
    scope: 'read',
    parameters: { id },
    statuses: [200, 304, 404],
    success: {
      description: 'The import.',
      schema: importSchema,
      examples: { import: { summary: 'A finished import', value: finishedImport } },
    },
    handle: async ({ request, reply, caller: { merchantId }, input: { id } }) => {
      await sendJson(request, reply, JSON.stringify(importRecord(await find({ merchantId, id }), now())));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/imports/rejects.json',
    name: 'listRejectedRows',
    tag: importsTag,
    summary: 'List the rejected rows of an import',
    description:
      'Lists the reasons for rejecting rows in the order in which they were found; a row can have several. At most 10,000 ' +
      'reasons of an import are kept.',
    scope: 'read',
    parameters: { id, ...pageParameters('reasons') },
    statuses: [200, 304, 404],
    success: {
      description: 'The page: an array of reasons, or the pagination summary if `pagination` is true.',
      schema: { oneOf: pageOfReasons },
      examples: { rejects: { summary: 'A wrong number', value: [exampleRow] } },
      linked: true,
    },
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const key = { merchantId, id: input.id };
      await find(key);
      const { page, perPage } = pageOf(input);
      const total = await imports.countRejections(key);
      const rows = await imports.rejections(key, { after: (page - 1) * perPage, limit: perPage });
      const records = rows.map(({ line, identifier, name, value, reason }) => ({
        line,
        identifier: identifier || null,
        name: name || null,
        value,
        reason,
      }));
      await sendPage(request, reply, { input, records, total });
    },
  });
  registerWrite(app, services, {
    path: '/imports/cancel.json',
    name: 'cancelImport',
    tag: importsTag,
    summary: 'Cancel an import',
    description:
      'Stops an import within seconds. The rows that have been imported by then stay, and the counts include them. ' +
      'Canceling a dry run that has finished discards its file. An import that has ended does not change.',
    scope: 'write',
    parameters: { id },
    statuses: [200, 404, 409],
    success: {
      description: 'The import.',
      schema: importSchema,
      examples: { import: { summary: 'An import', value: { ...finishedImport, status: 'canceled' } } },
    },
    handle: async ({ request, reply, caller: { merchantId }, input: { id }, runOnce }) => {
      const key = { merchantId, id };
      await find(key);
      const { response } = await runOnce(cancelImportOnce, { id }, {});
      await imports.releaseFile(key);
      await sendJson(request, reply, response);
    },
  });
}
