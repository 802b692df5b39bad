import type { Schema } from '../http/endpoint/schema.ts';

/** What stands once in the document and is referred to by name, in the order in which it was met. */
export class Components {
  readonly schemas: Record<string, Schema> = {};
  readonly responses: Record<string, object> = {};
  readonly #kept = new Map<string, Schema>();

  /**
   * The schema with a reference in place of every titled one in it, itself too.
   * @throws {Error} where two schemas have one title
   */
  schema(schema: Schema): Schema {
    const { title, ...untitled } = schema;
    if (title === undefined) return this.#within(untitled);
    const kept = this.#kept.get(title);
    if (kept === undefined) {
      this.#kept.set(title, schema);
      const place = this.schemas;
      place[title] = {};
      place[title] = this.#within(untitled);
    } else if (kept !== schema) {
      throw new Error(`two schemas are named ${title}`);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  #within(schema: Schema): Schema {
    const { items, properties, oneOf } = schema;
    return {
      ...schema,
      ...(items && { items: this.schema(items) }),
      ...(oneOf && { oneOf: oneOf.map((one) => this.schema(one)) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, this.schema(property)]),
        ),
      }),
    };
  }

  /** A reference to the response of that name, which is kept the first time. */
  response(name: string, response: object): object {
    this.responses[name] ??= response;
    return { $ref: `#/components/responses/${name}` };
  }
}
