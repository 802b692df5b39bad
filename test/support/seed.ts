import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { Random } from '../../src/demo/random.ts';

/** The seed of all random inputs of this process: `SEED`, or a random one. */
export const seed = readSeed(process.env.SEED ?? '');

fc.configureGlobal({ seed });
process.once('exit', (code) => {
  if (code !== 0) process.stderr.write(`To repeat the random inputs, set SEED=${seed}\n`);
});

export { fc };

/** The numbers depend only on the seed. */
export function newRandom(): Random {
  return new Random(seed);
}

function readSeed(text: string): number {
  if (text === '') return randomInt(2 ** 31);
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`SEED is "${text}": expected a whole number`);
  return value;
}
