import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { SavedViews } from '../catalog-api.ts';
import { consoleErrors } from '../errors.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { findSavedViews, updateSavedViews } from './queries.ts';
import { viewList } from './view-list.ts';

export function consoleViewEndpoints(
  app: FastifyInstance,
  { database, now }: { database: Database; now: () => number },
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/views',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { user, supportView } }) => {
      if (supportView !== undefined) return RenderedJson.of<SavedViews>({ views: [] });
      const row = await database.first(findSavedViews, { userId: user.id });
      if (row === undefined) throw consoleErrors.session_required();
      return new RenderedJson(Buffer.from(`{"views":${row.saved_views}}`));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/views',
    role: 'viewer',
    parameters: { views: { type: viewList, required: true } },
    statuses: [200],
    handle: async ({ caller: { user }, input: { views } }) => {
      const row = { userId: user.id, views: JSON.stringify(views), now: now() };
      await database.transaction((connection) => connection.run(updateSavedViews, row));
      return RenderedJson.of<SavedViews>({ views });
    },
  });
}
