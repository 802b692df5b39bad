import { describeMethod, OPTIONS, SIZES } from './describe-method.ts';
import type { Input, Model, Operation, Reading } from './model.ts';
import { docstring, pythonType, sentName, typedDict } from './python-types.ts';
import { recordIn } from './record-fields.ts';
import { HEADER, indent, snake } from './text.ts';
import { type Field, type Type, Unknown } from './types.ts';

/** Returns the source of the client of one API. */
export function pythonClient(
  name: string,
  description: string,
  operations: readonly Operation[],
  model: Model,
): string {
  const methods = operations.flatMap((operation) =>
    operation.readings.flatMap((reading) => ['', ...method(operation, reading, model)]),
  );
  const parameters = operations.flatMap(({ name: operation, input }) =>
    'fields' in input && input.fields.length > 0
      ? typedDict({ ...input, description: `The parameters of \`${snake(operation)}\`.` }, model)
      : [],
  );
  const body = [...docstring(description), ...methods];
  const source = [...parameters, `class ${name}(Caller):`, ...indent(body, '    '), ''];
  const used = source.join('\n').replaceAll(/"""[\s\S]*?"""/g, '');
  const imported = (module: string, names: readonly string[]): string[] => {
    const found = names.filter((one) => new RegExp(`\\b${one}\\b`).test(used)).sort();
    return found.length === 0 ? [] : [`from ${module} import (`, ...found.map((one) => `    ${one},`), ')'];
  };
  const typing = ['Any', 'Dict', 'Iterator', 'List', 'Literal', 'Optional', 'TypedDict', 'Union'];
  const records = [...model.records.map((record) => record.name), 'Events'];
  return [
    `"""${HEADER}"""`,
    '',
    ...imported('typing', typing),
    ...imported('urllib.parse', ['quote']),
    '',
    ...imported('..caller', ['FILE_TIMEOUT', 'PER_PAGE', 'Caller']),
    ...imported('..record', ['Event']),
    ...imported('..request', ['ChangesParameters', 'File', 'Records', 'Request', 'new_key']),
    ...imported(
      '.parameters',
      model.parameters.map((object) => sentName(object.name, model)),
    ),
    ...imported('.records', records),
    '',
    '',
    ...source,
  ].join('\n');
}

interface Argument {
  declaration: string;
  isKeyword: boolean;
  description: string;
}

function method(operation: Operation, reading: Reading, model: Model): string[] {
  const given = [
    ...operation.inPath.map((name) => ({
      declaration: `${snake(name)}: str`,
      isKeyword: false,
      description: '',
    })),
    ...inputArguments(operation, reading, model),
    ...OPTIONS.filter(({ option }) => operation.options[option]).map(({ name, description }) => ({
      declaration: `${name}: Optional[str] = None`,
      isKeyword: true,
      description,
    })),
  ];
  const positional = given.filter(({ isKeyword }) => !isKeyword).map(({ declaration }) => declaration);
  const keywords = given.filter(({ isKeyword }) => isKeyword).map(({ declaration }) => declaration);
  const declarations = ['self', ...positional, ...(keywords.length === 0 ? [] : ['*', ...keywords])];
  const described = given
    .filter(({ description }) => description !== '')
    .map(({ declaration, description }) => `${declaration.split(':')[0]}: ${description}`);
  const text = [
    describeMethod(operation, reading, snake(operation.name)),
    'Raises ApiError or ConnectionError.',
    ...described,
  ];
  return [
    `def ${snake(reading.method)}(`,
    ...declarations.map((declaration) => `    ${declaration},`),
    `) -> ${returnType(reading, model)}:`,
    ...indent([...docstring(text.join('\n\n')), ...body(operation, reading, model)], '    '),
  ];
}

function inputArguments({ input }: Operation, reading: Reading, model: Model): Argument[] {
  const positional = (declaration: string): Argument => ({ declaration, isKeyword: false, description: '' });
  if (reading.kind === 'every page') {
    const since = `${argumentOf(reading.parameter)}: str = "start"`;
    return [
      positional(since),
      { declaration: `${reading.size}: int = PER_PAGE`, isKeyword: true, description: '' },
    ];
  }
  if (reading.kind === 'changes') return [positional('parameters: ChangesParameters')];
  switch (input.kind) {
    case 'nothing':
      return [];
    case 'lines':
      return [positional(`lines: List[${pythonType(input.of, model, 'sent')}]`)];
    case 'stream':
      return [
        { ...positional('records: Records'), description: 'Called for each try. There is no timeout.' },
      ];
    case 'file':
      return [
        positional(`${input.file}: File`),
        ...parametersArgument(input).map(positional),
        {
          declaration: 'timeout: float = FILE_TIMEOUT',
          isKeyword: true,
          description: 'The seconds that one try may take.',
        },
      ];
    case 'parameters':
      return parametersArgument(input).map(positional);
  }
}

function parametersArgument(input: Input & { kind: 'parameters' | 'file' }): string[] {
  if (input.fields.length === 0) return [];
  const isRequired = input.fields.some((field) => field.isRequired);
  return [isRequired ? `parameters: ${input.name}` : `parameters: Optional[${input.name}] = None`];
}

function argumentOf(parameter: string): string {
  return parameter === 'changed_since' ? 'since' : parameter;
}

function returnType(reading: Reading, model: Model): string {
  if ('item' in reading) return `Iterator[${pythonType(reading.item, model, 'returned')}]`;
  if (reading.kind === 'every page') return `Iterator[${pythonType(reading.page, model, 'returned')}]`;
  return reading.result === null ? 'None' : pythonType(reading.result, model, 'returned');
}

function body(operation: Operation, reading: Reading, model: Model): string[] {
  const classOf = (type: Type): string => {
    const record = recordIn(type, model, operation.name);
    if (record === null) throw new Unknown(operation.name, 'expected records to iterate over');
    return record === 'events' ? 'Events' : record;
  };
  const request = requestOf(operation, reading);
  const iterate = (verb: string, ...values: string[]): string[] => [
    ...request,
    `return self.${verb}(${['request', ...values].join(', ')})`,
  ];
  switch (reading.kind) {
    case 'every item':
      return iterate(
        '_every_item',
        classOf(reading.item),
        reading.identity === null ? 'None' : `"${reading.identity}"`,
      );
    case 'every result':
      return iterate('_every_result', classOf(reading.item), `"${reading.parameter}"`, `"${reading.next}"`);
    case 'every page':
      return iterate('_every_page', classOf(reading.page), `"${reading.parameter}"`, `"${reading.next}"`);
    default:
      return [...request, ...resultBody(reading.result, operation, model)];
  }
}

function resultBody(result: Type | null, { name }: Operation, model: Model): string[] {
  if (result === null) return ['self._call(request)'];
  const record = recordIn(result, model, name);
  if (record === null)
    return [`result: ${pythonType(result, model, 'returned')} = self._call(request).body`, 'return result'];
  const reader = record === 'events' ? 'Events' : record;
  if (result.kind === 'list') return [`return ${reader}.read_list(self._call(request).body)`];
  if (result.kind !== 'object') throw new Unknown(name, 'a result that may be null is not known');
  return ['response = self._call(request)', `return ${reader}.read(response.body, response.etag)`];
}

function requestOf({ method: verb, path, input, inPath, options }: Operation, reading: Reading): string[] {
  const quoted = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{quote(${snake(name)}, safe='')}`);
  const members = [
    `"${verb}"`,
    `${inPath.length > 0 ? 'f' : ''}"${quoted}"`,
    ...contentOf(input, reading, verb),
  ];
  if (options.hasIdempotencyKey) members.push('idempotency_key=idempotency_key or new_key()');
  if (options.hasIfMatch) members.push('if_match=if_match');
  if (options.hasSimulate) members.push('simulate=simulate');
  return ['request = Request(', ...members.map((member) => `    ${member},`), ')'];
}

function contentOf(input: Input, reading: Reading, verb: string): string[] {
  if (reading.kind === 'every page')
    return [
      `query={"${reading.parameter}": ${argumentOf(reading.parameter)}, "${reading.size}": ${reading.size}}`,
    ];
  if (reading.kind === 'changes') return ['query=parameters'];
  if (input.kind === 'lines') return ['json=lines'];
  if (input.kind === 'stream') return ['records=records'];
  if (input.kind === 'nothing') return verb === 'POST' || verb === 'PUT' ? ['json={}'] : [];
  const isOptional = input.fields.every((field) => !field.isRequired);
  const parameters = input.fields.length === 0 ? '{}' : isOptional ? 'parameters or {}' : 'parameters';
  if (input.kind === 'file')
    return [`file=${input.file}`, `file_field="${input.file}"`, `query=${parameters}`, 'timeout=timeout'];
  if (input.place === 'json') return [`json=${parameters}`];
  const own = isOptional ? '**(parameters or {})' : '**parameters';
  if (reading.kind === 'page') return [`query={${own}, "pagination": True}`];
  const defaults = itemDefaults(input, reading);
  return [defaults.length === 0 ? `query=${parameters}` : `query={${[...defaults, own].join(', ')}}`];
}

/** What an iteration sends unless the caller does. */
function itemDefaults({ fields }: { fields: readonly Field[] }, reading: Reading): string[] {
  if (!('item' in reading)) return [];
  const size = SIZES.find((name) => fields.some((field) => field.name === name));
  const defaults = size === undefined ? [] : [`"${size}": PER_PAGE`];
  if (reading.kind === 'every item' && reading.oldestFirst !== null)
    defaults.push(`"sort": "${reading.oldestFirst}"`);
  return defaults;
}
