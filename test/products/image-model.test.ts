import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { followImages } from '../../src/products/images/follow-images.ts';
import { ImageChecks } from '../../src/products/images/image-checks.ts';
import { imageProblems } from '../../src/products/images/image-problems.ts';
import { type DueMerchant, listDueMerchants } from '../../src/products/images/queries.ts';
import { recheckAt, retryAt } from '../../src/products/images/recheck-times.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { type TestDatabase, useDatabase } from '../support/test-database.ts';
import { runs } from '../support/thorough.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Of delays without jitter. */
const MIDDLE = 0.5;

const listChecks = statement<{ merchantId: number }, { url: string }>(
  'SELECT url FROM image_checks WHERE merchant_id = :merchantId ORDER BY url',
);
const findId = statement<{ merchantId: number; identifier: string }, { internal_id: number }>(
  'SELECT internal_id FROM products WHERE merchant_id = :merchantId AND identifier = :identifier',
);

const names = ['A', 'B', 'C'];
const urls = [
  'https://a.example/1',
  'https://a.example/2',
  'http://b.example/3',
  'https://c.example:22/unchecked',
];
type Answer = 'works' | 'fails' | 'unknown';

type Step =
  | { kind: 'product'; identifier: string; images: string[]; isDeleted: boolean }
  | { kind: 'answer'; url: string; answer: Answer }
  | { kind: 'time'; milliseconds: number }
  | { kind: 'turn' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('product' as const),
    identifier: fc.constantFrom(...names),
    images: fc.array(fc.constantFrom(...urls), { maxLength: 3 }),
    isDeleted: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  }),
  fc.record({
    kind: fc.constant('answer' as const),
    url: fc.constantFrom(...urls),
    answer: fc.constantFrom<Answer>('works', 'fails', 'unknown'),
  }),
  fc.record({
    kind: fc.constant('time' as const),
    milliseconds: fc.constantFrom(1, 2 * HOUR_MS, 30 * HOUR_MS, 24 * 40 * HOUR_MS),
  }),
  fc.constant({ kind: 'turn' as const }),
);

interface Known {
  checkAt: number;
  failures: number;
  problem: string | null;
}

/** What has to be known about each address after any steps. */
class Model {
  readonly products = new Map<string, string[]>();
  readonly answers = new Map<string, Answer>();
  readonly known = new Map<string, Known>();
  /** A new merchant's catalog has not been looked at. */
  isChanged = true;

  takeTurn(now: number): void {
    this.isChanged = false;
    const used = new Set([...this.products.values()].flat().filter((url) => !url.includes(':22')));
    for (const url of this.known.keys()) if (!used.has(url)) this.known.delete(url);
    for (const url of used) {
      const known = this.known.get(url) ?? { checkAt: now, failures: 0, problem: null };
      this.known.set(url, known.checkAt <= now ? this.#check(url, known, now) : known);
    }
  }

  isDue(now: number): boolean {
    return this.isChanged || [...this.known.values()].some(({ checkAt }) => checkAt <= now);
  }

  #check(url: string, known: Known, now: number): Known {
    const answer = this.answers.get(url) ?? 'works';
    if (answer === 'unknown') return { ...known, checkAt: retryAt(now, MIDDLE) };
    const failures = answer === 'works' ? 0 : known.failures + 1;
    const problem = answer === 'works' ? null : `failed ${failures} times.`;
    return { failures, problem, checkAt: recheckAt(now, failures, MIDDLE) };
  }

  problemsOf(identifier: string): { url: string; message: string }[] {
    return [...new Set(this.products.get(identifier) ?? [])].flatMap((url) => {
      const problem = this.known.get(url)?.problem ?? null;
      return problem === null ? [] : [{ url, message: `The image at ${url} ${problem}` }];
    });
  }
}

forEachEngine((engine) => {
  const store = useDatabase(engine);

  it('after any changes and checks, each product has the problems of its images, and nothing else is stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const merchant = await store().newMerchant();
        const model = new Model();
        const failures = new Map<string, number>();
        const checks = imageChecks(store(), (url) => {
          const answer = model.answers.get(url) ?? 'works';
          if (answer === 'unknown') return 'unknown';
          failures.set(url, answer === 'works' ? 0 : (failures.get(url) ?? 0) + 1);
          return { problem: answer === 'works' ? null : `failed ${failures.get(url)} times.` };
        });
        for (const each of [...steps, { kind: 'turn' } as const]) {
          if (each.kind === 'answer') model.answers.set(each.url, each.answer);
          if (each.kind === 'time') store().passTime(each.milliseconds);
          if (each.kind === 'product') await change(store(), merchant, model, each);
          if (each.kind !== 'turn') continue;
          const due = await dueMerchant(store(), merchant.id);
          assert.equal(due !== undefined, model.isDue(store().now()));
          if (due === undefined) continue;
          assert.equal(await checks.takeTurn(due, () => false), false);
          // A process whose lease has ended changes nothing.
          if (due.revision < due.catalog_revision) assert.equal(await followImages(store(), due), undefined);
          model.takeTurn(store().now());
          for (const url of failures.keys()) if (!model.known.has(url)) failures.delete(url);
          await compare(store(), merchant.id, model);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

function imageChecks(
  { database, now }: TestDatabase,
  check: (url: string) => Awaited<ReturnType<ImageCheck>>,
): ImageChecks {
  return new ImageChecks({
    ...{ database, now },
    random: () => MIDDLE,
    check: async (url) => check(url),
    onChecked: () => {},
    onError: (error) => assert.ifError(error),
    hostPauseMs: 0,
  });
}

type ImageCheck = ConstructorParameters<typeof ImageChecks>[0]['check'];

async function dueMerchant({ database, now }: TestDatabase, id: number): Promise<DueMerchant | undefined> {
  const due = await database.all(listDueMerchants, { now: now(), limit: 1_000 });
  return due.find(({ merchant_id }) => merchant_id === id);
}

async function change(
  store: TestDatabase,
  merchant: { id: number },
  model: Model,
  { identifier, images, isDeleted }: Extract<Step, { kind: 'product' }>,
): Promise<void> {
  const [primary_image = null, ...extra] = images;
  const fields = {
    primary_image,
    extra_images: extra.length === 0 ? null : extra.join('|'),
    status: isDeleted ? 'deleted' : 'enabled',
  } as const;
  const before = await store.revisionOf(merchant);
  await importDrafts(store, merchant, [[draft(identifier, fields)]]);
  model.products.set(identifier, isDeleted ? [] : images);
  model.isChanged ||= (await store.revisionOf(merchant)) > before;
}

async function compare({ database }: TestDatabase, merchantId: number, model: Model): Promise<void> {
  for (const identifier of model.products.keys()) {
    const { internal_id: productId } =
      (await database.first(findId, { merchantId, identifier })) ?? assert.fail(`no product ${identifier}`);
    const problems = await imageProblems(database, { merchantId, productId });
    assert.deepEqual(
      problems.map(({ url, message }) => ({ url, message })),
      model.problemsOf(identifier),
    );
  }
  const stored = await database.all(listChecks, { merchantId });
  assert.deepEqual(stored.map(({ url }) => url).sort(), [...model.known.keys()].sort());
}
