import type { FastifyInstance } from 'fastify';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { boolean } from '../http/parameters/types.ts';
import { sendAccepted } from '../http/responses/respond.ts';
import { findStoredResponse } from '../requests/run-once.ts';
import { exampleUndo, importSchema, importsTag } from './import-schema.ts';
import { storeImportOnce } from './store-import.ts';
import { type UndoServices, undoChange } from './undo-change.ts';
import { changeOf, undoParameters } from './undo-parameters.ts';

/** `POST /imports/undo.json`. */
export function undoEndpoint(app: FastifyInstance, services: WriteServices & UndoServices): void {
  const { database, now, overloadControl } = services;
  registerWrite(app, services, {
    path: '/imports/undo.json',
    name: 'undoChange',
    tag: importsTag,
    summary: 'Undo a change of the catalog',
    description:
      'Undoes an import, a change of many products in the console, or one call: imports the former values, in the ' +
      'background and with the rules and limits of an import. A value that another change has set since stays, and is in ' +
      'the list of rejected rows with the values of both. Products and variations that the change created are deleted; ' +
      'deleted ones return. What only the marketplace’s operator sets stays. An undo can be undone too. The history is ' +
      'kept for a time that the operator sets, usually 90 days.',
    scope: 'write',
    parameters: {
      ...undoParameters,
      dry_run: {
        type: boolean,
        description:
          'Whether to only check what would return, and what was changed since. The console shows it, and can then import it.',
        default: false,
      },
    },
    statuses: [202, 404, 409],
    success: {
      status: 202,
      description: 'The import has started. `Location` shows its progress.',
      schema: importSchema,
      examples: { undo: { summary: 'The undo of an import', value: exampleUndo } },
      located: true,
    },
    handle: async ({ request, reply, caller: { merchantId, who }, input, keyed, runOnce }) => {
      const { dry_run: dryRun = false, ...named } = input;
      const change = changeOf(named);
      const repeated = keyed === null ? undefined : await findStoredResponse(database, keyed, now());
      let response = repeated ?? '';
      const undo = { merchantId, who, change, firstStep: dryRun ? 'checking' : 'importing' } as const;
      if (repeated === undefined)
        await overloadControl.runOutside(() =>
          undoChange(services, undo, async ({ newImport }) => {
            ({ response } = await runOnce(storeImportOnce, newImport, {}));
            // Otherwise it is the response to the same request on another process.
            return (JSON.parse(response) as { id: string }).id === newImport.id;
          }),
        );
      const { id } = JSON.parse(response) as { id: string };
      await sendAccepted(request, reply, response, `retrieve?id=${id}`);
    },
  });
}
