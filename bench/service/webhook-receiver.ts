// An HTTPS server for webhooks in a process of its own. Sends `ready`, and for each message the latencies
// since the last one: milliseconds from each event to its arrival.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { ClientEvent } from '../../src/events/event-types.ts';

const [certificate = '', key = ''] = process.argv.slice(2);
let latencies: number[] = [];

const server = createServer(
  { cert: readFileSync(certificate), key: readFileSync(key) },
  (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      if (request.url === '/hangs') return;
      const event: ClientEvent = JSON.parse(body);
      latencies.push(Date.now() - Date.parse(event.occurred_at));
      response.writeHead(204).end();
    });
  },
);
server.listen(8443, '127.9.9.9', () => process.send?.('ready'));
process.on('message', () => {
  process.send?.(latencies);
  latencies = [];
});
process.on('disconnect', () => process.exit());
