import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';

/** Serves with Node's HTTPS server and prints the URL. The arguments begin with certificate and key files. */
export function serve(respond: (response: ServerResponse) => void): void {
  const [certificate = '', key = ''] = process.argv.slice(2);
  const material = { cert: readFileSync(certificate), key: readFileSync(key) };
  const server = createServer(material, (_request, response) => respond(response));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/\n`);
  });
}

export function send(response: ServerResponse, body: Uint8Array): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}
