import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { type Endpoint, type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import type { NoParameters } from '../http/parameters/bind.ts';
import { sendJson } from '../http/responses/respond.ts';
import { record, type Schema } from '../http/schema.ts';
import { entriesSchemas } from './entries-parameter.ts';
import { type ListName, lists, merchantLists, recordLists } from './lists.ts';
import { readList, readMetadata } from './read-lists.ts';

/** The type that the specification names, where the operator allows any. */
const KNOWN_CAMPAIGN_TYPES = ['AuctionCampaign'];

type RecordList = (typeof recordLists)[number];

const metadataSchema = record<Record<RecordList, unknown>>(
  'Metadata',
  'The lists of the marketplace.',
  byRecordList((name): Schema => {
    const { shape, description } = lists[name];
    return { ...entriesSchemas[shape], description };
  }),
);

function byRecordList<T>(choose: (name: RecordList) => T): Record<RecordList, T> {
  return Object.fromEntries(recordLists.map((name) => [name, choose(name)])) as Record<RecordList, T>;
}

const shared = {
  method: 'GET',
  tag: { name: 'Metadata', description: 'The lists of values that the marketplace uses.' },
  parameters: {},
  statuses: [200, 304],
} as const;

/** `GET /metadata.json` and its lists. They are the same for all merchants, and every key may read them. */
export function metadataEndpoints(
  app: FastifyInstance,
  services: EndpointServices & { database: Database; config: Pick<Config, 'campaignTypes'> },
): void {
  const { config, database } = services;
  registerEndpoint<NoParameters>(app, services, {
    ...shared,
    path: '/metadata.json',
    name: 'retrieveMetadata',
    summary: 'Retrieve the lists of the marketplace',
    description: `Returns ${recordLists.length} lists at once. Every key may call it.`,
    success: {
      description: 'The lists.',
      schema: metadataSchema,
      examples: {
        lists: { summary: 'The beginnings of lists', value: byRecordList((name) => lists[name].example) },
      },
    },
    handle: async ({ request, reply }) => {
      await sendJson(request, reply, await readMetadata(database));
    },
  });
  for (const name of merchantLists) {
    const { shape, description, example } = lists[name];
    const list = { name, description, schema: entriesSchemas[shape], example };
    registerEndpoint(
      app,
      services,
      listEndpoint(list, async () => (await readList(database, name)).json),
    );
  }
  const types = JSON.stringify(config.campaignTypes?.map(({ name }) => name) ?? KNOWN_CAMPAIGN_TYPES);
  const campaignTypes = {
    name: 'campaign_types',
    description:
      'The campaign types that may be created. If the operator allows any type, the list has only the known ones.',
    schema: entriesSchemas.names,
    example: KNOWN_CAMPAIGN_TYPES,
  } as const;
  registerEndpoint(
    app,
    services,
    listEndpoint(campaignTypes, async () => types),
  );
}

interface DescribedList {
  name: ListName | 'campaign_types';
  description: string;
  schema: Schema;
  example: unknown;
}

function listEndpoint(
  { name, description, schema, example }: DescribedList,
  readJson: () => Promise<string>,
): Endpoint<NoParameters> {
  const words = name.split('_');
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return {
    ...shared,
    path: `/metadata/${name}.json`,
    name: `list${title}`,
    summary: `List ${words.join(' ')}`,
    description: `${description} Every key may call it.`,
    success: {
      description: 'The list.',
      schema,
      examples: { list: { summary: 'The beginning of a list', value: example } },
    },
    handle: async ({ request, reply }) => {
      await sendJson(request, reply, await readJson());
    },
  };
}
