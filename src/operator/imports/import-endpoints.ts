import type { FastifyInstance } from 'fastify';
import { liveSideOf, modeOf, OPERATOR_ID } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { DEFAULT_LIMIT, pageParameters, readPage } from '../../http/parameters/page.ts';
import { oneOf } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { cancelImport } from '../../imports/cancel-import.ts';
import { importRecord } from '../../imports/import-record.ts';
import { finishedImport, importSchema, importsTag } from '../../imports/import-schema.ts';
import type { Imports } from '../../imports/imports.ts';
import {
  importPhases,
  importSources,
  listImportsOfAllMerchants,
  sourceOf,
} from '../../imports/list-imports-of-all-merchants.ts';
import type { ImportRow } from '../../imports/queries.ts';
import { type NamedMerchant, nameMerchants } from '../../merchants/name-merchants.ts';
import { cutPage } from '../../sync/cut-page.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { requireMerchant } from '../merchants/merchant-parameters.ts';
import { importInPath } from './import-parameters.ts';
import { exampleMerchantImport, importPageSchema, type MerchantImport } from './import-schema.ts';
import { sideOfImport } from './side-of-import.ts';

/** The imports of all merchants. */
export function operatorImportEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { imports: Imports },
): void {
  const { database, imports, now } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/imports',
    name: 'listImports',
    tag: importsTag,
    summary: 'List the imports of all merchants',
    description:
      'Lists the imports of the last day, through the API and in the console, newest first. Streams of the operator are not ' +
      'among them.',
    scope: 'catalog',
    pathParameters: {},
    parameters: {
      state: {
        type: oneOf(importPhases),
        description:
          'Only imports in this state. Nothing of the file has been read yet for `waiting`. A `running` import is being checked ' +
          'or imported, and all others are `finished`, whether they succeeded or not; `failed` lists only those that failed.',
        example: 'running',
      },
      source: {
        type: oneOf(importSources),
        description: 'Only files of this format, or `bulk` for changes of many products in the console.',
        example: 'csv',
      },
      ...pageParameters('imports'),
    },
    statuses: [200, 304],
    success: {
      description: 'A page of imports.',
      schema: importPageSchema,
      examples: {
        page: { summary: 'The last page', value: { results: [exampleMerchantImport], next: null } },
      },
    },
    handle: async ({ request, reply, input: { after, limit = DEFAULT_LIMIT, ...filter } }) => {
      const { results: rows, next } = await readPage(
        { merchantId: OPERATOR_ID, items: 'imports', selected: [filter.state, filter.source], after },
        ['text'],
        async (place) => {
          const part = { ...filter, after: place?.[0], limit: limit + 1 };
          return cutPage(await listImportsOfAllMerchants(services, part), limit, ({ id }): [string] => [id]);
        },
      );
      const named = await nameMerchants(
        database,
        rows.map(({ merchant_id: id }) => id),
      );
      const results = rows.flatMap((row) => {
        const merchant = named.get(liveSideOf(row.merchant_id));
        return merchant === undefined ? [] : [describe(row, merchant)];
      });
      await sendJson(request, reply, JSON.stringify({ results, next }));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/imports/{import_id}/cancel',
    name: 'cancelImport',
    tag: importsTag,
    summary: 'Cancel an import of a merchant',
    description:
      'Stops an import within seconds. The rows that have been imported by then stay, and the counts include them. ' +
      'Canceling a dry run that has finished discards its file. An import that has ended does not change. The merchant’s ' +
      'audit log says that the operator has canceled it.',
    scope: 'catalog',
    pathParameters: importInPath,
    parameters: {},
    statuses: [200, 404],
    success: {
      description: 'The import.',
      schema: importSchema,
      examples: {
        import: { summary: 'A canceled import', value: { ...finishedImport, status: 'canceled' } },
      },
    },
    handle: async ({ request, reply, caller: { who }, path }) => {
      const { id: live } = await requireMerchant(database, path);
      const key = await sideOfImport(imports, live, path.import_id);
      const { merchantId, id } = key;
      if ((await imports.find(key)) === undefined) throw errors.import_not_found(id);
      const canceled = await runVerb(services, { merchantId, who }, cancelImport, { id });
      await imports.releaseFile(key);
      await sendJson(request, reply, JSON.stringify(canceled));
    },
  });

  function describe(row: ImportRow & { merchant_id: number }, merchant: NamedMerchant): MerchantImport {
    const test = modeOf(row.merchant_id) === 'test';
    return { ...importRecord(row, now()), merchant, test, source: sourceOf(row) };
  }
}
