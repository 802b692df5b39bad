import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { ProductColumns, SavedViews } from '../catalog-api.ts';
import { consoleErrors } from '../errors.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { columnList } from './column-list.ts';
import { findProductColumns, findSavedViews, updateProductColumns, updateSavedViews } from './queries.ts';
import { viewList } from './view-list.ts';

export function consoleViewEndpoints(app: FastifyInstance, { database }: { database: Database }): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/views',
    about: 'user',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { user, merchantId, supportView } }) => {
      if (supportView !== undefined) return RenderedJson.of<SavedViews>({ views: [] });
      const row = await database.first(findSavedViews, { userId: user.id, merchantId });
      if (row === undefined) throw consoleErrors.session_required();
      return new RenderedJson(Buffer.from(`{"views":${row.saved_views}}`));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/views',
    about: 'user',
    role: 'viewer',
    parameters: { views: { type: viewList, required: true } },
    statuses: [200],
    handle: async ({ caller: { user, merchantId }, input: { views } }) => {
      const row = { userId: user.id, merchantId, views: JSON.stringify(views) };
      await database.transaction((connection) => connection.run(updateSavedViews, row));
      return RenderedJson.of<SavedViews>({ views });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/product-columns',
    about: 'user',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { user, merchantId, supportView } }) => {
      if (supportView !== undefined) return RenderedJson.of<ProductColumns>({ columns: null });
      const row = await database.first(findProductColumns, { userId: user.id, merchantId });
      if (row === undefined) throw consoleErrors.session_required();
      return RenderedJson.of<ProductColumns>({ columns: namesIn(row.product_columns) });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/product-columns',
    about: 'user',
    role: 'viewer',
    parameters: { columns: { type: columnList, required: true, null: 'clears' } },
    statuses: [200],
    handle: async ({ caller: { user, merchantId }, input: { columns } }) => {
      const row = { userId: user.id, merchantId, columns: columns?.join(',') ?? null };
      await database.transaction((connection) => connection.run(updateProductColumns, row));
      return RenderedJson.of<ProductColumns>({ columns });
    },
  });
}

function namesIn(stored: string | null): string[] | null {
  return stored === '' ? [] : (stored?.split(',') ?? null);
}
