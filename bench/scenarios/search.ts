import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { Random } from '../../src/demo/random.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { dataRoot, type Engine } from '../engines/engine.ts';
import { get } from '../measuring/client.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { type CatalogClient, catalogClient } from '../service/catalog-client.ts';
import { runCommand } from '../service/run-command.ts';
import { type Server, serve, tokenOf } from '../service/servers.ts';

const REPEATS = 15;
const IMPORT_ROUNDS = 5;
const IMPORTED = 50_000;
const VOCABULARY = 20_000;
const RARE_EVERY = 50_000;
const files = join(dataRoot, 'search-files');

/** Parameters of a search. Half of the identifiers are in upper case. */
const queries: readonly { name: string; query: Record<string, string> }[] = [
  { name: 'a rare word', query: { query: 'xylophone' } },
  { name: 'a common word', query: { query: 'steel' } },
  { name: 'a common first letter', query: { query: 's' } },
  { name: 'a common first letter, page 2,000', query: { query: 's', page: '2000' } },
  { name: 'two common words', query: { query: 'steel sau' } },
  { name: 'two common words of no product', query: { query: 'steel duvet' } },
  { name: 'two common words of 20 products', query: { query: 'fine xylophone' } },
  { name: 'the start of many identifiers', query: { query: 'sturdy-steel-s' } },
  { name: 'the start of ten identifiers', query: { query: 'sku-00012' } },
  { name: 'a whole identifier', query: { query: 'SKU-0001235' } },
  {
    name: 'the start of many identifiers, and a common word of none',
    query: { query: 'sturdy-steel duvet' },
  },
  { name: 'a word of no product', query: { query: 'nothing' } },
  { name: '20 common letters', query: { query: [...'abcdefghijklmnopqrst'].join(' ') } },
  {
    name: '20 beginnings of words',
    query: { query: 'st fi li cl co ev sa sk ca sto ste cas cop iro pot pan pa po le b' },
  },
  { name: 'a common word of sold out products', query: { query: 'steel', status: 'sold_out' } },
  { name: 'a common word of deleted products', query: { query: 'steel', status: 'deleted' } },
  { name: 'a common word with pagination=true', query: { query: 'steel', pagination: 'true' } },
  { name: 'a common word, 1,000 per page', query: { query: 'steel', per_page: '1000' } },
];

/** Measures searches among a million products, compared to list pages, and what the index costs imports. */
export async function search(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  const figures: Figure[] = [];
  const [name, products] = short ? ['search-short', 100_000] : ['search', 1_000_000];
  const settings = await databaseOf(engine, name, [products], { drafts: wordyDrafts });
  {
    await using server = await serve(settings);
    const database = await openDatabase(parseConfig(settings), Date.now());
    const client = await catalogClient(server, { settings, database }, 'm1', products);
    const token = await tokenOf(settings, 'm1');
    for (const each of queries) figures.push(await compare(each, { client, server, token }));
    await database.close();
  }
  if (!short) figures.push(await importCost(engine));
  return figures;
}

/** Titles have three more words: some are frequent, most are rare. */
function* wordyDrafts(count: number, seed: number): Generator<ProductDraft> {
  const random = new Random(seed + 100);
  let number = 0;
  for (const draft of generateDrafts(count, seed)) {
    number += 1;
    const words = [1, 2, 3].map(() =>
      pseudoWord(Math.floor(VOCABULARY ** (random.whole(0, 9_999) / 10_000))),
    );
    if (number % RARE_EVERY === 0) words.push('Xylophone');
    const title = `${draft.fields.title} ${words.join(' ')}`;
    const fields = { ...draft.fields, title };
    if (number % 2 === 0) {
      yield { ...draft, fields };
      continue;
    }
    const identifier = `SKU-${String(number).padStart(7, '0')}`;
    const variations = draft.variations?.map((variation, index) => ({
      ...variation,
      identifier: `${identifier}-${index}`,
    }));
    yield { ...draft, identifier, fields, variations };
  }
}

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'sta',
  'vo',
  'bel',
  'dor',
  'fi',
  'gun',
  'har',
  'jo',
  'nes',
  'pi',
  'tur',
  'wa',
];

function pseudoWord(number: number): string {
  let word = '';
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) word += SYLLABLES[rest % 16];
  return word;
}

async function compare(
  { name, query }: (typeof queries)[number],
  { client, server, token }: { client: CatalogClient; server: Server; token: string },
): Promise<Figure> {
  const { per_page = '50', pagination = 'false' } = query;
  const listed: number[] = [];
  const searched: number[] = [];
  let results = 0;
  const parameters = new URLSearchParams({ access_token: token, ...query });
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await client.touch();
    listed.push(await client.get(`&per_page=${per_page}&pagination=${pagination}`));
    await client.touch();
    const { status, body, milliseconds } = await get(`${server.baseUrl}/products/search.json?${parameters}`);
    if (status !== 200) throw new Error(`status ${status} for ${name}`);
    searched.push(milliseconds);
    const page: unknown = JSON.parse(body.toString());
    if (Array.isArray(page)) results = page.length;
  }
  const base = measured(listed).median;
  return {
    name: `${name} ÷ a page of the list`,
    ...measured(searched.map((milliseconds) => milliseconds / base)),
    bound: { atMost: 5 },
    notes: `${measured(searched).median.toFixed(2)} ms ÷ ${base.toFixed(2)} ms, uncached; ${results} results`,
  };
}

/** Imports with and without the index, in turns, each time into an empty database. */
async function importCost(engine: Engine): Promise<Figure> {
  mkdirSync(files, { recursive: true });
  const file = join(files, 'products.ndjson');
  const lines = Iterator.from(wordyDrafts(IMPORTED, 1)).map(
    ({ identifier, variations, fields }) => `${JSON.stringify({ identifier, ...fields, variations })}\n`,
  );
  await pipeline(Readable.from(lines), createWriteStream(file));
  const without = join(import.meta.dirname, '..', 'measuring', 'without-search-index.ts');
  const ratios: number[] = [];
  let notes = '';
  for (let round = 0; round < IMPORT_ROUNDS; round += 1) {
    const plain = await importSeconds(engine, file, ['--import', without]);
    const indexed = await importSeconds(engine, file, []);
    ratios.push(plain / indexed);
    const rate = (seconds: number): string => `${(IMPORTED / seconds).toFixed(0)}/s`;
    notes = `${IMPORTED} products; last round: with ${rate(indexed)}, without ${rate(plain)}`;
  }
  rmSync(files, { recursive: true });
  await engine.drop('import');
  return {
    name: 'products imported per second with the index ÷ without',
    ...measured(ratios),
    bound: { atLeast: 0.8 },
    notes,
  };
}

async function importSeconds(engine: Engine, file: string, options: readonly string[]): Promise<number> {
  await engine.recreate('import');
  const settings = engine.settings('import');
  await runCommand(settings, ['merchants', 'create', '--name', 'm1']);
  return await runCommand(settings, ['import', 'products', file, '--merchant', 'm1'], options);
}
