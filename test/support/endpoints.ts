import { randomUUID } from 'node:crypto';
import { draft } from './catalog.ts';

/** The endpoints of v1 that do not write products, each with valid parameters and the scope that it requires. */
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
  { method: 'GET', path: '/products/schema.json', query: {}, scope: 'read' },
  { method: 'GET', path: '/variations/schema.json', query: {}, scope: 'read' },
] as const;

/** The endpoints that write products and variations, each with valid parameters. */
export const writes = [
  {
    method: 'POST',
    path: '/products.json',
    get query() {
      return { identifier: randomUUID(), title: 'A new pot' };
    },
    scope: 'write',
  },
  {
    method: 'POST',
    path: '/products/update.json',
    query: { identifier: 'POT-1', retail_price: '12.5' },
    scope: 'write',
  },
  { method: 'POST', path: '/products/enable.json', query: { identifier: 'POT-1' }, scope: 'write' },
  { method: 'POST', path: '/products/disable.json', query: { identifier: 'POT-2' }, scope: 'write' },
  { method: 'POST', path: '/products/delete.json', query: { identifier: 'POT-3' }, scope: 'write' },
  {
    method: 'POST',
    path: '/variations.json',
    get query() {
      return { product_identifier: 'POT-1', identifier: randomUUID() };
    },
    scope: 'write',
  },
  {
    method: 'POST',
    path: '/variations/update.json',
    query: { identifier: 'POT-1-S', quantity: '3' },
    scope: 'write',
  },
  { method: 'POST', path: '/variations/enable.json', query: { identifier: 'POT-1-S' }, scope: 'write' },
  { method: 'POST', path: '/variations/disable.json', query: { identifier: 'POT-1-M' }, scope: 'write' },
  { method: 'POST', path: '/variations/delete.json', query: { identifier: 'POT-1-L' }, scope: 'write' },
] as const;

/** Takes one of two parameters, so the schema of each alone does not describe what it accepts. */
const retrieveProduct = {
  method: 'GET',
  path: '/products/retrieve.json',
  query: { identifier: 'POT-1' },
  scope: 'read',
} as const;

/** All endpoints of v1. */
export const allEndpoints = [...endpoints, retrieveProduct, ...writes] as const;

/** The products that the parameters of `endpoints` name. */
export const endpointProducts = [
  draft('POT-1', { title: 'Pot', retail_price: 12.5 }, [
    { identifier: 'POT-1-S' },
    { identifier: 'POT-1-M' },
    { identifier: 'POT-1-L' },
  ]),
  draft('POT-2'),
  draft('POT-3'),
];

export const readingEndpoints = endpoints.filter(({ method }) => method === 'GET');
