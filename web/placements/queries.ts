import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ProductNames } from '../../src/console/catalog-api.ts';
import { MIN_REQUESTS } from '../../src/placements/diagnosis/needed-bids.ts';
import type { DayRange } from '../../src/sales/report.ts';
import { call } from '../server/call.ts';
import { request } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';

/** What the URL of a campaign's page has. */
export interface ResultsSearch {
  /** One of `ranges`. */
  range?: string;
  /** The order of products. */
  sort?: string;
  /** `range` if the placements of the range are listed, `all` for the placements of all days. */
  lines?: string;
  /** The day or the product, or both, whose placements are listed. */
  day?: string;
  product?: string;
}

/** What a campaign cost and sold in a range of days, in total or by day. */
export const resultsQuery = (campaign: string, { from, to }: DayRange, by: 'total' | 'day') =>
  queryOptions({
    queryKey: ['campaigns', 'results', campaign, by, from, to],
    queryFn: ({ signal }) =>
      call('readCampaignPerformance', { internal_id: campaign, by, from, to }, { signal }),
    placeholderData: keepPreviousData,
  });

const MAX_READS = 6;

/** What became of the requests of the last 24 hours, for a campaign or for a product in it. */
export const diagnosisQuery = (campaign: string, product: string | undefined) =>
  queryOptions({
    queryKey: ['campaigns', 'diagnosis', campaign, product],
    queryFn: ({ signal }) =>
      call('diagnoseCampaign', { internal_id: campaign, product_identifier: product }, { signal }),
    // The first diagnosis lets the server read who competes, so bids may follow a moment later.
    refetchInterval: ({ state: { data, dataUpdateCount: reads } }) =>
      data?.bids === null && data.requests >= MIN_REQUESTS && reads < MAX_READS ? 1_000 * reads : false,
  });

const PRODUCTS_AT_ONCE = 10;

/** Parts of the list of products for which a campaign had placements in a range of days, with their names. */
export const productResultsQuery = (campaign: string, { from, to }: DayRange, sort: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', 'results', campaign, 'product', from, to, sort],
    queryFn: async ({ pageParam: page, signal }) => {
      const part = { page, per_page: PRODUCTS_AT_ONCE };
      const parameters = { internal_id: campaign, by: 'product', from, to, sort, ...part };
      const { results, more } = await call('readCampaignPerformance', parameters, { signal });
      const identifiers = results.map(({ product_identifier: identifier }) => identifier).join(',');
      const { products } =
        identifiers === ''
          ? { products: [] }
          : await request<ProductNames>(`products/names${stringifySearch({ identifiers })}`, { signal });
      const names = new Map(products.map((product) => [product.identifier, product]));
      const named = results.map((result) => ({
        ...result,
        product: names.get(result.product_identifier ?? ''),
      }));
      return { results: named, more };
    },
    initialPageParam: 1,
    getNextPageParam: ({ more }, _, page) => (more ? page + 1 : null),
    placeholderData: keepPreviousData,
  });

/** Which placements are listed. */
export interface LinesSelection {
  campaign: string;
  product_identifier: string | undefined;
  day?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Parts of a list of placements, oldest first. */
export const linesQuery = (selection: LinesSelection) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', 'lines', selection],
    queryFn: ({ pageParam, signal }) =>
      call('listPlacements', { ...selection, after: pageParam ?? undefined, per_page: 100 }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ more, cursor }) => (more ? cursor : null),
  });
