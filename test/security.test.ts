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

  it('names only files that exist', () => {
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

  it('lists the code, the tests and the known gaps of each OWASP API risk', () => {
    const parts = page.split(/^### (?=API\d)/m).slice(1);
    assert.deepEqual(
      parts.map((part) => part.split(':', 1)[0]),
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
    for (const part of parts) {
      const line = (start: string): string =>
        part.split('\n').find((one) => one.startsWith(`- ${start}: `)) ?? '';
      const [code, tests] = [named(line('Code')), named(line('Tests'))];
      assert.ok(code.length > 0 && code.every((path) => path.startsWith('src/')), part);
      assert.ok(tests.length > 0 && tests.every((path) => path.endsWith('.test.ts')), part);
      assert.notEqual(line('Known gaps'), '', part);
    }
  });

  it('lists the controls, the tests and the known gaps of each ASVS chapter, or why it does not apply', () => {
    const [, walk = ''] = page.split(/^## OWASP ASVS .*$/m);
    const [excluded = '', ...chapters] = walk.split(/^### (?=V\d)/m);
    const walked = chapters.map((chapter) => chapter.split(':', 1)[0]);
    const others = [...excluded.matchAll(/^- \*\*(V\d+), [^*]+\*\*: ./gm)].map(([, chapter]) => chapter);
    assert.deepEqual(
      [...walked, ...others].sort(),
      Array.from({ length: 17 }, (_, index) => `V${index + 1}`).sort(),
    );
    for (const chapter of chapters) {
      const [head, , ...rows] = chapter
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .map((line) =>
          line
            .split('|')
            .map((cell) => cell.trim())
            .slice(1, -1),
        );
      assert.deepEqual(head, ['requirements', 'controls', 'tests', 'known gaps']);
      assert.ok(rows.length > 0, chapter);
      for (const row of rows) {
        const [requirements = '', controls = '', testCell = '', gaps = ''] = row;
        assert.ok(row.length === 4 && gaps !== '', requirements);
        assert.ok(requirements.startsWith(`${chapter.split(':', 1)[0]}.`), requirements);
        assert.ok(named(controls).length > 0, requirements);
        const tests = named(testCell);
        assert.ok(testCell === '–' || tests.length > 0, requirements);
        assert.ok(
          tests.every((path) => path.endsWith('.test.ts')),
          requirements,
        );
      }
    }
  });
});

it('only certificate authorities, the PostgreSQL connection, the doctor’s port checks, buckets of backups, identity providers, the feed of releases, webhooks and checks of images open a connection', () => {
  const opening =
    /\bfetch\(|new (?:WebSocket|EventSource|Socket)\b|from '(?:undici|node:(?:http2|dgram))'|import \{[^}]*\b(?:connect|createConnection|get|request)\b[^}]*\} from 'node:(?:net|tls|https?)'/;
  const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => opening.test(read(file)));
  assert.deepEqual(files.sort(), [
    join('src', 'acme', 'authority-connection.ts'),
    join('src', 'backups', 'bucket-client.ts'),
    join('src', 'console', 'single-sign-on', 'identity-provider.ts'),
    join('src', 'database', 'postgres', 'socket.ts'),
    join('src', 'doctor', 'listener.ts'),
    join('src', 'products', 'images', 'fetch-start.ts'),
    join('src', 'releases', 'read-feed.ts'),
    join('src', 'webhooks', 'post-message.ts'),
    join('src', 'webhooks', 'receiver-agent.ts'),
  ]);
});
