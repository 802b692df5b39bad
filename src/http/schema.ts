type TypeName = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** A JSON Schema (draft 2020-12) with the keywords that the OpenAPI document needs. */
export interface Schema {
  /** A schema with a title appears once in the document, under that name. */
  title?: string;
  description?: string;
  /** Set if no new program should use it. */
  deprecated?: true;
  type?: TypeName | readonly TypeName[];
  format?: string;
  /** The type of content that a string stands for, such as a file's. */
  contentMediaType?: string;
  enum?: readonly (string | null)[];
  const?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: false | Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  $ref?: string;
  /** The name by which `explain` knows a number. */
  'x-figure'?: string;
}

/** Returns the schema of a record with exactly these keys, in this order (contract, “Product”). */
export function record<Shape>(
  title: string,
  description: string,
  properties: { [Name in keyof Shape]-?: Schema },
): Schema {
  return {
    title,
    description,
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** Returns the schemas of fields, where the schema of each figure has the name of the figure. */
export function withFigures<Schemas extends Record<string, Schema>>(
  figures: Readonly<Record<string, { name: string }>>,
  schemas: Schemas,
): { [Field in keyof Schemas]: Schema } {
  const named = Object.entries(schemas).map(([field, schema]): [string, Schema] => {
    const figure = figures[field];
    return [field, figure === undefined ? schema : { ...schema, 'x-figure': figure.name }];
  });
  return Object.fromEntries(named) as { [Field in keyof Schemas]: Schema };
}

export function orNull(schema: Schema): Schema {
  const { type, enum: words } = schema;
  const types = typeof type === 'string' ? [type] : type;
  // A schema without a type allows every value.
  if (types === undefined || types.includes('null')) return schema;
  return { ...schema, type: [...types, 'null'], ...(words !== undefined && { enum: [...words, null] }) };
}

/** A time as the service writes it. */
export const time = { type: 'string', format: 'date-time' } as const;
export const nonNegativeNumber = { type: 'number', minimum: 0 } as const;
