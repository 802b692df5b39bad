import { inputOf, recordsIn, resultOf } from './call-input.ts';
import type { OpenApi, Operation } from './open-api.ts';

export interface Endpoint {
  /** Without `.json`: paths work with and without it. */
  path: string;
  method: string;
  operation: Operation;
}

/** The endpoints of one tag of the document: a page of the reference. */
export interface Group {
  /** The last part of the page's path. */
  slug: string;
  name: string;
  description: string;
  endpoints: Endpoint[];
  /** The names of the records that its endpoints have, and no earlier group. */
  records: string[];
}

/** Groups the document's endpoints by tag, in the document's order. */
export function groupsOf(document: OpenApi): Group[] {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      path: path.replace(/\.json$/, ''),
      method: method.toUpperCase(),
      operation,
    })),
  );
  const seen = new Set<string>();
  return [...Map.groupBy(endpoints, ({ operation }) => operation.tags?.[0] ?? '')].map(
    ([name, endpoints]) => {
      const used = endpoints.flatMap(({ operation }) => [...recordsOf(document, operation)]);
      const records = [...new Set(used).difference(seen)];
      for (const record of records) seen.add(record);
      const { description = '' } = document.tags?.find((tag) => tag.name === name) ?? {};
      return { slug: slugOf(name), name, description, endpoints, records };
    },
  );
}

/** The records that a call returns, and then those that it sends. */
function recordsOf(document: OpenApi, operation: Operation): Set<string> {
  const found = new Set<string>();
  const { schema } = resultOf(document, operation);
  if (schema !== undefined) recordsIn(document, schema, found);
  const { parameters, line } = inputOf(document, operation);
  if (line !== null) recordsIn(document, line, found);
  for (const { schema } of parameters) if (schema !== undefined) recordsIn(document, schema, found);
  return found;
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
