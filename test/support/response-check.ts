import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { ClientResponse } from './client.ts';
import {
  type HeaderObject,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  pointer,
  type ResponseObject,
} from './openapi.ts';
import { SchemaCheck } from './schema-check.ts';

/** Any response may have these headers of the connection and the body. */
const TRANSFER_HEADERS = ['connection', 'content-length', 'content-type', 'date', 'keep-alive'];

/** Checks responses against the OpenAPI document, and records which ones occurred. */
export class ResponseCheck {
  readonly #schemas: SchemaCheck;
  readonly #operations: Operation[];
  readonly #documented: Set<string>;
  readonly #seen = new Set<string>();
  readonly #suffix: string;

  /** Paths in the document end with `suffix`. Calls may omit it. */
  constructor(document: OpenApiDocument, { suffix = '.json' }: { suffix?: string } = {}) {
    this.#suffix = suffix;
    this.#schemas = new SchemaCheck(document);
    this.#operations = operationsOf(document);
    this.#documented = new Set(
      this.#operations.flatMap(({ method, path, responses }) =>
        Object.keys(responses).map((status) => `${method} ${path} ${status}`),
      ),
    );
  }

  /** Such as `GET /products.json 503`. */
  get unseen(): string[] {
    return [...this.#documented.difference(this.#seen)];
  }

  /** @throws if the response differs from the document; a HEAD response must match GET, without a body */
  assertDocumented(method: string, path: string, response: ClientResponse): void {
    const documentedMethod = method === 'HEAD' ? 'GET' : method;
    const file = this.#documentedPath(path.endsWith(this.#suffix) ? path : path + this.#suffix);
    const name = `${documentedMethod} ${file} ${response.status}`;
    assert.ok(this.#documented.has(name), `undocumented response ${name}: ${response.text}`);
    this.#seen.add(name);
    const operation = pointer('paths', file, documentedMethod.toLowerCase());
    const target = this.#schemas.resolve(`${operation}/responses/${response.status}`);
    this.#assertHeaders(target, response);
    const { content } = this.#schemas.at<ResponseObject>(target);
    if (content === undefined || method === 'HEAD') {
      assert.equal(response.bytes.length, 0, name);
      return;
    }
    const [type = ''] = response.header('content-type').split(';');
    assert.ok(Object.hasOwn(content, type), `${name} is not documented as ${type}`);
    this.#schemas.assertValid(
      target + pointer('content', type, 'schema').slice(1),
      JSON.parse(decompressed(response).toString()),
    );
  }

  /** The path itself, or the path with parameters that matches it. */
  #documentedPath(path: string): string {
    const paths = this.#operations.map((each) => each.path);
    const pattern = (each: string): string =>
      each
        .split(/\{\w+\}/)
        .map(RegExp.escape)
        .join('[^/]+');
    if (paths.includes(path)) return path;
    return paths.find((each) => new RegExp(`^${pattern(each)}$`).test(path)) ?? path;
  }

  assertError({ text }: ClientResponse): void {
    this.#schemas.assertValid(pointer('components', 'schemas', 'Error'), JSON.parse(text));
  }

  #assertHeaders(target: string, { headers: sent }: ClientResponse): void {
    const { headers = {} } = this.#schemas.at<ResponseObject>(target);
    const unknown = new Set(Object.keys(sent)).difference(new Set(TRANSFER_HEADERS));
    for (const name of Object.keys(headers)) {
      unknown.delete(name.toLowerCase());
      const header = this.#schemas.resolve(target + pointer('headers', name).slice(1));
      const { required, schema } = this.#schemas.at<HeaderObject>(header);
      const value = sent[name.toLowerCase()];
      assert.ok(value !== undefined || required !== true, `${target} is missing ${name}`);
      if (value === undefined) continue;
      this.#schemas.assertValid(`${header}/schema`, schema.type === 'integer' ? Number(value) : value);
    }
    assert.deepEqual([...unknown], [], `headers that ${target} does not document`);
  }
}

export function decompressed({ headers, bytes }: ClientResponse): Buffer {
  switch (headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(bytes);
    case 'br':
      return brotliDecompressSync(bytes);
    case 'zstd':
      return zstdDecompressSync(bytes);
    default:
      return bytes;
  }
}
