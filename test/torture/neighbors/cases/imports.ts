import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ConsoleImport } from '../../../../src/console/catalog-api.ts';
import type { ConsoleClient } from '../../../support/console.ts';
import { sendFile } from '../../../support/console-imports.ts';
import { figure, quantile } from '../../scenario.ts';
import { type Case, type CaseContext, consoleClientFor, QUIET_ADDRESS } from '../case.ts';

const POLL_MS = 50;
const QUIET_INTERVAL_MS = 500;
/** The longest time until the quiet merchant's file of one row has been checked, in ms. */
const MAX_CHECK_MS = { full: 5_000, short: 15_000 };
const TIMEOUT_MS = { full: 90_000, short: 20_000 };
const HOSTILE_UPLOADS = 150;

type NextStep = 'wait' | 'import' | 'delete';

function uploadCase(
  name: string,
  file: (context: CaseContext) => Buffer,
  next: NextStep,
  short = true,
): Case {
  return {
    name: `upload-${name}`,
    short,
    duringAttack: async (context, isOver) => {
      const bytes = file(context);
      const hostile = Array.from({ length: next === 'delete' ? 4 : 1 }, () =>
        uploadRepeatedly(context, bytes, next, isOver),
      );
      // The quiet merchant's first file must come after the first hostile one.
      await pause(200);
      const times = await quietUploads(context, isOver);
      const sent = (await Promise.all(hostile)).reduce((sum, count) => sum + count, 0);
      const extent = context.full ? 'full' : 'short';
      const notes = `${times.length} uploads, median ${quantile(times, 0.5).toFixed(0)} ms; ${sent} hostile uploads of ${(bytes.length / 1_000).toFixed(0)} KB`;
      const longest = quantile(times, 1);
      return [
        figure(
          'longest time until one row is checked, in ms',
          longest,
          { atMost: MAX_CHECK_MS[extent] },
          notes,
        ),
      ];
    },
  };
}

async function uploadRepeatedly(
  context: CaseContext,
  bytes: Buffer,
  next: NextStep,
  isOver: () => boolean,
): Promise<number> {
  const console = consoleClientFor(context, 'deep', '127.1.0.1');
  let sent = 0;
  while (!isOver() && sent < HOSTILE_UPLOADS) {
    const response = await sendFile(console, 'hostile.csv', bytes);
    if (response.status !== 200) {
      await pause(POLL_MS);
      continue;
    }
    sent += 1;
    const { id } = response.json<ConsoleImport>();
    if (next === 'delete') await console.request('DELETE', `/imports/${id}`);
    else await untilNot(console, id, 'checking', isOver);
    if (next !== 'import') continue;
    await console.post(`/imports/${id}/import`);
    await untilNot(console, id, 'importing', isOver);
  }
  return sent;
}

async function untilNot(
  console: ConsoleClient,
  id: string,
  state: ConsoleImport['state'],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const response = await console.get(`/imports/${id}`);
    if (response.status === 200 && response.json<ConsoleImport>().state !== state) return;
    await pause(POLL_MS);
  }
}

/** Sends one row repeatedly. Resolves to the times in ms until each was checked. */
async function quietUploads(context: CaseContext, isOver: () => boolean): Promise<number[]> {
  const console = consoleClientFor(context, 'quiet', QUIET_ADDRESS);
  const timeoutMs = TIMEOUT_MS[context.full ? 'full' : 'short'];
  const times: number[] = [];
  do {
    const begun = performance.now();
    const response = await sendFile(console, 'one.csv', 'identifier,title\nP-1,Pot\n');
    if (response.status !== 200)
      throw new Error(`an upload of one row got ${response.status}: ${response.text}`);
    const { id } = response.json<ConsoleImport>();
    await untilNot(console, id, 'checking', () => performance.now() - begun > timeoutMs);
    times.push(performance.now() - begun);
    await pause(QUIET_INTERVAL_MS);
  } while (!isOver());
  return times;
}

/** Unbalanced HTML tags: 300,000 characters per cell. */
function worstHtml(): Buffer {
  const html = `${'<x>'.repeat(50_000)}${'</u>'.repeat(37_500)}`;
  const rows = Array.from({ length: 8 }, (_, number) => `pot-${number},Pot,${html}\n`);
  return gzipSync(`Handle,Title,Body (HTML)\n${rows.join('')}`);
}

function catalog({ sizes }: CaseContext): Buffer {
  const rows = Array.from({ length: sizes.deep / 2 }, (_, number) => {
    return `imported-${number},Pot no. ${number},Home | Shelf ${number % 5_000},${number % 100}\n`;
  });
  return gzipSync(`identifier,title,category,cost_basis\n${rows.join('')}`);
}

function badRows({ full }: CaseContext): Buffer {
  return gzipSync(`identifier,cost_basis\n${'!,!\n'.repeat(full ? 1_000_000 : 50_000)}`);
}

export const uploadCases: Case[] = [
  uploadCase('rejects', badRows, 'wait', false),
  uploadCase('catalog', catalog, 'import', false),
  uploadCase('again', () => Buffer.from('identifier,title\nP-2,Pan\n'), 'delete', false),
  uploadCase('html', worstHtml, 'wait'),
];
