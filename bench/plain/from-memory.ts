import { readFileSync } from 'node:fs';
import { send, serve } from './serve.ts';

// The bare limit: bytes from memory. Its last argument is the file of the body.
const body = readFileSync(process.argv[4] ?? '');
serve((response) => send(response, body));
