import type { components, operations, paths } from './openapi.ts';

type Schemas = components['schemas'];

export type Product = Schemas['Product'];
export type Variation = Schemas['Variation'];
export type PaginationSummary = Schemas['PaginationSummary'];
export type Campaign = Schemas['Campaign'];
export type MonthlySales = Schemas['MonthlySales'];
export type RetrievedVariation = Schemas['RetrievedVariation'];

/** The name of an operation, as the document has it. */
export type Operation = keyof operations;

/** Where an operation is, as the document has it. */
type PlaceOf<Name extends Operation> = {
  [Path in keyof paths]: paths[Path] extends { get: operations[Name] }
    ? { method: 'GET'; path: Path }
    : paths[Path] extends { post: operations[Name] }
      ? { method: 'POST'; path: Path }
      : never;
}[keyof paths];

type Query<Name extends Operation> = NonNullable<operations[Name]['parameters']['query']>;
type PostData<Name extends Operation> = NonNullable<operations[Name]['requestBody']>;

/** What an operation takes beside the token: as post data where it has some, else in the query. */
export type ParametersOf<Name extends Operation> = [PostData<Name>] extends [never]
  ? [Query<Name>] extends [never]
    ? Record<string, never>
    : Query<Name>
  : Omit<PostData<Name>['content']['application/x-www-form-urlencoded'], 'access_token'>;

/** What an operation answers with. */
export type AnswerOf<Name extends Operation> =
  operations[Name]['responses'][200]['content']['application/json'];

/** Every operation of the document: this compiles only where it names them all, each at its place. */
export const places: { readonly [Name in Operation]: PlaceOf<Name> } = {
  listProducts: { method: 'GET', path: '/products.json' },
  createCampaign: { method: 'POST', path: '/campaigns.json' },
  listMonthlySales: { method: 'GET', path: '/performance/sales.json' },
  retrieveVariation: { method: 'GET', path: '/variations/retrieve.json' },
};
