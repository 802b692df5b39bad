import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../errors/errors.ts';
import { idempotencyKeyOf } from '../http/endpoint/idempotency.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { pathOf } from '../http/gate/request-target.ts';
import { pageOf } from '../http/pages/pages.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { acceptFiles } from '../http/parameters/incoming-file.ts';
import { contextOf } from '../http/request-context.ts';
import { sendAccepted, sendJson } from '../http/responses/respond.ts';
import type { ImportKey } from './import-files.ts';
import { importRecord } from './import-record.ts';
import type { Imports } from './imports.ts';
import { cancelParameters, importParameters, listParameters, rejectsParameters } from './parameters.ts';
import type { ImportRow } from './queries.ts';
import { receiveImport } from './receive-import.ts';
import {
  cancelReference,
  fileReference,
  importReference,
  listReference,
  rejectsReference,
  retrieveReference,
} from './references.ts';

const IMPORTS = '/imports.json';
const ALIAS = '/products/upload.json';

/** The calls that import files (contract for writing, “Many at once”). */
export function importRoutes(app: FastifyInstance, services: WriteServices & { imports: Imports }): void {
  const { imports, now, overloadControl } = services;
  const find = async (key: ImportKey): Promise<ImportRow> => {
    const row = await imports.find(key);
    if (row === undefined) throw errors.import_not_found(key.id);
    return row;
  };
  // In a scope of its own, so that no other endpoint accepts a streamed body.
  app.register(async (scope) => {
    acceptFiles(scope);
    registerEndpoint(scope, services, {
      method: 'POST',
      path: IMPORTS,
      alias: ALIAS,
      scope: 'write',
      parameters: importParameters,
      file: fileReference,
      statuses: [202, 409, 413],
      reference: importReference,
      handle: async ({ request, reply, caller: { merchantId, who }, input, file }) => {
        if (file === undefined) throw fileMissing();
        const once = { merchantId, key: idempotencyKeyOf(request), endpoint: `POST ${IMPORTS}` };
        const { name, dry_run: dryRun = false } = input;
        const wanted = { name, dryRun, createdBy: who, file };
        const context = contextOf(request.raw);
        // Receiving has a time limit of its own, because a large file may take a long time.
        context.hasSlowBody = true;
        try {
          const json = await overloadControl.runOutside(() =>
            receiveImport({ ...services, imports }, once, wanted),
          );
          await sendAccepted(request, reply, json, locationOf(request, json));
        } finally {
          context.hasSlowBody = false;
        }
      },
    });
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: IMPORTS,
    scope: 'read',
    parameters: listParameters,
    statuses: [200, 304],
    reference: listReference,
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const { page, perPage } = pageOf(input);
      const total = await imports.count(merchantId);
      const rows = await imports.list(merchantId, { offset: (page - 1) * perPage, limit: perPage });
      const records = rows.map((row) => importRecord(row, now()));
      await sendPage(request, reply, { input, records, total });
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/imports/retrieve.json',
    scope: 'read',
    parameters: cancelParameters,
    statuses: [200, 304, 404],
    reference: retrieveReference,
    handle: async ({ request, reply, caller: { merchantId }, input: { id } }) => {
      await sendJson(request, reply, JSON.stringify(importRecord(await find({ merchantId, id }), now())));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/imports/rejects.json',
    scope: 'read',
    parameters: rejectsParameters,
    statuses: [200, 304, 404],
    reference: rejectsReference,
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const key = { merchantId, id: input.id };
      await find(key);
      const { page, perPage } = pageOf(input);
      const total = await imports.countRejections(key);
      const rows = await imports.rejections(key, { after: (page - 1) * perPage, limit: perPage });
      const records = rows.map(({ line, name, value, reason }) => ({
        line,
        name: name || null,
        value,
        reason,
      }));
      await sendPage(request, reply, { input, records, total });
    },
  });
  registerWrite(app, services, {
    path: '/imports/cancel.json',
    scope: 'write',
    parameters: cancelParameters,
    statuses: [200, 404, 409],
    reference: cancelReference,
    handle: async ({ request, reply, caller: { merchantId }, input: { id }, once }) => {
      const key = { merchantId, id };
      await find(key);
      const json = await once(async (connection) => {
        const row = await imports.cancel(connection, key);
        if (row === undefined) throw errors.import_not_found(id);
        return JSON.stringify(importRecord(row, now()));
      });
      await imports.releaseFile(key);
      await sendJson(request, reply, json);
    },
  });
}

/** Relative to the requested URL, so that it also works behind a proxy that adds a path. */
function locationOf(request: FastifyRequest, json: string): string {
  const isAlias = pathOf(request.url)
    .replace(/(\.json)?$/, '.json')
    .endsWith(ALIAS);
  const { id } = JSON.parse(json) as { id: string };
  return `${isAlias ? '../' : ''}imports/retrieve?id=${id}`;
}

function fileMissing(): Error {
  const reason =
    'missing, expected the field file of a multipart body, or a whole body of another type such as text/csv';
  return errors.invalid_parameters([{ field: 'file', reason }]);
}
