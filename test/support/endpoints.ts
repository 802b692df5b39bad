/** Endpoints of v1, each with valid parameters and the scope that it requires. */
export const endpoints = [
  { method: 'GET', path: '/products.json', query: {}, scope: 'read' },
  {
    method: 'POST',
    path: '/campaigns.json',
    query: { name: 'Summer', type: 'AuctionCampaign' },
    scope: 'campaigns',
  },
  { method: 'GET', path: '/performance/sales.json', query: {}, scope: 'read' },
  { method: 'GET', path: '/variations/retrieve.json', query: { identifier: 'POT-1-S' }, scope: 'read' },
  { method: 'GET', path: '/account.json', query: {}, scope: null },
] as const;

export const readingEndpoints = endpoints.filter(({ method }) => method === 'GET');
