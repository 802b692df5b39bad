import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { merchantUser } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import type { OverloadControl } from '../../http/gate/overload-control.ts';
import { boolean, int32, text } from '../../http/parameters/types.ts';
import { contextOf } from '../../http/request-context.ts';
import { cancelImport } from '../../imports/cancel-import.ts';
import { columnNames } from '../../imports/column-parameters.ts';
import type { ImportKey } from '../../imports/import-files.ts';
import { type ImportReading, parseReading } from '../../imports/import-reading.ts';
import { currentState } from '../../imports/import-state.ts';
import type { Imports } from '../../imports/imports.ts';
import type { ImportRow } from '../../imports/queries.ts';
import { renderRejects } from '../../imports/render-rejects.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { type ConsoleImport, type ImportList, MAX_LISTED_IMPORTS } from '../catalog-api.ts';
import { consoleErrors } from '../errors.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { describeConsoleImport, MAX_SHOWN_REJECTIONS, summarizeImport } from './describe-import.ts';

const DEFAULT_LIMIT = 10;

export function consoleImportEndpoints(
  app: FastifyInstance,
  {
    config,
    database,
    imports,
    now,
    overloadControl,
  }: {
    config: Config;
    database: Database;
    imports: Imports;
    now: () => number;
    overloadControl: OverloadControl;
  },
): void {
  const find = async (key: ImportKey): Promise<ImportRow> => {
    const row = await imports.find(key);
    if (row === undefined)
      throw consoleErrors.missing(`There is no import ${key.id}: upload the file again.`);
    return row;
  };
  const requireFile = async (key: ImportKey, name: string): Promise<void> => {
    if (!(await imports.hasFile(key)))
      throw consoleErrors.conflict(`${name} is no longer on this server: upload it again.`);
  };
  const respond = async (key: ImportKey) => {
    const row = await find(key);
    const rejections = await imports.rejections(key, { after: 0, limit: MAX_SHOWN_REJECTIONS + 1 });
    // Browsers ask again and again while a file is imported.
    const changes = row.state === 'importing' ? null : await imports.changes(key);
    return RenderedJson.of<ConsoleImport>(describeConsoleImport(row, rejections, changes, now()));
  };

  // A plugin of its own, so that no other endpoint accepts a streamed body.
  app.register(async (plugin) => {
    plugin.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    registerConsoleEndpoint(plugin, {
      method: 'POST',
      path: '/imports',
      parameters: { name: { type: text(255), required: true } },
      statuses: [200, 409],
      handle: async ({ request, caller: { merchant, user }, input: { name }, requireCallerStill }) => {
        const stream = request.body;
        if (!(stream instanceof Readable)) {
          throw consoleErrors.invalid('Send the file itself, as application/octet-stream.');
        }
        const bytes = Number(request.headers['content-length'] ?? 0);
        const context = contextOf(request.raw);
        // `takeFile` has its own time limit, because a large file may take long.
        context.hasSlowBody = true;
        try {
          const from = { merchantId: merchant.id, createdBy: merchantUser(user) };
          const abort = (error: Error): void => void stream.destroy(error);
          const reading = { usesRemembered: true } as const;
          const describe = async () => ({ name, firstStep: 'checking', reading }) as const;
          const incoming = { ...from, stream, abort, bytes, describe };
          const key = await overloadControl.runOutside(() =>
            imports.take(incoming, async (received) => {
              await requireCallerStill();
              return await imports.store(received);
            }),
          );
          if (key === undefined) throw new Error('the import was not stored');
          return await respond(key);
        } finally {
          context.hasSlowBody = false;
        }
      },
    });
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/imports',
    parameters: { limit: { type: int32(1, MAX_LISTED_IMPORTS) }, rejecting: { type: boolean } },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { limit = DEFAULT_LIMIT, rejecting = false } }) => {
      const rows = rejecting
        ? await imports.listRejecting(merchant.id, limit)
        : await imports.list(merchant.id, { offset: 0, limit });
      return RenderedJson.of<ImportList>({ imports: rows.map((row) => summarizeImport(row, now())) });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/imports/{id}',
    parameters: {},
    statuses: [200, 404],
    handle: ({ caller: { merchantId }, path: { id } }) => respond({ merchantId, id }),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/imports/{id}/import',
    parameters: { notify: { type: boolean } },
    statuses: [200, 404, 409],
    handle: async ({ caller: { merchant, user }, path: { id }, input: { notify = false } }) => {
      const key = { merchantId: merchant.id, id };
      const { name } = await find(key);
      await requireFile(key, name);
      const notifiedUser = notify && config.mail !== null ? user.id : null;
      const importer = { who: merchantUser(user), notifiedUser };
      if (!(await imports.import(key, name, importer)))
        throw consoleErrors.conflict(`${name} is not ready to be imported.`);
      return await respond(key);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/imports/{id}/check',
    parameters: { sheet: { type: text(255) }, columns: { type: columnNames } },
    statuses: [200, 404, 409],
    handle: async ({ caller: { merchant, user }, path: { id }, input }) => {
      const key = { merchantId: merchant.id, id };
      const { name, reading: stored } = await find(key);
      await requireFile(key, name);
      const { sheet = parseReading(stored).sheet, columns } = input;
      const meaning = columns === undefined ? ({ usesRemembered: true } as const) : { columns };
      const reading: ImportReading = { ...(sheet !== undefined && { sheet }), ...meaning };
      if (!(await imports.checkAgain(key, reading, { name, who: merchantUser(user) })))
        throw consoleErrors.conflict(`${name} cannot be checked again: upload it again.`);
      return await respond(key);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/imports/{id}/rejects.csv',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ reply, caller: { merchant }, path: { id } }) => {
      const key = { merchantId: merchant.id, id };
      const { name, unlisted_rejections: unlisted } = await find(key);
      if ((await imports.countRejections(key)) === 0)
        throw consoleErrors.missing(`No row of ${name} was rejected.`);
      const fileName = `${name}.rejects.csv`;
      const plain = fileName.replaceAll(/[^\w. -]/g, '_');
      reply
        .type('text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}`,
        )
        .send(Readable.from(renderRejects(imports, key, unlisted)));
      return undefined;
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/imports/{id}/cancel',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller: { merchant, user }, path: { id } }) => {
      const key = { merchantId: merchant.id, id };
      await find(key);
      const caller = { merchantId: merchant.id, who: merchantUser(user) };
      await runVerb({ database, now }, caller, cancelImport, { id });
      await imports.releaseFile(key);
      return await respond(key);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/imports/{id}',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ caller: { merchant, user }, path: { id } }) => {
      const key = { merchantId: merchant.id, id };
      const row = await find(key);
      if (currentState(row, now()).state === 'importing')
        throw consoleErrors.conflict(`${row.name} is being imported: wait until it is done.`);
      await imports.discard(key, merchantUser(user));
      return RenderedJson.of({});
    },
  });
}
