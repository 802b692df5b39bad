import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import {
  ApiError,
  Tradepost,
  TradepostError,
  TradepostOperator,
  verifyWebhook,
} from '../../../clients/typescript/src/index.ts';
import type { Command, Outcome, RecordStream } from '../scenarios.ts';

// Runs the calls that it reads as lines of JSON, with the TypeScript client, and prints what happened.

/** Files and streams are the only arguments that JSON cannot express. */
async function prepare(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if ('$file' in value) {
    const path = String(value.$file);
    return new File([await openAsBlob(path)], basename(path));
  }
  if ('$records' in value) return () => records(value.$records as RecordStream);
  return value;
}

function* records({ record, count, failure }: RecordStream): Generator<object> {
  for (let number = 1; number <= count; number += 1)
    yield JSON.parse(JSON.stringify(record).replaceAll('{n}', String(number)));
  if (failure !== undefined) throw new Error(failure);
}

/** The clients have seconds in the other languages. */
function inMilliseconds({
  timeout,
  totalTimeout,
  caFile: _,
  perPage,
  ...others
}: Command['options']): object {
  return {
    ...others,
    ...(timeout !== undefined && { timeoutMs: Number(timeout) * 1000 }),
    ...(totalTimeout !== undefined && { totalMs: Number(totalTimeout) * 1000 }),
    ...(perPage !== undefined && { per_page: perPage }),
  };
}

async function run({ api, client: settings, call, args, options, take }: Command): Promise<Outcome> {
  if (call === 'verifyWebhook') {
    const [body, headers, secrets] = args as [string, Record<string, string>, string];
    const now = 1000 * Number(options.now);
    return { value: await verifyWebhook(body, headers, secrets, { now }) };
  }
  const clientOptions = inMilliseconds(settings) as ConstructorParameters<typeof Tradepost>[0];
  const client = api === 'merchant' ? new Tradepost(clientOptions) : new TradepostOperator(clientOptions);
  const prepared = await Promise.all(args.map(prepare));
  // The other clients have a method of its own for each type of result.
  const isPage = call.endsWith('Page');
  const name = isPage ? call.slice(0, -'Page'.length) : call;
  if (isPage) prepared[0] = { ...(prepared[0] as object), pagination: true };
  const method: unknown = client[name as keyof typeof client];
  if (typeof method !== 'function') throw new Error(`There is no method ${name}.`);
  const value: unknown = await method.call(client, ...prepared, inMilliseconds(options));
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
    const items: unknown[] = [];
    for await (const item of value as AsyncIterable<unknown>) {
      items.push(item);
      if (items.length === take) break;
    }
    return { value: items };
  }
  const etag =
    client instanceof Tradepost ? client.etagOf(value as Parameters<Tradepost['etagOf']>[0]) : null;
  return { value, etag: etag ?? null, raw: value };
}

function failure(error: unknown): Outcome['error'] {
  if (!(error instanceof Error)) return { kind: 'other', message: String(error) };
  const { name: kind, message } = error;
  if (!(error instanceof TradepostError)) return { kind, message };
  const { tries, idempotencyKey } = error;
  if (!(error instanceof ApiError)) return { kind, message, tries, idempotencyKey };
  const { status, code, problems, requestId, retryAfterMs } = error;
  const retryAfter = retryAfterMs === null ? null : retryAfterMs / 1000;
  return { kind, message, tries, idempotencyKey, status, code, problems, requestId, retryAfter };
}

for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await run(JSON.parse(line)).catch((error: unknown) => ({ error: failure(error) }));
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
