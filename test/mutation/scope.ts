import { globSync } from 'node:fs';

/** The core: what a defect would make wrong for a merchant's data. Documentation is left out. */
export const mutatedFiles = [
  'src/{products,orders,sales,campaigns,api-keys,files,copy}/**/*.ts',
  'src/http/{parameters,rate-limits}/*.ts',
  'src/budgets/shared-limit.ts',
  'src/http/endpoint/idempotency.ts',
  'src/requests/run-once.ts',
  '!src/**/*-schema.ts',
  '!src/products/record/example-product.ts',
  '!src/orders/record/example-order.ts',
];

/** Tests of the core. Tests of files' texts, of connections and of running processes are left out. */
const TESTS = [
  'test/{budgets,conformance,console,copy,files,http,openapi,orders,products,sales}/*.test.ts',
  'test/commands/{import-export,merchants-and-keys}.test.ts',
];

const SLOW_OR_UNRELATED = [
  'test/conformance/{addresses,engines-agree,https,malformed-http,pipelining,slow-connections.slow}.test.ts',
  'test/console/{attempts,common-passwords,database-away,guard,pages,password-link,prerendered-pages}.test.ts',
  'test/console/{path-spellings,registration,require-two-factor,sessions,sign-in,sign-in-flood.slow}.test.ts',
  'test/console/{import-process,two-factor,import-budgets,imports}.test.ts',
  'test/http/{connections,handshake-queue,overload-control}.test.ts',
];

export function listTestFiles(directory: string): string[] {
  return globSync(TESTS, { cwd: directory, exclude: SLOW_OR_UNRELATED }).sort();
}
