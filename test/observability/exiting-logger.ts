/** Writes `count` lines to the pipe at `path`, which has no reader, and exits as soon as it is full. */
import fs, { constants, openSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: NodeJS.ErrnoException | null, written: number, bytes: Buffer) => void;

const [, , path = '', count] = process.argv;
const { write } = fs;
const exitWhenFull = (descriptor: number, bytes: Buffer, done: Done): void => {
  write(descriptor, bytes, (error, written, buffer) => {
    done(error, written, buffer);
    if (error?.code !== 'EAGAIN') return;
    writeSync(1, 'full\n');
    process.exit();
  });
};
Object.assign(fs, { write: exitWhenFull });
syncBuiltinESMExports();

const { LogLines } = await import('../../src/observability/log-lines.ts');
const log = new LogLines(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
for (let number = 0; number < Number(count); number += 1) {
  log.add(`${JSON.stringify({ number, padding: 'x'.repeat(30) })}\n`);
}
