import { isEmpty, literal, type Syntax } from './literal.ts';
import type { SampleCall, SampleTarget } from './sample-call.ts';

const text = (value: string): string => JSON.stringify(value);

const syntax: Syntax = {
  object: ['{', '}'],
  list: ['[', ']'],
  entry: (name, value) => `${text(name)}: ${value}`,
  text,
  words: ['True', 'False', 'None'],
  indent: '    ',
};

/** A program that uses the Python client. */
export function pythonSample(call: SampleCall, { apiUrl, token, certificateFile }: SampleTarget): string {
  const { operationId, inPath, values, lines, file } = call;
  const result = snake(call.result);
  const args = inPath.map(([, value]) => text(String(value)));
  if (file !== null) args.push(text(file));
  if (lines !== null) args.push(literal(lines, syntax));
  else if (!isEmpty(values)) args.push(literal(values, syntax));
  return [
    ...(token === '' ? ['import os', ''] : []),
    'from tradepost import Client',
    '',
    'client = Client(',
    `    ${text(apiUrl)},`,
    `    ${token === '' ? 'os.environ["TRADEPOST_TOKEN"]' : text(token)},`,
    ...(certificateFile === null ? [] : [`    ca_file=${text(certificateFile)},`]),
    ')',
    '',
    `${result} = client.${snake(operationId)}(${args.join(', ')})`,
    `print(${result})`,
  ].join('\n');
}

/** `listProducts` becomes `list_products`, as in the client. */
function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
