import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

// The bare limit: Node's own HTTPS server, sending bytes from memory. Arguments: certificate, key, body file.
const [certificate = '', key = '', bodyFile = ''] = process.argv.slice(2);
const body = readFileSync(bodyFile);
const server = createServer(
  { cert: readFileSync(certificate), key: readFileSync(key) },
  (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
  },
);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/\n`);
});
