import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Upload } from '../../../../src/console/console-api.ts';
import type { ConsoleClient } from '../../../support/console.ts';
import { sendFile } from '../../../support/uploads.ts';
import { figure, quantile } from '../../scenario.ts';
import { browserOf, type Case, QUIET_ADDRESS, type World } from '../world.ts';

const POLL_MS = 50;
const BETWEEN_QUIET_MS = 500;
/** What the quiet merchant's upload of one row may take until it has been checked, in ms. */
const BOUND_MS = { full: 5_000, short: 15_000 };
const PATIENCE_MS = { full: 90_000, short: 20_000 };
const HOSTILE_UPLOADS = 150;

/** What a hostile merchant does with its file, again and again. */
type Habit = 'wait' | 'import' | 'delete';

function uploadCase(name: string, file: (world: World) => Buffer, habit: Habit, short = true): Case {
  return {
    name: `upload-${name}`,
    short,
    beside: async (world, isOver) => {
      const bytes = file(world);
      const hostile = Array.from({ length: habit === 'delete' ? 4 : 1 }, () =>
        uploadAgainAndAgain(world, bytes, habit, isOver),
      );
      // It is to come after the first of the hostile ones.
      await pause(200);
      const times = await quietUploads(world, isOver);
      const sent = (await Promise.all(hostile)).reduce((sum, count) => sum + count, 0);
      const extent = world.full ? 'full' : 'short';
      const notes = `${times.length} uploads, median ${quantile(times, 0.5).toFixed(0)} ms; ${sent} hostile uploads of ${(bytes.length / 1_000).toFixed(0)} KB`;
      const longest = quantile(times, 1);
      return [
        figure('longest until one row is checked, in ms', longest, { atMost: BOUND_MS[extent] }, notes),
      ];
    },
  };
}

async function uploadAgainAndAgain(
  world: World,
  bytes: Buffer,
  habit: Habit,
  isOver: () => boolean,
): Promise<number> {
  const console = browserOf(world, 'deep', '127.1.0.1');
  let sent = 0;
  while (!isOver() && sent < HOSTILE_UPLOADS) {
    const answer = await sendFile(console, 'hostile.csv', bytes);
    if (answer.status !== 200) {
      await pause(POLL_MS);
      continue;
    }
    sent += 1;
    const { id } = answer.json<Upload>();
    if (habit === 'delete') await console.request('DELETE', `/uploads/${id}`);
    else await untilNot(console, id, 'checking', isOver);
    if (habit !== 'import') continue;
    await console.post(`/uploads/${id}/import`);
    await untilNot(console, id, 'importing', isOver);
  }
  return sent;
}

async function untilNot(
  console: ConsoleClient,
  id: string,
  state: Upload['state'],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const answer = await console.get(`/uploads/${id}`);
    if (answer.status === 200 && answer.json<Upload>().state !== state) return;
    await pause(POLL_MS);
  }
}

/** Times in ms from sending one row until it has been checked. */
async function quietUploads(world: World, isOver: () => boolean): Promise<number[]> {
  const console = browserOf(world, 'quiet', QUIET_ADDRESS);
  const patience = PATIENCE_MS[world.full ? 'full' : 'short'];
  const times: number[] = [];
  do {
    const begun = performance.now();
    const answer = await sendFile(console, 'one.csv', 'identifier,title\nP-1,Pot\n');
    if (answer.status !== 200) throw new Error(`an upload of one row got ${answer.status}: ${answer.text}`);
    const { id } = answer.json<Upload>();
    await untilNot(console, id, 'checking', () => performance.now() - begun > patience);
    times.push(performance.now() - begun);
    await pause(BETWEEN_QUIET_MS);
  } while (!isOver());
  return times;
}

/** Tags that are opened and closed in another order: 300,000 characters a cell. */
function worstHtml(): Buffer {
  const html = `${'<x>'.repeat(50_000)}${'</u>'.repeat(37_500)}`;
  const rows = Array.from({ length: 8 }, (_, number) => `pot-${number},Pot,${html}\n`);
  return gzipSync(`Handle,Title,Body (HTML)\n${rows.join('')}`);
}

/** So many products, each with a category of its own. */
function catalog({ sizes }: World): Buffer {
  const rows = Array.from({ length: sizes.deep / 2 }, (_, number) => {
    return `imported-${number},Pot no. ${number},Home | Shelf ${number % 5_000},${number % 100}\n`;
  });
  return gzipSync(`identifier,title,category,cost_basis\n${rows.join('')}`);
}

function badRows({ full }: World): Buffer {
  return gzipSync(`identifier,cost_basis\n${'!,!\n'.repeat(full ? 1_000_000 : 50_000)}`);
}

export const uploadCases: Case[] = [
  uploadCase('rejects', badRows, 'wait', false),
  uploadCase('catalog', catalog, 'import', false),
  uploadCase('again', () => Buffer.from('identifier,title\nP-2,Pan\n'), 'delete', false),
  uploadCase('html', worstHtml, 'wait'),
];
