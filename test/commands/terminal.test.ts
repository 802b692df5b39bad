import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { program } from '../../bench/service/servers.ts';
import { temporaryDirectory } from '../support/process.ts';
import { until } from '../support/until.ts';

const START_TIMEOUT_MS = 120_000;
const { PATH, NODE_COMPILE_CACHE } = process.env;

for (const WORKERS of ['1', '2']) {
  it(`serve prints its URLs on a terminal, with WORKERS=${WORKERS}`, async (t) => {
    const env = {
      PATH,
      NODE_COMPILE_CACHE,
      DATA_DIR: await temporaryDirectory(t),
      PORT: '0',
      METRICS_ADDRESS: 'off',
      WORKERS,
    };
    // `script` gives the command a terminal, and passes its output on.
    const command = `exec '${process.execPath}' '${program}' serve`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: 'pipe' });
    t.after(() => terminal.kill());
    let output = '';
    terminal.stdout.on('data', (chunk) => (output += String(chunk)));
    await until(() => output.includes('Press Ctrl-C to stop.'), {
      timeoutMs: START_TIMEOUT_MS,
      message: () => output,
    });
    const [, origin, console] = /^ {2}API: {6}(\S+)\/v1\s+Console: {2}(\S+)\s/m.exec(output) ?? [];
    assert.match(origin ?? '', /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(console, `${origin}/console`);
    terminal.stdin.write('\x03');
    const [status] = await once(terminal, 'exit');
    assert.equal(status, 0, output);
  });
}

it('serve prints nothing on standard output if it is not a terminal', async (t) => {
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    DATA_DIR: await temporaryDirectory(t),
    PORT: '0',
    METRICS_ADDRESS: 'off',
  };
  const server = spawn(process.execPath, [program, 'serve'], { env, stdio: 'pipe' });
  t.after(() => server.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  server.stdout.on('data', (chunk) => (stdout += String(chunk)));
  server.stderr.on('data', (chunk) => (stderr += String(chunk)));
  await until(() => stderr.includes('"msg":"serving"'), {
    timeoutMs: START_TIMEOUT_MS,
    message: () => stderr,
  });
  server.kill('SIGTERM');
  await once(server, 'exit');
  assert.equal(stdout, '');
  for (const line of stderr.trim().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line);
});
