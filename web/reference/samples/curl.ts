import { quote } from '../curl.ts';
import { isEmpty } from './literal.ts';
import type { SampleCall, SampleTarget } from './sample-call.ts';

/** A `curl` command. */
export function curlSample(call: SampleCall, { apiUrl, token, certificateFile }: SampleTarget): string {
  const { method, values, lines, file } = call;
  const bearer =
    token === '' ? '"Authorization: Bearer $TRADEPOST_TOKEN"' : quote(`Authorization: Bearer ${token}`);
  const url = apiUrl + call.path.replaceAll(/\{(\w+)\}/g, (_, name) => inUrl(call, name));
  const fields = Object.entries(values);
  const hasBody = method === 'POST' || method === 'PUT';
  const parts = [`curl ${method === 'PUT' || method === 'DELETE' ? `-X ${method} ` : ''}${quote(url)}`];
  if (certificateFile !== null) parts.push(`--cacert ${certificateFile}`);
  parts.push(`-H ${bearer}`);
  if (file !== null) {
    parts.push(...fields.map(([name, value]) => `-F ${quote(`${name}=${value}`)}`), `-F file=@${file}`);
  } else if (!hasBody) {
    if (!isEmpty(values)) parts.push('-G');
    parts.push(...fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`));
  } else if (lines !== null || !isEmpty(values)) {
    parts.push(
      "-H 'Content-Type: application/json'",
      `-d ${quote(JSON.stringify(lines ?? values, null, 2))}`,
    );
  } else if (method === 'POST') {
    parts[0] = `curl -X POST ${quote(url)}`;
  }
  return parts.join(' \\\n  ');
}

function inUrl({ inPath }: SampleCall, name: string): string {
  return encodeURIComponent(String(inPath.find(([one]) => one === name)?.[1]));
}
