import { listExpiringKeysOf } from '../../api-keys/list-keys.ts';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { sidesSeenFrom } from '../../database/sides.ts';
import { listRejectingImports } from '../../imports/queries.ts';
import type { ProductImportSummary } from '../../products/files/import-products.ts';
import { countFailingProducts, MAX_FAILING } from '../../products/images/queries.ts';
import { isDown } from '../../webhooks/is-down.ts';
import { listWebhooksOf, type WebhookRow } from '../../webhooks/queries.ts';
import { stateOf } from '../../webhooks/webhook.ts';
import { concerns, MAX_LISTED_IMPORTS, type ShopAttention, type ShopConcern } from '../catalog-api.ts';
import { countSoldOutBestSellers } from './queries.ts';

/** A product with fewer sales than so many others is no best seller. */
const BEST_SELLERS = 1_000;

/** What the overview shows anyway. */
interface Counted {
  orders: { overdue: number };
  products: { by_status: Readonly<Record<'problematic' | 'banned' | 'sold_out', number>> };
  campaigns: { exhausted: number };
}

/** What a line says in addition to its concern. */
type Found = Pick<ShopAttention, 'count'> & Partial<Pick<ShopAttention, 'only' | 'part' | 'more'>>;

/** Reads what needs the attention of a merchant, in addition to what has been counted. */
export async function readAttention(
  sources: { database: Database; offLoop: OffLoopReads; now: () => number },
  merchantId: number,
  { orders, products: { by_status: products }, campaigns }: Counted,
): Promise<ShopAttention[]> {
  const { database, offLoop } = sources;
  const [bestSellers, failingImages, webhooks, keys, imports] = await Promise.all([
    products.sold_out > 0 ? countBestSellers(database, merchantId) : 0,
    countFailingImages(offLoop, merchantId),
    failingWebhooks(database, merchantId),
    listExpiringKeysOf(sources, merchantId),
    database.all(listRejectingImports, { merchantId, limit: MAX_LISTED_IMPORTS }),
  ]);
  const rejected = imports.reduce((sum, { summary }) => sum + rejectedIn(summary), 0);
  const found: Record<ShopConcern, Found> = {
    orders_overdue: { count: orders.overdue },
    products_problematic: { count: products.problematic },
    products_banned: { count: products.banned },
    // Products that nobody bought may stay sold out.
    products_sold_out: { count: bestSellers > 0 ? products.sold_out : 0, part: bestSellers },
    images_failing: failingImages,
    webhooks_failing: named(webhooks.map(({ id, url }) => ({ id, name: url }))),
    keys_expiring: named(keys),
    imports_rejecting: { ...named(imports), part: rejected },
    campaigns_exhausted: { count: campaigns.exhausted },
  };
  return concerns
    .map((concern) => ({ concern, only: null, part: null, more: false, ...found[concern] }))
    .filter(({ count }) => count > 0);
}

async function countBestSellers(database: Database, merchantId: number): Promise<number> {
  const row = await database.first(countSoldOutBestSellers, { merchantId, limit: BEST_SELLERS });
  return row?.products ?? 0;
}

/** Off the event loop, because it depends on how many products have the images. */
async function countFailingImages(
  offLoop: OffLoopReads,
  merchantId: number,
): Promise<Pick<ShopAttention, 'count' | 'more'>> {
  const row = await offLoop.snapshot(merchantId, (reader) =>
    reader.first(countFailingProducts, { merchantId, limit: MAX_FAILING }),
  );
  return { count: row?.products ?? 0, more: (row?.images ?? 0) >= MAX_FAILING };
}

/** Of the sides that the list of webhooks has. */
async function failingWebhooks(database: Database, merchantId: number): Promise<WebhookRow[]> {
  const sides = sidesSeenFrom(merchantId);
  const rows = await Promise.all(sides.map((side) => database.all(listWebhooksOf, { merchantId: side })));
  return rows.flat().filter((row) => isDown({ ...row, state: stateOf(row) }));
}

function named(list: readonly { id: string; name: string }[]): Pick<ShopAttention, 'count' | 'only'> {
  const [first, ...others] = list;
  return {
    count: list.length,
    only: first === undefined || others.length > 0 ? null : { id: first.id, name: first.name },
  };
}

function rejectedIn(summary: string | null): number {
  return summary === null ? 0 : (JSON.parse(summary) as ProductImportSummary).rejected;
}
