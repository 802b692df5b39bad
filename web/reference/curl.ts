/** A line for the shell that asks for the first products. */
export function firstCall(apiUrl: string, token: string): string {
  return curlLine({
    method: 'GET',
    url: `${apiUrl}/products.json?access_token=${encodeURIComponent(token)}&per_page=2`,
  });
}

export interface Call {
  method: string;
  url: string;
  /** Sent as a form, where there is one. */
  body?: string;
  headers?: Record<string, string>;
}

/** The same call as a line for the shell. */
export function curlLine({ method, url, body, headers = {} }: Call): string {
  const words = ['curl'];
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) words.push('-X', method);
  for (const [name, value] of Object.entries(headers)) words.push('-H', quoted(`${name}: ${value}`));
  if (body !== undefined) words.push('-d', quoted(body));
  words.push(quoted(url));
  return words.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
