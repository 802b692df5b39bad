import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes, isForMerchants } from '../src/events/event-types.ts';
import { apiErrors } from '../src/http/responses/statuses.ts';
import { eventDescriptions } from '../src/openapi/events/event-descriptions.ts';
import { exampleEvent } from '../src/openapi/events/event-schema.ts';
import { type Field, productFields, variationFields } from '../src/products/record/product.ts';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'reference');

/** Returns each page of docs/reference that has parts from the code, with these parts as they should be. */
export function generatedPages(): Map<string, string> {
  return new Map([
    ['errors.md', withTable('errors.md', ['error', 'status', 'cause', 'what to do'], errorRows())],
    ['events.md', replaced('events.md', /(?<=\n## Types\n\n).*/s, eventSections().join('\n'))],
    [
      'import-formats.md',
      withTable(
        'import-formats.md',
        ['field', 'characters'],
        limitRows(),
        withTable('import-formats.md', ['owner', 'product fields', 'variation fields'], ownerRows()),
      ),
    ],
  ]);
}

/** The text of a page as it is. */
export function currentPage(page: string): string {
  return readFileSync(join(FOLDER, page), 'utf8');
}

function replaced(page: string, part: RegExp, text: string, current = currentPage(page)): string {
  if (!part.test(current)) throw new Error(`${page} has no part that matches ${part.source}`);
  return current.replace(part, () => text);
}

/** Replaces the rows of a table, which its header identifies. */
function withTable(page: string, header: string[], rows: string[][], current?: string): string {
  const head = `| ${header.join(' | ')} |\n|${'---|'.repeat(header.length)}\n`;
  const lines = rows.map(
    (cells) => `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}\n`,
  );
  return replaced(page, new RegExp(`(?<=${RegExp.escape(head)})(?:\\|.*\n)*`), lines.join(''), current);
}

const code = (name: string): string => `\`${name}\``;

function errorRows(): string[][] {
  return [...apiErrors].map(([name, { statuses, cause, remedy }]) => [
    code(name),
    statuses.join(', '),
    cause,
    remedy,
  ]);
}

function eventSections(): string[] {
  return eventTypes.map((type) => {
    const description = eventDescriptions[type].description.replaceAll('’', "'");
    const note = isForMerchants(type) ? '' : ' Only the operator gets it.';
    const example = JSON.stringify(exampleEvent(type), null, 2);
    return `### ${code(type)}\n\n${description}${note}\n\n\`\`\`json\n${example}\n\`\`\`\n`;
  });
}

function ownerRows(): string[][] {
  const owned = (fields: Record<string, Field>, owner: string): string =>
    Object.entries(fields)
      .filter(([, field]) => field.owner === owner)
      .map(([name]) => code(name))
      .join(', ');
  const rows = ['operator', 'derived'].map((owner) => [
    owner,
    owned(productFields, owner),
    owned(variationFields, owner),
  ]);
  return [['merchant', 'every other field', 'every other field'], ...rows];
}

/** The longest limits first. */
function limitRows(): string[][] {
  const byLimit = new Map<number, string[]>();
  for (const [name, field] of Object.entries<Field>({ ...productFields, ...variationFields }))
    if (field.kind === 'text')
      byLimit.set(field.maxLength, [...(byLimit.get(field.maxLength) ?? []), code(name)]);
  return [...byLimit]
    .sort(([one], [other]) => other - one)
    .map(([limit, names]) => [names.join(', '), String(limit)]);
}

if (import.meta.main) for (const [page, text] of generatedPages()) writeFileSync(join(FOLDER, page), text);
