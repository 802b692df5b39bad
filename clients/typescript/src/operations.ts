import type { components, operations, paths } from './openapi.ts';

type Schemas = components['schemas'];

export type Product = Schemas['Product'];
export type Variation = Schemas['Variation'];
export type PaginationSummary = Schemas['PaginationSummary'];
export type Account = Schemas['Account'];
export type Campaign = Schemas['Campaign'];
export type FieldDescription = Schemas['FieldDescription'];
export type MonthlySales = Schemas['MonthlySales'];
export type RetrievedVariation = Schemas['RetrievedVariation'];

/** The `operationId` of an operation in the OpenAPI document. */
export type Operation = keyof operations;

/** The method and path of an operation in the OpenAPI document. */
type EndpointOf<Name extends Operation> = {
  [Path in keyof paths]: paths[Path] extends { get: operations[Name] }
    ? { method: 'GET'; path: Path }
    : paths[Path] extends { post: operations[Name] }
      ? { method: 'POST'; path: Path }
      : never;
}[keyof paths];

type Query<Name extends Operation> = NonNullable<operations[Name]['parameters']['query']>;
type PostData<Name extends Operation> = NonNullable<operations[Name]['requestBody']>;

/** The parameters of an operation without the token: its post data if it has any, otherwise its query. */
export type ParametersOf<Name extends Operation> = [PostData<Name>] extends [never]
  ? [Query<Name>] extends [never]
    ? Record<string, never>
    : Query<Name>
  : Omit<PostData<Name>['content']['application/x-www-form-urlencoded'], 'access_token'>;

/** The body of an operation's successful response. */
export type ResponseOf<Name extends Operation> =
  operations[Name]['responses'][200]['content']['application/json'];

/** All operations of the OpenAPI document. Compiles only if none is missing and all methods and paths are correct. */
export const endpoints: { readonly [Name in Operation]: EndpointOf<Name> } = {
  listProducts: { method: 'GET', path: '/products.json' },
  createCampaign: { method: 'POST', path: '/campaigns.json' },
  listMonthlySales: { method: 'GET', path: '/performance/sales.json' },
  retrieveAccount: { method: 'GET', path: '/account.json' },
  retrieveProduct: { method: 'GET', path: '/products/retrieve.json' },
  describeProducts: { method: 'GET', path: '/products/schema.json' },
  createProduct: { method: 'POST', path: '/products.json' },
  updateProduct: { method: 'POST', path: '/products/update.json' },
  enableProduct: { method: 'POST', path: '/products/enable.json' },
  disableProduct: { method: 'POST', path: '/products/disable.json' },
  deleteProduct: { method: 'POST', path: '/products/delete.json' },
  describeVariations: { method: 'GET', path: '/variations/schema.json' },
  createVariation: { method: 'POST', path: '/variations.json' },
  updateVariation: { method: 'POST', path: '/variations/update.json' },
  enableVariation: { method: 'POST', path: '/variations/enable.json' },
  disableVariation: { method: 'POST', path: '/variations/disable.json' },
  deleteVariation: { method: 'POST', path: '/variations/delete.json' },
  retrieveVariation: { method: 'GET', path: '/variations/retrieve.json' },
};
