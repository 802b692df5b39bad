import { type OpenApi, type Reference, referenceName, resolve, type Schema } from './open-api.ts';

/** A part of a type's name: words, or the name of a record. */
export type TypePart = { text: string } | { record: string };

/** Describes a schema's type, such as “string”, “integer or null” or “array of Product”. */
export function typeParts(document: OpenApi, target: Schema | Reference): TypePart[] {
  const name = referenceName(target);
  if (name !== undefined) return [{ record: name }];
  const schema = resolve(document, target);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined)
    return joined(alternatives.map((alternative) => typeParts(document, alternative)));
  return joined([schema.type ?? 'any'].flat().map((type) => ofType(document, type, schema)));
}

/** As `typeParts`, as text. */
export function typeLabel(document: OpenApi, target: Schema | Reference): string {
  return typeParts(document, target)
    .map((part) => ('text' in part ? part.text : part.record))
    .join('');
}

function ofType(document: OpenApi, type: string, { items, format, contentMediaType }: Schema): TypePart[] {
  if (type === 'array' && items !== undefined) return [{ text: 'array of ' }, ...typeParts(document, items)];
  if (type !== 'string') return [{ text: type }];
  if (contentMediaType !== undefined) return [{ text: 'file' }];
  return [{ text: format === 'date-time' ? 'time' : format === 'date' ? 'date' : 'string' }];
}

function joined(alternatives: TypePart[][]): TypePart[] {
  return alternatives.flatMap((parts, index) => (index === 0 ? parts : [{ text: ' or ' }, ...parts]));
}
