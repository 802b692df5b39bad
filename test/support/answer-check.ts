import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Answer } from './client.ts';
import {
  type HeaderObject,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  pointer,
  type ResponseObject,
} from './openapi.ts';
import { SchemaCheck } from './schema-check.ts';

/** What belongs to the connection and the body’s form, whatever the answer. */
const OF_THE_TRANSFER = ['connection', 'content-length', 'content-type', 'date', 'keep-alive'];

/** Checks answers against the document, and notes which of those that it describes there were. */
export class AnswerCheck {
  readonly #schemas: SchemaCheck;
  readonly #operations: Operation[];
  readonly #described: Set<string>;
  readonly #seen = new Set<string>();

  constructor(document: OpenApiDocument) {
    this.#schemas = new SchemaCheck(document);
    this.#operations = operationsOf(document);
    this.#described = new Set(
      this.#operations.flatMap(({ method, path, responses }) =>
        Object.keys(responses).map((status) => `${method} ${path} ${status}`),
      ),
    );
  }

  /** What the document describes and no answer was, such as `GET /products.json 503`. */
  get unseen(): string[] {
    return [...this.#described.difference(this.#seen)];
  }

  /** @throws where the document does not describe the operation’s answer so; a HEAD’s is that of GET, bare */
  assertDescribed(method: string, path: string, answer: Answer): void {
    const [described, file] = [method === 'HEAD' ? 'GET' : method, path.replace(/(\.json)?$/, '.json')];
    const name = `${described} ${file} ${answer.status}`;
    assert.ok(this.#described.has(name), `the document does not describe ${name}: ${answer.text}`);
    this.#seen.add(name);
    const operation = pointer('paths', file, described.toLowerCase());
    const response = this.#schemas.resolve(`${operation}/responses/${answer.status}`);
    this.#assertHeaders(response, answer);
    const { content } = this.#schemas.at<ResponseObject>(response);
    if (content === undefined || method === 'HEAD') {
      assert.equal(answer.bytes.length, 0, name);
      return;
    }
    const [type = ''] = answer.header('content-type').split(';');
    assert.ok(Object.hasOwn(content, type), `${name} is not described as ${type}`);
    this.#schemas.assertValid(
      response + pointer('content', type, 'schema').slice(1),
      JSON.parse(decompressed(answer).toString()),
    );
  }

  /** @throws where an answer’s body is not what the document says that every error’s is */
  assertError({ text }: Answer): void {
    this.#schemas.assertValid(pointer('components', 'schemas', 'Error'), JSON.parse(text));
  }

  #assertHeaders(response: string, { headers: sent }: Answer): void {
    const { headers = {} } = this.#schemas.at<ResponseObject>(response);
    const unknown = new Set(Object.keys(sent)).difference(new Set(OF_THE_TRANSFER));
    for (const name of Object.keys(headers)) {
      unknown.delete(name.toLowerCase());
      const header = this.#schemas.resolve(response + pointer('headers', name).slice(1));
      const { required, schema } = this.#schemas.at<HeaderObject>(header);
      const value = sent[name.toLowerCase()];
      assert.ok(value !== undefined || required !== true, `${response} needs ${name}`);
      if (value === undefined) continue;
      this.#schemas.assertValid(`${header}/schema`, schema.type === 'integer' ? Number(value) : value);
    }
    assert.deepEqual([...unknown], [], `${response} does not describe these headers`);
  }
}

function decompressed({ headers, bytes }: Answer): Buffer {
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
