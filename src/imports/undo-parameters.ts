import { errors } from '../errors/errors.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { text } from '../http/parameters/types.ts';
import type { ChangeName } from '../products/undo/find-change.ts';
import { finishedImport } from './import-schema.ts';

const MAX_ID_LENGTH = 100;

/** What an undo undoes. */
export const undoParameters = {
  import_id: {
    type: text(MAX_ID_LENGTH),
    description:
      'The ID of the import, or of the change of many products in the console, to undo. Or send `change_id`.',
    example: finishedImport.id,
  },
  change_id: {
    type: text(MAX_ID_LENGTH),
    description:
      'The `change_id` of the call to undo, as the history of a product it changed names it, instead of `import_id`.',
    example: '1772611200000000-0',
  },
} as const;

/** @throws {DomainError} `invalid_parameters` unless there is one of both IDs */
export function changeOf({
  import_id: importId,
  change_id: changeId,
}: BoundParameters<typeof undoParameters>): ChangeName {
  if (importId !== undefined && changeId === undefined) return { import: importId };
  if (changeId !== undefined && importId === undefined) return { change: changeId };
  const reason = 'send either the ID of an import, or a change_id of the history';
  const field = importId === undefined ? 'import_id' : 'change_id';
  throw errors.invalid_parameters([{ field, reason }]);
}
