import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from '../errors/errors.ts';
import { idempotencyKeyHeader, idempotencyKeyOf } from '../http/endpoint/idempotency.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import type { WriteServices } from '../http/endpoint/register-write.ts';
import { pathOf } from '../http/gate/request-target.ts';
import { acceptFiles } from '../http/parameters/incoming-file.ts';
import { boolean, ignored, text } from '../http/parameters/types.ts';
import { contextOf } from '../http/request-context.ts';
import { sendAccepted } from '../http/responses/respond.ts';
import { columnNames } from './column-parameters.ts';
import { exampleImport, importSchema, importsTag } from './import-schema.ts';
import type { Imports } from './imports.ts';
import { receiveImport } from './receive-import.ts';

const IMPORTS = '/imports.json';
const ALIAS = '/products/upload.json';

/** `POST /imports.json` (contract for writing, “Many at once”). */
export function importFileEndpoint(
  app: FastifyInstance,
  services: WriteServices & { imports: Imports },
): void {
  const { overloadControl } = services;
  // In a plugin of its own, so that no other endpoint accepts a streamed body.
  app.register(async (plugin) => {
    acceptFiles(plugin);
    registerEndpoint(plugin, services, {
      method: 'POST',
      path: IMPORTS,
      alias: ALIAS,
      name: 'importFile',
      tag: importsTag,
      summary: 'Import a file',
      description:
        'Receives a file and imports it in the background, with the same rules as an upload in the console. One file of a ' +
        'merchant is received and imported at a time. Send the token in the query, in the `Authorization` header, or in a ' +
        'field before the file: it is checked before the file is read. If it follows the file, the file may have up to 1 MiB.',
      scope: 'write',
      parameters: {
        name: {
          type: text(255),
          description: 'The file’s name, for lists. By default the name in the multipart field.',
          example: 'catalog.csv',
        },
        dry_run: {
          type: boolean,
          description:
            'Whether to only check what the import would change. The console can then import the file.',
          default: false,
        },
        sheet: {
          type: text(255),
          description: 'The name of the sheet of an Excel workbook. By default the first visible sheet.',
          example: 'Products',
        },
        columns: {
          type: columnNames,
          description:
            'What columns of a CSV file or a workbook mean, as a JSON object: names of our columns by header of the file, `""` ' +
            'for columns to ignore. Others keep their names.',
          example: '{"Item no.":"identifier","Name":"title"}',
        },
        template: { type: ignored, description: 'Ignored: the service detects the format.' },
      },
      headers: {
        'Idempotency-Key': {
          ...idempotencyKeyHeader,
          description: `${idempotencyKeyHeader.description} It is bound to the content of the file too.`,
        },
      },
      file: {
        description:
          'A product file: CSV, NDJSON or a Shopify export, optionally gzipped, or an Excel workbook (.xlsx).',
        example: 'identifier,title\nVASE-7,Vase\n',
      },
      statuses: [202, 409, 413],
      success: {
        status: 202,
        description: 'The import has started. `Location` shows its progress.',
        schema: importSchema,
        examples: { import: { summary: 'A new import', value: exampleImport } },
        located: true,
      },
      handle: async ({ request, reply, caller, file, completeInput, requireCallerStill }) => {
        if (file === undefined) throw fileMissing();
        const { merchantId, who } = caller;
        const once = { merchantId, key: idempotencyKeyOf(request), endpoint: `POST ${IMPORTS}` };
        const readFields = async () => {
          const { name, dry_run: dryRun = false, sheet, columns } = await completeInput();
          const reading = {
            ...(sheet !== undefined && { sheet }),
            ...(columns !== undefined && { columns }),
          };
          return { name, dryRun, reading };
        };
        const wanted = { readFields, who, file, requireCallerStill };
        const context = contextOf(request.raw);
        // Receiving has a time limit of its own, because a large file may take a long time.
        context.hasSlowBody = true;
        try {
          const json = await overloadControl.runOutside(() => receiveImport(services, once, wanted));
          await sendAccepted(request, reply, json, locationOf(request, json));
        } finally {
          context.hasSlowBody = false;
        }
      },
    });
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
