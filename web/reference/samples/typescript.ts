import { isEmpty, literal, type Syntax } from './literal.ts';
import type { SampleCall, SampleTarget } from './sample-call.ts';

const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const syntax: Syntax = {
  object: ['{ ', ' }'],
  list: ['[', ']'],
  entry: (name, value) => `${/^[a-z_]\w*$/i.test(name) ? name : text(name)}: ${value}`,
  text,
  words: ['true', 'false', 'null'],
  indent: '  ',
};

/** A program that uses the TypeScript client. */
export function typescriptSample(call: SampleCall, { apiUrl, token, certificateFile }: SampleTarget): string {
  const { operationId, inPath, values, lines, file, result } = call;
  const parameters = { ...Object.fromEntries(inPath), ...values };
  const sent =
    lines !== null ? [literal(lines, syntax)] : isEmpty(parameters) ? [] : [literal(parameters, syntax)];
  const args = file === null ? sent : [`await openAsBlob(${text(file)})`, ...sent];
  return [
    ...(certificateFile === null ? [] : [`// Start it with NODE_EXTRA_CA_CERTS=${certificateFile}`]),
    ...(file === null ? [] : [`import { openAsBlob } from 'node:fs';`]),
    `import { Tradepost } from 'tradepost-client';`,
    '',
    `const tradepost = new Tradepost({`,
    `  baseUrl: ${text(apiUrl)},`,
    `  token: ${token === '' ? "process.env.TRADEPOST_TOKEN ?? ''" : text(token)},`,
    '});',
    '',
    `const ${result} = await tradepost.${operationId}(${args.join(', ')});`,
    `console.log(${result});`,
  ].join('\n');
}
