/** The four endpoints of v1, each with valid parameters. */
export const endpoints = [
  { method: 'GET', path: '/products.json', query: {} },
  { method: 'POST', path: '/campaigns.json', query: { name: 'Summer', type: 'AuctionCampaign' } },
  { method: 'GET', path: '/performance/sales.json', query: {} },
  { method: 'GET', path: '/variations/retrieve.json', query: { identifier: 'POT-1-S' } },
] as const;

export const readingEndpoints = endpoints.filter(({ method }) => method === 'GET');
