import { readFileSync } from 'node:fs';
import { send, serve } from './serve.ts';

// An upper bound: bytes from memory. The last argument is the file with the body.
const body = readFileSync(process.argv[4] ?? '');
serve((response) => send(response, body));
