import { isEmpty, literal, type Syntax } from './literal.ts';
import type { SampleCall, SampleTarget } from './sample-call.ts';

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const syntax: Syntax = {
  object: ['[', ']'],
  list: ['[', ']'],
  entry: (name, value) => `${text(name)} => ${value}`,
  text,
  words: ['true', 'false', 'null'],
  indent: '    ',
};

/** A program that uses the PHP client. */
export function phpSample(call: SampleCall, { apiUrl, token, certificateFile }: SampleTarget): string {
  const { operationId, inPath, values, lines, file, result } = call;
  const args = inPath.map(([, value]) => text(String(value)));
  if (file !== null) args.push(`new CURLFile(${text(file)})`);
  if (lines !== null) args.push(literal(lines, syntax));
  else if (!isEmpty(values)) args.push(literal(values, syntax));
  return [
    '<?php',
    '',
    "require 'vendor/autoload.php';",
    '',
    '$tradepost = new Tradepost\\Client(',
    `    ${text(apiUrl)},`,
    `    ${token === '' ? "getenv('TRADEPOST_TOKEN') ?: ''" : text(token)},`,
    ...(certificateFile === null ? [] : [`    caFile: ${text(certificateFile)},`]),
    ');',
    '',
    `$${result} = $tradepost->${operationId}(${args.join(', ')});`,
    `echo json_encode($${result}, JSON_PRETTY_PRINT), "\\n";`,
  ].join('\n');
}
