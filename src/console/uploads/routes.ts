import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { describeUser } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { boolean, int32, text } from '../../http/parameters/types.ts';
import { contextOf } from '../../http/request-context.ts';
import { HttpError } from '../../http/responses/errors.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { UploadRow } from '../../uploads/queries.ts';
import { renderRejects } from '../../uploads/render-rejects.ts';
import { UploadInProgress } from '../../uploads/take-upload.ts';
import { FileTooLarge, type UploadKey } from '../../uploads/upload-files.ts';
import { currentState } from '../../uploads/upload-state.ts';
import type { Uploads } from '../../uploads/uploads.ts';
import type { Upload, UploadList } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { describeUpload, MAX_SHOWN_REJECTIONS, summarizeUpload } from './describe-upload.ts';

const MB = 1024 * 1024;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

/** Registers the endpoints that upload product files, check what they would change, and import them. */
export function consoleUploadRoutes(
  app: FastifyInstance,
  {
    config,
    database,
    uploads,
    now,
  }: { config: Config; database: Database; uploads: Uploads; now: () => number },
): void {
  const find = async (key: UploadKey): Promise<UploadRow> => {
    const row = await uploads.find(key);
    if (row === undefined) throw new HttpError(404, `There is no upload ${key.id}: upload the file again.`);
    return row;
  };
  const respond = async (key: UploadKey) => {
    const row = await find(key);
    const rejections = await uploads.rejections(key, { after: 0, limit: MAX_SHOWN_REJECTIONS + 1 });
    // Browsers ask again and again while a file is imported.
    const changes = row.state === 'importing' ? null : await uploads.changes(key);
    return RenderedJson.of<Upload>(describeUpload(row, rejections, changes, now()));
  };

  // In a scope of its own, so that no other endpoint accepts a streamed body.
  app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    registerConsoleEndpoint(scope, {
      method: 'POST',
      path: '/uploads',
      parameters: { name: { type: text(255), required: true } },
      statuses: [200, 409],
      handle: async ({ request, session: { merchant, user }, input: { name } }) => {
        const stream = request.body;
        if (!(stream instanceof Readable)) {
          throw new HttpError(400, 'Send the file itself, as application/octet-stream.');
        }
        const bytes = Number(request.headers['content-length'] ?? 0);
        const context = contextOf(request.raw);
        // `takeUpload` has a time limit of its own, because a large file may take a long time.
        context.hasSlowBody = true;
        try {
          const from = { merchantId: merchant.id, createdBy: describeUser(user) };
          const abort = (error: Error): void => void stream.destroy(error);
          const incoming = { ...from, name, stream, abort, bytes, firstStep: 'checking' } as const;
          const key = await uploads.take(incoming, async (_received, insert) => {
            await database.transaction(insert, { merchantId: merchant.id });
            return true;
          });
          if (key === undefined) throw new Error('the upload was not stored');
          return await respond(key);
        } catch (error) {
          // Browsers read the response only after they have sent the whole file.
          stream.resume();
          throw forMerchant(error, uploads.maximumBytes);
        } finally {
          context.hasSlowBody = false;
        }
      },
    });
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/uploads',
    parameters: { limit: { type: int32(1, MAX_LIMIT) } },
    statuses: [200],
    handle: async ({ session: { merchant }, input: { limit = DEFAULT_LIMIT } }) => {
      const rows = await uploads.list(merchant.id, { offset: 0, limit });
      return RenderedJson.of<UploadList>({ uploads: rows.map((row) => summarizeUpload(row, now())) });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/uploads/:id',
    parameters: {},
    statuses: [200, 404],
    handle: ({ session: { merchant }, id }) => respond({ merchantId: merchant.id, id }),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/uploads/:id/import',
    parameters: { notify: { type: boolean } },
    statuses: [200, 404, 409],
    handle: async ({ session: { merchant, user }, input: { notify = false }, id }) => {
      const key = { merchantId: merchant.id, id };
      const { name } = await find(key);
      if (!(await uploads.hasFile(key))) {
        throw new HttpError(409, `${name} is no longer on this server: upload it again.`);
      }
      const notifiedUser = notify && config.mail !== null ? user.id : null;
      const importer = { who: describeUser(user), notifiedUser };
      const isStarted = await uploads.import(key, name, importer).catch((error) => {
        throw forMerchant(error, uploads.maximumBytes);
      });
      if (!isStarted) throw new HttpError(409, `${name} is not ready to be imported.`);
      return await respond(key);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/uploads/:id/rejects.csv',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ reply, session: { merchant }, id }) => {
      const key = { merchantId: merchant.id, id };
      const { name, unlisted_rejections: unlisted } = await find(key);
      if ((await uploads.countRejections(key)) === 0)
        throw new HttpError(404, `No row of ${name} was rejected.`);
      const fileName = `${name}.rejects.csv`;
      const plain = fileName.replaceAll(/[^\w. -]/g, '_');
      reply
        .type('text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}`,
        )
        .send(Readable.from(renderRejects(uploads, key, unlisted)));
      return undefined;
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/uploads/:id/cancel',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ session: { merchant }, id }) => {
      const key = { merchantId: merchant.id, id };
      await find(key);
      await database.transaction((connection) => uploads.cancel(connection, key), {
        merchantId: merchant.id,
      });
      await uploads.releaseFile(key);
      return await respond(key);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/uploads/:id',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ session: { merchant }, id }) => {
      const key = { merchantId: merchant.id, id };
      const row = await find(key);
      if (currentState(row, now()).state === 'importing')
        throw new HttpError(409, `${row.name} is being imported: wait until it is done.`);
      await uploads.discard(key);
      return RenderedJson.of({});
    },
  });
}

function forMerchant(error: unknown, maximumBytes: number): unknown {
  if (error instanceof UploadInProgress) return new HttpError(409, error.message);
  if (error instanceof FileTooLarge) {
    return new HttpError(400, `The file is larger than the limit of ${maximumBytes / MB} MB.`);
  }
  return error;
}
