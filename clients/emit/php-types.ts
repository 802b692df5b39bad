import type { Model } from './model.ts';
import { alternatives, isEvents, orMissing, recordIn } from './record-fields.ts';
import { HEADER, wrap } from './text.ts';
import { type Field, isIdentifier, type ObjectType, type Type, Unknown } from './types.ts';

const WIDTH = 110;
/** Names that PHP does not allow for a class, in lower case. */
const RESERVED_CLASSES = [
  ...[
    'abstract',
    'and',
    'array',
    'as',
    'bool',
    'break',
    'callable',
    'case',
    'catch',
    'class',
    'clone',
    'const',
  ],
  ...[
    'continue',
    'declare',
    'default',
    'do',
    'echo',
    'else',
    'empty',
    'enum',
    'eval',
    'exit',
    'extends',
    'false',
  ],
  ...['final', 'finally', 'float', 'fn', 'for', 'foreach', 'function', 'global', 'if', 'include', 'int'],
  ...[
    'interface',
    'isset',
    'iterable',
    'list',
    'match',
    'mixed',
    'namespace',
    'never',
    'new',
    'null',
    'object',
  ],
  ...['or', 'parent', 'print', 'private', 'protected', 'public', 'readonly', 'require', 'return', 'self'],
  ...[
    'static',
    'string',
    'switch',
    'throw',
    'trait',
    'true',
    'try',
    'unset',
    'use',
    'var',
    'void',
    'while',
    'yield',
  ],
];

/** Returns a type as documentation comments write it. Objects that are sent are arrays. */
export function phpType(type: Type, model: Model, side: 'sent' | 'record' | 'returned'): string {
  if (isEvents(type, model)) return 'Event';
  switch (type.kind) {
    case 'string':
      return 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'int|float';
    case 'boolean':
      return 'bool';
    case 'anything':
      return 'mixed';
    case 'file':
      return '\\CURLFile|\\CURLStringFile';
    case 'null':
      return 'null';
    case 'words':
      return type.words.map(quoted).join('|');
    case 'object':
      if (side === 'sent') return inline(shape(fieldsOf(type.name, model), model));
      return side === 'record' ? type.name : `Records\\${type.name}`;
    case 'list':
      return `list<${phpType(type.of, model, side)}>`;
    case 'map':
      return `array<${type.hasNumbers ? 'int' : 'string'}, ${phpType(type.of, model, side)}>`;
    case 'union':
      return alternatives(type)
        .map((one) => phpType(one, model, side))
        .join('|');
  }
}

/** Returns a type as PHP itself writes it. */
export function nativeType(type: Type, model: Model): string {
  if (isEvents(type, model)) return 'Event';
  switch (type.kind) {
    case 'object':
      return `Records\\${type.name}`;
    case 'list':
    case 'map':
      return 'array';
    case 'string':
    case 'words':
      return 'string';
    case 'integer':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      return 'mixed';
  }
}

function fieldsOf(name: string, model: Model): readonly Field[] {
  const object = model.parameters.find((one) => one.name === name);
  if (object === undefined) throw new Unknown(name, 'no object that is sent has this name');
  return object.fields;
}

/** Returns the lines of the type of an array with these keys. */
export function shape(fields: readonly Field[], model: Model): string[] {
  const members = fields.map(({ name, type, isRequired }) => {
    if (!isIdentifier(name)) throw new Unknown(name, 'a key of this name is not known');
    return `    ${name}${isRequired ? '' : '?'}: ${phpType(type, model, 'sent')},`;
  });
  return ['array{', ...members, '}'];
}

function inline(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ');
}

export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Returns the lines of a documentation comment. Only the description is wrapped. */
export function docblock(description: string, tags: readonly string[]): string[] {
  const text = description === '' ? [] : wrap(description, WIDTH);
  const lines = [...text, ...(text.length > 0 && tags.length > 0 ? [''] : []), ...tags];
  return ['/**', ...lines.map((line) => ` * ${line.replaceAll('*/', '* /')}`.trimEnd()), ' */'];
}

/** Returns the source of a file. */
export function phpFile(namespace: string, lines: readonly string[]): string {
  return [
    '<?php',
    '',
    `// ${HEADER}`,
    '',
    'declare(strict_types=1);',
    '',
    `namespace ${namespace};`,
    '',
    ...lines,
    '',
  ].join('\n');
}

/** Returns the source of a record's class. */
export function phpRecord(record: ObjectType, model: Model): string {
  const { name, description, fields } = record;
  if (RESERVED_CLASSES.includes(name.toLowerCase())) throw new Unknown(name, 'PHP reserves this name');
  const parent = [...model.events.values()].includes(name) ? 'Event' : 'Record';
  const properties = fields.map((field) => {
    const type = field.isRequired ? field.type : orMissing(field.type);
    const text = field.description.replaceAll('\n', ' ');
    return `@property-read ${phpType(type, model, 'record')} $${field.name} ${text}`.trimEnd();
  });
  const records = fields.flatMap((field) => {
    const inner = recordIn(field.type, model, `${name}: ${field.name}`);
    if (inner === null) return [];
    return [`${quoted(field.name)} => ${inner === 'events' ? 'Events' : inner}::class`];
  });
  const imported = [parent, ...(records.some((one) => one.includes('Events::class')) ? ['Event'] : [])];
  return phpFile('Tradepost\\Records', [
    ...[...new Set(imported)].sort().map((one) => `use Tradepost\\${one};`),
    '',
    ...docblock(description, properties),
    `final class ${name} extends ${parent}`,
    '{',
    `    protected const FIELDS = [${fields.map((field) => quoted(field.name)).join(', ')}];`,
    ...(records.length === 0 ? [] : [`    protected const RECORDS = [${records.join(', ')}];`]),
    '}',
  ]);
}

/** Returns the source of the class that reads events of all types. */
export function phpEvents({ events }: Model): string {
  return phpFile('Tradepost\\Records', [
    'use Tradepost\\Event;',
    'use Tradepost\\UnknownEvent;',
    '',
    '/** Reads events of all types. */',
    'final class Events',
    '{',
    '    private const CLASSES = [',
    ...[...events].map(([type, name]) => `        ${quoted(type)} => ${name}::class,`),
    '    ];',
    '',
    '    /** @param array<string, mixed> $values */',
    '    public static function from(array $values): Event',
    '    {',
    "        $class = self::CLASSES[$values['type']] ?? UnknownEvent::class;",
    '        return $class::from($values);',
    '    }',
    '}',
  ]);
}
