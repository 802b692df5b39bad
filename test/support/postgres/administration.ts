import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { newRandom } from '../seed.ts';

const ATTEMPTS = 20;
const OBJECT_IN_USE = '55006';
const random = newRandom();

export function newDatabaseName(kind: 'test' | 'template'): string {
  return `tradepost_${kind}_${randomUUID().replaceAll('-', '')}`;
}

/** Runs a statement such as CREATE DATABASE. Retries while other processes use the same template. */
export async function administer(serverUrl: string, statement: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await sql.unsafe(statement);
        return;
      } catch (error) {
        const inUse = error instanceof postgres.PostgresError && error.code === OBJECT_IN_USE;
        if (!inUse || attempt === ATTEMPTS) throw error;
        await pause(random.whole(1, 50) * attempt);
      }
    }
  } finally {
    await sql.end();
  }
}
