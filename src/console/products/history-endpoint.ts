import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { cursor, int32 } from '../../http/parameters/types.ts';
import { readHistory } from '../../products/history/list-history.ts';
import { lookedUpIdentifier } from '../../products/record/product-parameters.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { nameAuthors } from '../activity/name-authors.ts';
import type { ConsoleProductChange, ConsoleProductHistory } from '../activity-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

const DEFAULT_LIMIT = 20;

/** Unlike the API's call, this one says what keys and imports are called. */
export function consoleProductHistoryEndpoint(
  app: FastifyInstance,
  { database }: { database: Database },
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/history',
    parameters: {
      identifier: { type: lookedUpIdentifier, required: true },
      before: { type: cursor },
      limit: { type: int32(1, 100) },
    },
    statuses: [200, 404],
    handle: async ({ caller: { merchantId }, input: { identifier, before, limit = DEFAULT_LIMIT } }) => {
      const page = { perPage: limit, after: before };
      const history = await readHistory(database, { merchantId, identifier }, page);
      const stored = history.changes.map(({ author }) => author);
      const authors = await nameAuthors(database, merchantId, stored);
      const entries = history.changes.flatMap(
        ({ author: { revision, part, at }, action, changes }, index) => {
          const author = authors[index];
          if (author === undefined) return [];
          return [{ id: `${revision}-${part}`, at: formatTime(at), action, ...author, changes }];
        },
      ) satisfies ConsoleProductChange[];
      return RenderedJson.of<ConsoleProductHistory>({ entries, next: history.more ? history.cursor : null });
    },
  });
}
