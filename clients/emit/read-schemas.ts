import {
  type Field,
  isIdentifier,
  type Json,
  listAt,
  type ObjectType,
  objectAt,
  onlyMembers,
  type Type,
  textAt,
  Unknown,
  unionOf,
} from './types.ts';

/** Keywords that limit values, and so do not change their types. */
const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'default'];
const DESCRIPTIONS = ['description', 'example', 'examples', 'deprecated', 'title', 'x-figure'];
/** Formats of strings and numbers that the clients pass on as they are. */
const FORMATS = ['int32', 'int64', 'double', 'date-time', 'date', 'cursor', 'uri', 'email', 'uuid'];
const KEYWORDS = [
  ...LIMITS,
  ...DESCRIPTIONS,
  '$ref',
  'type',
  'format',
  'enum',
  'const',
  'oneOf',
  'anyOf',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'contentMediaType',
];
const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

/** Reads the schemas of one OpenAPI document, and collects the objects that they describe. */
export class SchemaReader {
  readonly objects = new Map<string, ObjectType>();
  readonly #components: Json;

  constructor(components: Json) {
    this.#components = components;
  }

  /**
   * Returns the type of a schema. An object without a name in the document gets `name`.
   * @throws {Unknown}
   */
  typeOf(value: unknown, at: string, name: string): Type {
    const schema = objectAt(value, at);
    onlyMembers(schema, KEYWORDS, at);
    const { $ref: reference, oneOf, anyOf = oneOf, format } = schema;
    if (reference !== undefined) return this.#referenced(reference, at);
    if (anyOf !== undefined)
      return unionOf(listAt(anyOf, at).map((one, index) => this.typeOf(one, `${at}: type ${index}`, name)));
    if (format !== undefined && !FORMATS.includes(textAt(format, at)))
      throw new Unknown(at, `the format "${format}" is not known`);
    const types = typeof schema.type === 'string' ? [schema.type] : listAt(schema.type, at);
    if (types.length === 0) throw new Unknown(at, 'the schema has no type');
    return unionOf(types.map((type) => this.#plain(type, schema, at, name)));
  }

  /** Returns the members of an object's schema. @throws {Unknown} */
  fieldsOf(value: unknown, at: string, name: string): Field[] {
    const schema = objectAt(value, at);
    const required = listAt(schema.required, `${at}/required`);
    return Object.entries(objectAt(schema.properties, `${at}/properties`))
      .filter(([, property]) => objectAt(property, at).deprecated !== true)
      .map(([member, property]) => ({
        name: member,
        type: this.typeOf(property, `${at}/properties/${member}`, `${name}${pascal(member)}`),
        description: textAt(objectAt(property, at).description, at),
        isRequired: required.includes(member),
      }));
  }

  /** Returns the schema that a reference names, or the schema itself. @throws {Unknown} */
  resolve(value: unknown, at: string): { schema: Json; name: string | null } {
    const schema = objectAt(value, at);
    if (schema.$ref === undefined) return { schema, name: null };
    const [, name = ''] = REFERENCE.exec(textAt(schema.$ref, at)) ?? [];
    return { schema: objectAt(this.#components[name], `${at}: ${schema.$ref}`), name };
  }

  #referenced(reference: unknown, at: string): Type {
    const { schema, name } = this.resolve({ $ref: reference }, at);
    if (name === null) throw new Unknown(at, 'the reference has no name');
    if (schema.type !== 'object') return this.typeOf(schema, `#/components/schemas/${name}`, name);
    return this.#object(schema, `#/components/schemas/${name}`, name);
  }

  #plain(type: unknown, schema: Json, at: string, name: string): Type {
    switch (type) {
      case 'null':
        return { kind: 'null' };
      case 'string':
        return stringType(schema, at);
      case 'integer':
      case 'number':
      case 'boolean':
        if (schema.enum !== undefined) throw new Unknown(at, `an enum of the type ${type} is not known`);
        return { kind: type };
      case 'array':
        return { kind: 'list', of: this.typeOf(schema.items, `${at}/items`, `${name}Item`) };
      case 'object':
        return this.#object(schema, at, name);
      default:
        throw new Unknown(at, `the type ${JSON.stringify(type)} is not known`);
    }
  }

  #object(schema: Json, at: string, name: string): Type {
    const { properties, additionalProperties: others } = schema;
    if (properties === undefined) {
      if (others === undefined || others === true)
        return { kind: 'map', of: { kind: 'anything' }, hasNumbers: false };
      const of = this.typeOf(others, `${at}/additionalProperties`, `${name}Value`);
      return { kind: 'map', of, hasNumbers: false };
    }
    if (others !== false && others !== undefined)
      throw new Unknown(at, 'an object with both fixed and further members is not known');
    const members = Object.keys(objectAt(properties, at));
    if (!members.every(isIdentifier)) return this.#mapOf(members, schema, at, name);
    if (!this.objects.has(name)) {
      const described = { name, description: textAt(schema.description, at) };
      // Before its fields are read, because an object may contain others of its kind.
      this.objects.set(name, { ...described, fields: [] });
      this.objects.set(name, { ...described, fields: this.fieldsOf(schema, at, name) });
    }
    return { kind: 'object', name };
  }

  /** Members whose names cannot be attributes are those of a map. */
  #mapOf(members: readonly string[], schema: Json, at: string, name: string): Type {
    const types = this.fieldsOf(schema, at, name).map(({ type }) => type);
    const hasNumbers = members.every((member) => /^\d+$/.test(member));
    return { kind: 'map', of: unionOf(distinct(types)), hasNumbers };
  }
}

function distinct(types: readonly Type[]): Type[] {
  return [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
}

function stringType(schema: Json, at: string): Type {
  if (schema.contentMediaType !== undefined) return { kind: 'file' };
  if (schema.const !== undefined) return { kind: 'words', words: [textAt(schema.const, at)] };
  if (schema.enum === undefined) return { kind: 'string' };
  const words = listAt(schema.enum, at).filter((word) => word !== null);
  return { kind: 'words', words: words.map((word) => textAt(word, at)) };
}

/** `dry_run` becomes `DryRun`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_.-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
