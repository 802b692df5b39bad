import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { describeUser } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { text } from '../../http/parameters/types.ts';
import { contextOf } from '../../http/request-context.ts';
import { HttpError } from '../../http/responses/errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { Upload } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { describeUpload } from './describe-upload.ts';
import { ImportJobs } from './import-jobs.ts';
import { deleteUpload, findUpload, type UploadRow } from './queries.ts';
import type { Job } from './run-job.ts';
import { startImport } from './start-import.ts';
import { sweepUploads } from './sweep-uploads.ts';
import { takeUpload, UploadInProgress } from './take-upload.ts';
import { FileTooLarge, isUploadId, UploadFiles, type UploadKey } from './upload-files.ts';

const SWEEP_MS = 60 * 60 * 1000;
const MB = 1024 * 1024;
/** The maximum size of the list of rejected rows. */
const MAX_REJECTS_BYTES = 5 * MB;
/** The maximum unpacked size, as a multiple of the maximum upload size. Catalogs compress to about a tenth. */
const MAX_UNPACKED_MULTIPLE = 10;

/** Registers the endpoints that upload product files, check what they would change, and import them. */
export function consoleUploadRoutes(
  app: FastifyInstance,
  {
    database,
    config,
    now,
    metrics,
  }: { database: Database; config: Config; now: () => number; metrics: Metrics },
): void {
  const files = new UploadFiles(config);
  const { budgets } = config;
  const jobs = new ImportJobs({ database, settings: config, budgets, files, now, logger: app.log, metrics });
  metrics.gauge('imports_running', 'Uploaded files that are being checked or imported.', () => jobs.running);
  metrics.gauge('imports_waiting', 'Uploaded files waiting for their first turn.', () => jobs.waiting);
  const receiving = new Set<number>();
  const sweep = (): Promise<void> =>
    sweepUploads({ database, files }, now()).catch((error) =>
      app.log.warn({ err: error }, 'cannot remove old uploads'),
    );
  const sweeping = setInterval(() => void sweep(), SWEEP_MS).unref();
  app.addHook('onReady', sweep);
  app.addHook('onClose', async () => {
    clearInterval(sweeping);
    await jobs.close();
  });

  const find = async ({ merchantId, id }: UploadKey): Promise<UploadRow> => {
    const row = isUploadId(id) ? await database.first(findUpload, { merchantId, id }) : undefined;
    if (row === undefined) throw new HttpError(404, `There is no upload ${id}: upload the file again.`);
    return row;
  };
  const respond = async (key: UploadKey) => RenderedJson.of<Upload>(describeUpload(await find(key), now()));
  const start = (key: UploadKey, state: Job['state'], name: string): void =>
    jobs.start({
      ...key,
      state,
      name,
      path: files.pathOf(key),
      rejectsPath: files.rejectsPathOf(key),
      lowInventory: config.lowInventory,
      maximumRejectsBytes: MAX_REJECTS_BYTES,
      maxCategories: config.budgets.categories,
      maximumUnpackedBytes: MAX_UNPACKED_MULTIPLE * config.maxUploadBytes,
    });

  // In a scope of its own, so that no other endpoint accepts a streamed body.
  app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    registerConsoleEndpoint(scope, {
      method: 'POST',
      path: '/uploads',
      parameters: { name: { type: text(255), required: true } },
      statuses: [200, 409],
      handle: async ({ request, session: { merchant }, input: { name } }) => {
        const stream = request.body;
        if (!(stream instanceof Readable)) {
          throw new HttpError(400, 'Send the file itself, as application/octet-stream.');
        }
        const maximumBytes = config.maxUploadBytes;
        const services = { database, files, now, receiving, maximumBytes, budgets };
        const bytes = Number(request.headers['content-length'] ?? 0);
        const context = contextOf(request.raw);
        // `takeUpload` has a time limit of its own, because a large file may take a long time.
        context.hasSlowBody = true;
        try {
          const key = await takeUpload(services, { merchantId: merchant.id, name, stream, bytes });
          metrics.upload();
          start(key, 'checking', name);
          return await respond(key);
        } catch (error) {
          // Browsers read the response only after they have sent the whole file.
          stream.resume();
          throw forMerchant(error, maximumBytes);
        } finally {
          context.hasSlowBody = false;
        }
      },
    });
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
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ session: { merchant, user }, id }) => {
      const key = { merchantId: merchant.id, id };
      const { name } = await find(key);
      if (!(await files.exists(files.pathOf(key)))) {
        throw new HttpError(409, `${name} is no longer on this server: upload it again.`);
      }
      const started = await startImport({ database, budgets, now }, key, describeUser(user)).catch(
        (error) => {
          throw forMerchant(error, config.maxUploadBytes);
        },
      );
      if (!started) throw new HttpError(409, `${name} is not ready to be imported.`);
      start(key, 'importing', name);
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
      const { name, rejections } = describeUpload(await find(key), now());
      const path = files.rejectsPathOf(key);
      if (!(await files.exists(path))) {
        throw new HttpError(
          404,
          rejections.length === 0
            ? `No row of ${name} was rejected.`
            : `The rejected rows of ${name} are not on this server: upload the file again.`,
        );
      }
      const fileName = `${name}.rejects.csv`;
      const plain = fileName.replaceAll(/[^\w. -]/g, '_');
      reply
        .type('text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)}`,
        )
        .send(createReadStream(path));
      return undefined;
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/uploads/:id',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ session: { merchant }, id }) => {
      const key = { merchantId: merchant.id, id };
      const { state, name } = describeUpload(await find(key), now());
      if (state === 'importing')
        throw new HttpError(409, `${name} is being imported: wait until it is done.`);
      // A check in progress notices the deletion and stops.
      await database.transaction((connection) => connection.run(deleteUpload, key), {
        merchantId: key.merchantId,
      });
      await files.remove(key);
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
