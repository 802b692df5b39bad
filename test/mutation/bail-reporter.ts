import type { TestEvent } from 'node:test/reporters';

/** Ends the process at the first failed test, because one is enough to notice a mutant. */
export default async function* bailReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || data.details.passed || data.todo) continue;
    yield `${data.name}: ${data.details.error?.message}\n`;
    process.exit(1);
  }
}
