import type { FastifyInstance } from 'fastify';
import { boolean } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { importRecord } from '../../imports/import-record.ts';
import { exampleUndo, importSchema, importsTag } from '../../imports/import-schema.ts';
import { type UndoServices, undoChange } from '../../imports/undo-change.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { requireMerchant } from '../merchants/merchant-parameters.ts';
import { importInPath } from './import-parameters.ts';
import { sideOfImport } from './side-of-import.ts';

/** Undoes an import of a merchant, with the merchant's authority. */
export function operatorUndoEndpoint(
  app: FastifyInstance,
  services: OperatorWriteServices & UndoServices,
): void {
  const { database, imports, now, overloadControl } = services;
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/imports/{import_id}/undo',
    name: 'undoImport',
    tag: importsTag,
    summary: 'Undo an import of a merchant',
    description:
      'Undoes an import, or a change of many products in the console, by an import of the former values, as the merchant’s ' +
      '`POST imports/undo` does: with the merchant’s rules and limits, so moderation and ratings stay. Values that another ' +
      'change has set since stay, and the merchant’s console lists them. The merchant’s audit log says that the operator ' +
      'did it. A repeated call has nothing to undo.',
    scope: 'catalog',
    pathParameters: importInPath,
    parameters: {
      dry_run: {
        type: boolean,
        description: 'Whether to only check what would return. The merchant’s console shows it.',
        default: false,
      },
    },
    statuses: [200, 404, 409],
    success: {
      description: 'The import, which has started.',
      schema: importSchema,
      examples: { undo: { summary: 'The undo of an import', value: exampleUndo } },
    },
    handle: async ({ request, reply, caller: { who }, path, input: { dry_run: dryRun = false } }) => {
      const { id: live } = await requireMerchant(database, path);
      const { merchantId, id } = await sideOfImport(imports, live, path.import_id);
      const firstStep = dryRun ? 'checking' : 'importing';
      const key = await overloadControl.runOutside(() =>
        undoChange(services, { merchantId, who, change: { import: id }, firstStep }),
      );
      const row = key && (await imports.find(key));
      if (row === undefined) throw new Error('the undo was not stored');
      await sendJson(request, reply, JSON.stringify(importRecord(row, now())));
    },
  });
}
