import type { FastifyInstance } from 'fastify';
import { merchantUser } from '../../audit/record-audit.ts';
import type { OverloadControl } from '../../http/gate/overload-control.ts';
import { type UndoServices, undoChange } from '../../imports/undo-change.ts';
import { changeOf, undoParameters } from '../../imports/undo-parameters.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { StartedUndo } from '../catalog-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

/** An undo has the preview, the progress and the results of an import. */
export function consoleUndoEndpoint(
  app: FastifyInstance,
  services: UndoServices & { overloadControl: OverloadControl },
): void {
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/imports/undo',
    parameters: undoParameters,
    statuses: [200, 404, 409],
    handle: async ({ caller: { merchant, user }, input }) => {
      const undo = { merchantId: merchant.id, who: merchantUser(user), change: changeOf(input) };
      const key = await services.overloadControl.runOutside(() =>
        undoChange(services, { ...undo, firstStep: 'checking' }),
      );
      if (key === undefined) throw new Error('the undo was not stored');
      return RenderedJson.of<StartedUndo>({ id: key.id });
    },
  });
}
