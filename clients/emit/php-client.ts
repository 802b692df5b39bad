import { describeMethod, OPTIONS, SIZES } from './describe-method.ts';
import type { Input, Model, Operation, Reading } from './model.ts';
import { docblock, nativeType, phpFile, phpType, quoted, shape } from './php-types.ts';
import { recordIn } from './record-fields.ts';
import { camel, indent } from './text.ts';
import { type Field, type Type, Unknown } from './types.ts';

/** Returns the source of the client of one API. */
export function phpClient(
  name: string,
  description: string,
  operations: readonly Operation[],
  model: Model,
): string {
  const methods = operations.flatMap((operation) =>
    operation.readings.map((reading) => indent(method(operation, reading, model), '    ')),
  );
  return phpFile('Tradepost', [
    `/** ${description} */`,
    `final class ${name} extends Caller`,
    '{',
    ...methods.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
    '}',
  ]);
}

interface Argument {
  declaration: string;
  /** The lines of its type in the documentation; empty if the declaration says it. */
  type: readonly string[];
  description: string;
}

function method(operation: Operation, reading: Reading, model: Model): string[] {
  const given: Argument[] = [
    ...operation.inPath.map((name) => plain(`string $${camel(name)}`)),
    ...inputArguments(operation, reading, model),
    ...OPTIONS.filter(({ option }) => operation.options[option]).map(({ name, description }) => ({
      declaration: `?string $${camel(name)} = null`,
      type: ['?string'],
      description,
    })),
  ];
  const described = given
    .filter(({ type }) => type.length > 0)
    .flatMap(({ declaration, type, description }) => {
      const [variable = ''] = /\$\w+/.exec(declaration) ?? [];
      const [last = '', ...before] = [...type].reverse();
      const lines = [...before.reverse(), `${last} ${variable} ${description}`.trimEnd()];
      return [`@param ${lines[0]}`, ...lines.slice(1)];
    });
  const returned = documentedReturn(reading, model);
  const tags = [
    ...described,
    ...(returned === null ? [] : [`@return ${returned}`]),
    '@throws ApiError',
    '@throws ConnectionError',
  ];
  return [
    ...docblock(describeMethod(operation, reading, operation.name), tags),
    `public function ${reading.method}(`,
    ...given.map(({ declaration }) => `    ${declaration},`),
    `): ${returnType(reading, model)} {`,
    ...indent(body(operation, reading, model), '    '),
    '}',
  ];
}

function plain(declaration: string): Argument {
  return { declaration, type: [], description: '' };
}

function inputArguments({ input }: Operation, reading: Reading, model: Model): Argument[] {
  if (reading.kind === 'every page')
    return [
      plain(`string $${argumentOf(reading.parameter)} = 'start'`),
      plain(`int $${camel(reading.size)} = self::PER_PAGE`),
    ];
  if (reading.kind === 'changes') {
    const type = ['array{changed_since: string, per_page?: int}'];
    return [{ declaration: 'array $parameters', type, description: '' }];
  }
  switch (input.kind) {
    case 'nothing':
      return [];
    case 'lines':
      return [{ declaration: 'array $lines', type: lineType(input.of, model), description: '' }];
    case 'stream':
      return [
        {
          declaration: '\\Closure $records',
          type: ['\\Closure(): iterable<mixed>'],
          description: 'Called for each try. There is no timeout.',
        },
      ];
    case 'file':
      return [
        plain(`\\CURLFile|\\CURLStringFile $${camel(input.file)}`),
        ...parametersArgument(input, model),
        {
          declaration: 'float $timeout = self::FILE_TIMEOUT',
          type: ['float'],
          description: 'The seconds that one try may take.',
        },
      ];
    case 'parameters':
      return parametersArgument(input, model);
  }
}

function lineType(line: Type, model: Model): string[] {
  if (line.kind !== 'object') return [`list<${phpType(line, model, 'sent')}>`];
  const fields = model.parameters.find(({ name }) => name === line.name)?.fields ?? [];
  const [first = '', ...others] = shape(fields, model);
  return [`list<${first}`, ...others.slice(0, -1), '}>'];
}

function parametersArgument(input: Input & { kind: 'parameters' | 'file' }, model: Model): Argument[] {
  if (input.fields.length === 0) return [];
  const isRequired = input.fields.some((field) => field.isRequired);
  const declaration = isRequired ? 'array $parameters' : 'array $parameters = []';
  return [{ declaration, type: shape(input.fields, model), description: '' }];
}

function argumentOf(parameter: string): string {
  return parameter === 'changed_since' ? 'since' : camel(parameter);
}

function returnType(reading: Reading, model: Model): string {
  if ('item' in reading || reading.kind === 'every page') return '\\Generator';
  return reading.result === null ? 'void' : nativeType(reading.result, model);
}

/** Null if the return type itself says all. */
function documentedReturn(reading: Reading, model: Model): string | null {
  if ('item' in reading) return `\\Generator<int, ${phpType(reading.item, model, 'returned')}>`;
  if (reading.kind === 'every page') return `\\Generator<int, ${phpType(reading.page, model, 'returned')}>`;
  if (reading.result === null || reading.result.kind === 'object') return null;
  return phpType(reading.result, model, 'returned');
}

function body(operation: Operation, reading: Reading, model: Model): string[] {
  const classOf = (type: Type): string => {
    const record = recordIn(type, model, operation.name);
    if (record === null) throw new Unknown(operation.name, 'expected records to iterate over');
    return `Records\\${record === 'events' ? 'Events' : record}::class`;
  };
  const request = requestOf(operation, reading);
  const iterate = (verb: string, ...values: string[]): string[] => [
    ...request,
    `return $this->${verb}(${['$request', ...values].join(', ')});`,
  ];
  switch (reading.kind) {
    case 'every item':
      return iterate(
        'everyItem',
        classOf(reading.item),
        reading.identity === null ? 'null' : quoted(reading.identity),
      );
    case 'every result':
      return iterate('everyResult', classOf(reading.item), quoted(reading.parameter), quoted(reading.next));
    case 'every page':
      return iterate('everyPage', classOf(reading.page), quoted(reading.parameter), quoted(reading.next));
    default:
      return [...request, ...resultBody(reading.result, operation, model)];
  }
}

function resultBody(result: Type | null, { name }: Operation, model: Model): string[] {
  if (result === null) return ['$this->call($request);'];
  const record = recordIn(result, model, name);
  if (record === null) return ['return $this->call($request)->body;'];
  if (record === 'events' || (result.kind !== 'list' && result.kind !== 'object'))
    throw new Unknown(name, 'a result that may be null or is an event is not known');
  if (result.kind === 'list') return [`return Records\\${record}::listFrom($this->call($request));`];
  return [
    '$response = $this->call($request);',
    `return Records\\${record}::from($response->body, $response->header('etag'));`,
  ];
}

function requestOf({ method: verb, path, input, options }: Operation, reading: Reading): string[] {
  const members = [quoted(verb), pathOf(path), ...contentOf(input, reading, verb)];
  if (options.hasIdempotencyKey) members.push('idempotencyKey: $idempotencyKey ?? self::newKey()');
  if (options.hasIfMatch) members.push('ifMatch: $ifMatch');
  if (options.hasSimulate) members.push('simulate: $simulate');
  return ['$request = new Request(', ...members.map((member) => `    ${member},`), ');'];
}

/** Returns an expression for a path with values. */
function pathOf(path: string): string {
  const parts = path.split(/\{(\w+)\}/);
  return parts
    .map((part, index) => (index % 2 === 0 ? quoted(part) : `rawurlencode($${camel(part)})`))
    .filter((part) => part !== "''")
    .join(' . ');
}

function contentOf(input: Input, reading: Reading, verb: string): string[] {
  if (reading.kind === 'every page') {
    const since = `${quoted(reading.parameter)} => $${argumentOf(reading.parameter)}`;
    return [`query: [${since}, ${quoted(reading.size)} => $${camel(reading.size)}]`];
  }
  if (reading.kind === 'changes') return ['query: $parameters'];
  if (input.kind === 'lines') return ['json: $lines'];
  if (input.kind === 'stream') return ['records: $records'];
  if (input.kind === 'nothing') return verb === 'POST' || verb === 'PUT' ? ['json: (object) []'] : [];
  const parameters = input.fields.length === 0 ? '[]' : '$parameters';
  if (input.kind === 'file') {
    const file = `file: $${camel(input.file)}`;
    return [file, `fileField: ${quoted(input.file)}`, `query: ${parameters}`, 'timeout: $timeout'];
  }
  // An array without keys would become a list.
  if (input.place === 'json') return [`json: (object) ${parameters}`];
  if (reading.kind === 'page') return ["query: ['pagination' => true] + $parameters"];
  const defaults = itemDefaults(input, reading);
  return [defaults.length === 0 ? 'query: $parameters' : `query: $parameters + [${defaults.join(', ')}]`];
}

/** What an iteration sends unless the caller does. */
function itemDefaults({ fields }: { fields: readonly Field[] }, reading: Reading): string[] {
  if (!('item' in reading)) return [];
  const size = SIZES.find((name) => fields.some((field) => field.name === name));
  const defaults = size === undefined ? [] : [`${quoted(size)} => self::PER_PAGE`];
  if (reading.kind === 'every item' && reading.oldestFirst !== null)
    defaults.push(`'sort' => ${quoted(reading.oldestFirst)}`);
  return defaults;
}
