import type { Schema } from '../http/schema.ts';

/** Schemas and responses that the document defines once, by name, in order of first use. */
export class Components {
  readonly schemas: Record<string, Schema> = {};
  readonly responses: Record<string, object> = {};
  readonly #kept = new Map<string, Schema>();

  /** Replaces each titled schema, including this one, by a reference. @throws {Error} if two share a title */
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
    const { items, properties, additionalProperties: others, oneOf, anyOf } = schema;
    return {
      ...schema,
      ...(items && { items: this.schema(items) }),
      ...(others && { additionalProperties: this.schema(others) }),
      ...(oneOf && { oneOf: oneOf.map((one) => this.schema(one)) }),
      ...(anyOf && { anyOf: anyOf.map((one) => this.schema(one)) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, this.schema(property)]),
        ),
      }),
    };
  }

  /** Adds the response if its name is new. */
  response(name: string, response: object): object {
    this.responses[name] ??= response;
    return { $ref: `#/components/responses/${name}` };
  }
}
