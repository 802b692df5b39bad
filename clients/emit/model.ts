import type { Field, ObjectType, Type } from './types.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What the caller of an operation passes, apart from the values in the path. */
export type Input =
  | { kind: 'nothing' }
  /** `place` is where they are sent. Those of an object in the document have its `name`. */
  | { kind: 'parameters'; place: 'query' | 'json'; name: string; fields: readonly Field[] }
  /** A list of objects, sent as JSON. */
  | { kind: 'lines'; of: Type }
  /** Any number of objects, sent while they are produced. */
  | { kind: 'stream' }
  /** A multipart body of the fields, then the file. */
  | { kind: 'file'; file: string; name: string; fields: readonly Field[] };

/** The headers that a call may set. */
export interface Options {
  hasIdempotencyKey: boolean;
  hasIfMatch: boolean;
  hasSimulate: boolean;
}

export interface Operation {
  /** The `operationId`. */
  name: string;
  method: Method;
  path: string;
  summary: string;
  description: string;
  inPath: readonly string[];
  input: Input;
  options: Options;
  readings: readonly Reading[];
}

/**
 * One way to read what an operation returns, which becomes a method of the clients. An operation whose
 * result depends on its parameters has several.
 */
export type Reading =
  /** Returns what the operation returns; null if that is nothing. */
  | { kind: 'result'; method: string; result: Type | null }
  /** Returns one page of a list with its position: the operation with `pagination=true`. */
  | { kind: 'page'; method: string; result: Type }
  /** Returns one page of changes after a cursor. */
  | { kind: 'changes'; method: string; result: Type }
  /** Iterates over the items of all pages, which `Link` connects. */
  | {
      kind: 'every item';
      method: string;
      item: Type;
      /** The member that tells an item from all others; null if there is none. */
      identity: string | null;
      oldestFirst: string | null;
    }
  /** Iterates over the items of all pages. Each page says with which `parameter` the next one begins. */
  | {
      kind: 'every result';
      method: string;
      item: Type;
      parameter: string;
      /** The member of a page with the value for the next page. */
      next: 'cursor' | 'next';
    }
  /** Iterates over pages from a position, which is the `parameter`, to the present. */
  | {
      kind: 'every page';
      method: string;
      page: Type;
      parameter: string;
      next: 'cursor' | 'next';
      /** The parameter that limits the size of a page. */
      size: string;
    };

/** What the clients of both APIs are emitted from. */
export interface Model {
  merchant: readonly Operation[];
  operator: readonly Operation[];
  /** What the service returns. An object comes after those that it contains. */
  records: readonly ObjectType[];
  /** What parameters of operations contain, in the same order. */
  parameters: readonly ObjectType[];
  /** The names of the records of events, by the types of the events. */
  events: ReadonlyMap<string, string>;
}
