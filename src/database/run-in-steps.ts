import { TimeSlices } from '../shared/time-slices.ts';
import type { Connection } from './database.ts';
import type { Statement } from './statement.ts';

/** After this many rows, other work of the event loop may run. */
const ROWS_PER_STEP = 2_000;

export function* stepsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += ROWS_PER_STEP)
    yield items.slice(start, start + ROWS_PER_STEP);
}

/** Like `runEach`, and lets other work of the event loop run in between. */
export async function runInSteps<Parameters>(
  connection: Connection,
  statement: Statement<Parameters>,
  parameterSets: readonly NoInfer<Parameters>[],
): Promise<void> {
  const slices = new TimeSlices();
  for (const step of stepsOf(parameterSets)) {
    await connection.runEach(statement, step);
    await slices.pause();
  }
}
