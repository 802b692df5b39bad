import { Answer } from './client.ts';

/** Reads one answer off the wire, whose body goes to the end of the connection. */
export function parseAnswer(text: string): Answer {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return new Answer(Number(statusLine.split(' ')[1]), headers, Buffer.from(body.join('\r\n\r\n')));
}
