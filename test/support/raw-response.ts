import { ClientResponse } from './client.ts';

/** Parses one HTTP/1.1 response whose body extends to the end of the text. */
export function parseResponse(text: string): ClientResponse {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return new ClientResponse(Number(statusLine.split(' ')[1]), headers, Buffer.from(body.join('\r\n\r\n')));
}
