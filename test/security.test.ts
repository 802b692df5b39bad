import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the security review', () => {
  const page = read('docs/security.md');
  const named = (text: string): string[] =>
    [...text.matchAll(/`((?:src|web|test|docs|deploy|clients)\/[^`]+)`/g)].map(([, path = '']) => path);

  it('names only files that there are', () => {
    assert.deepEqual(
      named(page).filter((path) => !existsSync(join(root, path))),
      [],
    );
    const links = ['SECURITY.md', 'docs/security.md'].flatMap((from) =>
      [...read(from).matchAll(/\]\(([^)#:]+)\)/g)].map(([, to = '']) => join(dirname(from), to)),
    );
    assert.deepEqual(
      links.filter((path) => !existsSync(join(root, path))),
      [],
    );
    assert.ok(links.length > 1);
  });

  it('says of each of OWASP’s ten what holds it, which test shows that, and what falls short', () => {
    const parts = page.split(/^### (?=API\d)/m).slice(1);
    assert.deepEqual(
      parts.map((part) => part.split(':', 1)[0]),
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
    for (const part of parts) {
      const line = (start: string): string =>
        part.split('\n').find((one) => one.startsWith(`- ${start}: `)) ?? '';
      const [holding, showing] = [named(line('Held by')), named(line('Shown by'))];
      assert.ok(holding.length > 0 && holding.every((path) => path.startsWith('src/')), part);
      assert.ok(showing.length > 0 && showing.every((path) => path.endsWith('.test.ts')), part);
      assert.notEqual(line('Falls short'), '', part);
    }
  });
});

it('nothing in the program opens a connection but its way to PostgreSQL, and the doctor’s to its own port', () => {
  const opening =
    /\bfetch\(|new (?:WebSocket|EventSource|Socket)\b|from '(?:undici|node:(?:http2|dgram))'|import \{[^}]*\b(?:connect|createConnection|get|request)\b[^}]*\} from 'node:(?:net|tls|https?)'/;
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => opening.test(read(file)));
  assert.deepEqual(files.sort(), [
    join('src', 'database', 'postgres', 'socket.ts'),
    join('src', 'doctor', 'check-port.ts'),
  ]);
});
