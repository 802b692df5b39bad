import type { FastifyInstance } from 'fastify';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import type { Success } from '../../http/endpoint/declaration.ts';
import { oneOf } from '../../http/parameters/types.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { record } from '../../http/schema.ts';
import { checkEntries } from '../../metadata/check-entries.ts';
import { anyEntriesSchema, sentEntries } from '../../metadata/entries-parameter.ts';
import { type Entries, type ListName, type ListShape, listNames, lists } from '../../metadata/lists.ts';
import { type ListEntries, readList, readLists } from '../../metadata/read-lists.ts';
import { resetList, setList } from '../../metadata/set-list.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { metadataTag } from '../tags.ts';

interface MetadataList {
  list: ListName;
  is_default: boolean;
  entries: unknown;
}

const listInPath = {
  list: { type: oneOf(listNames), description: 'The name of the list.', example: 'colors' },
};

const listSuccess: Success = {
  description: 'The list.',
  schema: record<MetadataList>('MetadataList', 'A list of the marketplace.', {
    list: { type: 'string', enum: listNames },
    is_default: { type: 'boolean', description: 'Whether it is Tradepost’s own list.' },
    entries: {
      ...anyEntriesSchema,
      description: 'An array of texts, an object of codes by name, or an object of arrays by group.',
    },
  }),
  examples: {
    colors: {
      summary: 'A list that the operator has set',
      value: { list: 'colors', is_default: false, entries: lists.colors.example } satisfies MetadataList,
    },
  },
};

interface ListedList {
  list: ListName;
  description: string;
  shape: ListShape;
  is_default: boolean;
  entries: number;
}

const listedSchema = record<ListedList>('MetadataListSummary', 'What a list is, without its entries.', {
  list: { type: 'string', enum: listNames },
  description: { type: 'string', description: 'What the list is for.' },
  shape: {
    type: 'string',
    enum: ['names', 'codes', 'groups'],
    description: 'An array of names, an object of codes by name, or an object of arrays of names by group.',
  },
  is_default: { type: 'boolean', description: 'Whether it is Tradepost’s own list.' },
  entries: { type: 'integer', minimum: 0, description: 'How many names the list has.' },
});

const allLists: Success = {
  description: 'All lists.',
  schema: record<{ results: ListedList[] }>('MetadataLists', 'The lists of the marketplace.', {
    results: { type: 'array', items: listedSchema },
  }),
  examples: {
    lists: {
      summary: 'One of the lists',
      value: {
        results: [
          {
            list: 'colors',
            description: lists.colors.description,
            shape: 'names',
            is_default: false,
            entries: 3,
          },
        ],
      },
    },
  },
};

/** The calls with which the operator sets the lists of the marketplace. */
export function operatorMetadataEndpoints(app: FastifyInstance, services: OperatorWriteServices): void {
  const shared = {
    path: '/metadata/{list}',
    tag: metadataTag,
    pathParameters: listInPath,
  } as const;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/metadata',
    name: 'listMetadataLists',
    tag: metadataTag,
    scope: 'catalog',
    summary: 'List the lists',
    description: 'Returns all lists, with what they are for and how many names they have.',
    pathParameters: {},
    parameters: {},
    statuses: [200, 304],
    success: allLists,
    handle: async ({ request, reply }) => {
      const stored = await readLists(services.database);
      const results = stored.map(
        ({ name, isDefault, json }): ListedList => ({
          list: name,
          description: lists[name].description,
          shape: lists[name].shape,
          is_default: isDefault,
          entries: countNames(JSON.parse(json) as Entries),
        }),
      );
      await sendJson(request, reply, JSON.stringify({ results }));
    },
  });
  registerOperatorEndpoint(app, services, {
    ...shared,
    method: 'GET',
    name: 'retrieveMetadataList',
    scope: 'catalog',
    summary: 'Retrieve a list',
    description: 'Returns the list as merchants see it, and whether it is the default.',
    parameters: {},
    statuses: [200, 304],
    success: listSuccess,
    handle: async ({ request, reply, path: { list } }) => {
      await sendJson(request, reply, render(list, await readList(services.database, list)));
    },
  });
  registerOperatorEndpoint(app, services, {
    ...shared,
    method: 'PUT',
    name: 'setMetadataList',
    scope: 'lists',
    summary: 'Set a list',
    description:
      'Replaces the list, for all merchants, from the response on; calls of orders check carriers and refund reasons by ' +
      'it within two seconds. Repeating it changes nothing. `conditions` can only ' +
      'have some of the ten conditions that products may have. Campaign types are the setting `CAMPAIGN_TYPES`.',
    parameters: {
      entries: {
        type: sentEntries,
        required: true,
        description:
          'All entries, up to 10,000: an array of texts, in `country_codes`, `states`, `provinces`, `territories`, ' +
          '`carriers` and `moderation_reasons` an object of codes by name, and in `brands`, `materials` and `sizes` an object of arrays by group. ' +
          'A name occurs once, and has up to 255 characters.',
        example: lists.colors.example,
      },
    },
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200],
    success: listSuccess,
    handle: async ({ request, reply, caller, path: { list }, input }) => {
      const entries = checkEntries(list, input.entries);
      if (entries instanceof InvalidValue)
        throw errors.invalid_parameters([{ field: 'entries', reason: entries.reason }]);
      await sendJson(
        request,
        reply,
        render(list, await runVerb(services, caller, setList, { name: list, entries })),
      );
    },
  });
  registerOperatorWrite(app, services, {
    ...shared,
    method: 'DELETE',
    name: 'resetMetadataList',
    scope: 'lists',
    summary: 'Return a list to its default',
    description: 'Deletes what was set, and returns the default. Repeating it changes nothing.',
    parameters: {},
    statuses: [200, 409],
    success: listSuccess,
    write: async (context, { path: { list } }) => {
      const { isDefault, json } = await resetList(context, { name: list });
      return { list, is_default: isDefault, entries: JSON.parse(json) as unknown } satisfies MetadataList;
    },
  });
}

function countNames(entries: Entries): number {
  return Object.values(entries).reduce<number>(
    (count, value) => count + (Array.isArray(value) ? value.length : 1),
    0,
  );
}

/** The entries are JSON already. */
function render(list: ListName, { isDefault, json }: ListEntries): string {
  return `{"list":"${list}","is_default":${isDefault},"entries":${json}}`;
}
