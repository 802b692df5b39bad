import { RankedList } from '../decide/ranked-list.ts';
import type { Candidate, Ranking } from '../decide/ranking.ts';
import { candidateOf } from './candidate-of.ts';
import { type CompetitionRequest, Entrants } from './entrants.ts';
import type { Merchant } from './groups.ts';
import { NONE } from './ordered-trees.ts';
import type { Seats } from './seats.ts';
import { COMPETES, losersOf, noCounts } from './standings.ts';
import type { Tables } from './tables.ts';
import { Turns } from './turns.ts';
import { Walk } from './walk.ts';

/** Returns the candidates of a request, best first: those it names, or all that its filters leave. */
export function rank(
  tables: Tables,
  seats: Seats,
  merchants: ReadonlyMap<number, Merchant>,
  request: CompetitionRequest,
): Ranking {
  const entrants = new Entrants(tables, merchants, request);
  const turns = new Turns(request.key);
  if (request.products === null) return new Walk({ tables, seats, merchants, entrants, turns });
  const counts = noCounts();
  const candidates: Candidate[] = [];
  for (const product of productsOf(tables, merchants, request.products)) {
    if (!entrants.has(product)) continue;
    const standing = entrants.standingOf(product);
    counts[standing] = (counts[standing] ?? 0) + 1;
    if (standing === COMPETES) candidates.push(candidateOf(tables, product, turns));
  }
  return new RankedList({ candidates, losers: losersOf(counts), others: [], rest: 0, end: null });
}

function productsOf(
  { productLookup }: Tables,
  merchants: ReadonlyMap<number, Merchant>,
  named: readonly { merchantId: number; productId: number }[],
): Set<number> {
  const products = new Set<number>();
  for (const { merchantId, productId } of named) {
    const merchant = merchants.get(merchantId);
    if (merchant !== undefined) products.add(productLookup.find(merchant.number, productId));
  }
  products.delete(NONE);
  return products;
}
