import type { Model } from './model.ts';
import { alternatives, isEvents, orMissing, recordIn } from './record-fields.ts';
import { HEADER, indent, wrap } from './text.ts';
import { type Field, isIdentifier, type ObjectType, type Type, Unknown } from './types.ts';

const WIDTH = 100;
const KEYWORDS = [
  ...['False', 'None', 'True', 'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def'],
  ...['del', 'elif', 'else', 'except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is'],
  ...['lambda', 'nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield'],
];
/** Attributes of every record. */
const RESERVED_FIELDS = ['raw', 'etag', 'read', 'read_list'];

/** Objects that are sent are dictionaries. Their types need other names than the classes of records. */
export function sentName(name: string, { records }: Model): string {
  return records.some((record) => record.name === name) ? `Sent${name}` : name;
}

/** Returns a type as Python writes it. */
export function pythonType(type: Type, model: Model, side: 'sent' | 'returned'): string {
  if (isEvents(type, model)) return 'Event';
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'anything':
      return 'Any';
    case 'file':
      return 'File';
    case 'null':
      return 'None';
    case 'words':
      return `Literal[${type.words.map((word) => JSON.stringify(word)).join(', ')}]`;
    case 'object':
      return side === 'sent' ? sentName(type.name, model) : type.name;
    case 'list':
      return `List[${pythonType(type.of, model, side)}]`;
    case 'map':
      return `Dict[str, ${pythonType(type.of, model, side)}]`;
    case 'union': {
      const types = alternatives(type).map((one) => pythonType(one, model, side));
      const values = types.filter((one) => one !== 'None');
      const value = values.length === 1 ? values.join() : `Union[${values.join(', ')}]`;
      return values.length === types.length ? value : `Optional[${value}]`;
    }
  }
}

/** Returns a documentation string of one or more lines. */
export function docstring(text: string): string[] {
  if (text.trim() === '') return [];
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  const [first = '', ...others] = wrap(escaped, WIDTH);
  if (others.length === 0 && !first.endsWith('"')) return [`"""${first}"""`];
  return ['"""', first, ...others, '"""'];
}

/** Names of fields that Python reserves get an underscore. */
function attribute(name: string): string {
  if (!isIdentifier(name) || RESERVED_FIELDS.includes(name))
    throw new Unknown(name, 'a record cannot have a field of this name');
  return KEYWORDS.includes(name) ? `${name}_` : name;
}

/** Returns the source of the records of both APIs. */
export function pythonRecords(model: Model): string {
  const events = new Set(model.events.values());
  const classes = (records: readonly ObjectType[]): string[] =>
    records.flatMap((record) => dataclass(record, events.has(record.name) ? 'Event' : 'Record', model));
  // Records with events of all types come last, because they name the class that reads them.
  const containEvents = (record: ObjectType): boolean =>
    recordsOf(record, model).some(([, name]) => name === 'Events');
  return [
    `"""What the service returns. ${HEADER}"""`,
    '',
    'from dataclasses import dataclass',
    'from typing import Any, Dict, List, Literal, Optional, Union',
    '',
    'from ..record import Event, Record, UnknownEvent',
    '',
    '',
    ...classes(model.records.filter((record) => !containEvents(record))),
    'class Events:',
    ...indent(
      [
        '"""Reads events of all types."""',
        '',
        '_types = {',
        ...[...model.events].map(([type, name]) => `    ${JSON.stringify(type)}: ${name},`),
        '}',
        '',
        '@classmethod',
        'def read(cls, values: Dict[str, Any]) -> Event:',
        '    """Returns an event of the class for its type."""',
        '    known: Any = cls._types.get(values["type"], UnknownEvent)',
        '    event: Event = known.read(values)',
        '    return event',
        '',
        '@classmethod',
        'def read_list(cls, values: List[Dict[str, Any]]) -> List[Event]:',
        '    """Returns the events that the service sent as a JSON array."""',
        '    return [cls.read(each) for each in values]',
      ],
      '    ',
    ),
    '',
    '',
    ...classes(model.records.filter(containEvents)),
  ].join('\n');
}

/** Returns the attributes that are records or lists of records, with their classes. */
function recordsOf({ name, fields }: ObjectType, model: Model): [attribute: string, name: string][] {
  return fields.flatMap((field): [string, string][] => {
    const record = recordIn(field.type, model, `${name}: ${field.name}`);
    return record === null ? [] : [[attribute(field.name), record === 'events' ? 'Events' : record]];
  });
}

function dataclass(record: ObjectType, parent: string, model: Model): string[] {
  const { name, description, fields } = record;
  const records = recordsOf(record, model);
  const members = fields.map((field) => ({ ...field, attribute: attribute(field.name) }));
  const renamed = members.filter((field) => field.attribute !== field.name);
  const body = [
    ...docstring(description),
    ...members.flatMap((field) => {
      const type = field.isRequired ? field.type : orMissing(field.type);
      return [
        '',
        `${field.attribute}: ${pythonType(type, model, 'returned')}`,
        ...docstring(field.description),
      ];
    }),
    ...(renamed.length === 0
      ? []
      : ['', `_names = ${pairs(renamed.map((one) => [one.attribute, one.name]))}`]),
    ...(records.length === 0
      ? []
      : ['', `_records = {${records.map(([member, type]) => `"${member}": ${type}`).join(', ')}}`]),
  ];
  return ['@dataclass(frozen=True)', `class ${name}(${parent}):`, ...indent(body, '    '), '', ''];
}

function pairs(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')}}`;
}

/** Returns the source of objects that parameters contain. */
export function pythonParameters(model: Model): string {
  return [
    `"""What parameters of operations contain. ${HEADER}"""`,
    '',
    'from typing import Any, Dict, List, Literal, Optional, TypedDict, Union',
    '',
    '',
    ...model.parameters.flatMap((object) =>
      typedDict({ ...object, name: sentName(object.name, model) }, model),
    ),
  ].join('\n');
}

/** Returns the source of an object that a caller passes as a dictionary. */
export function typedDict({ name, description, fields }: ObjectType, model: Model): string[] {
  const typeOf = ({ type }: Field): string => pythonType(type, model, 'sent');
  const lines = (some: readonly Field[]): string[] =>
    some.flatMap((field) => ['', `${field.name}: ${typeOf(field)}`, ...docstring(field.description)]);
  const isKeyword = (field: Field): boolean => KEYWORDS.includes(field.name) || !isIdentifier(field.name);
  const required = fields.filter(({ isRequired }) => isRequired);
  const forbidden = required.find(isKeyword);
  if (forbidden !== undefined) throw new Unknown(name, `Python does not allow the name ${forbidden.name}`);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  // A class cannot have attributes with these names.
  const keywords = optional.filter(isKeyword);
  const parents = [
    ...(required.length === 0 ? [] : [`_${name}Required`]),
    ...(keywords.length === 0 ? [] : [`_${name}Keywords`]),
  ];
  const members = keywords.map((field) => `"${field.name}": ${typeOf(field)}`).join(', ');
  return [
    ...(required.length === 0
      ? []
      : [`class _${name}Required(TypedDict):`, ...indent(lines(required).slice(1), '    '), '', '']),
    ...(keywords.length === 0
      ? []
      : [`_${name}Keywords = TypedDict("_${name}Keywords", {${members}}, total=False)`, '', '']),
    `class ${name}(${parents.join(', ') || 'TypedDict'}, total=False):`,
    ...indent(
      [...docstring(description || name), ...lines(optional.filter((field) => !isKeyword(field)))],
      '    ',
    ),
    '',
    '',
  ];
}
