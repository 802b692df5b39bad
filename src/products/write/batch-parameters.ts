import type { Problem } from '../../errors/domain-error.ts';
import { type BoundParameters, bindRecord } from '../../http/parameters/bind.ts';
import { type BodyLine, readLine } from '../../http/parameters/lines.ts';
import { mergeParameters } from '../../http/parameters/raw-parameters.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { identifierType, readOnlyInternalId, stockParameters, updateParameters } from './parameters.ts';
import { lineProblems } from './stock-scope.ts';

const identifier = { type: identifierType, required: true } as const;

/** The fields of a line that changes or creates a product, which only `identifier` selects. */
export const productLineFields = {
  ...updateParameters,
  identifier,
  internal_id: readOnlyInternalId,
} as const;

export const stockLineFields = { identifier, variation: identifier, ...stockParameters } as const;

export type BatchLine = { number: number } & (
  | { product: BoundParameters<typeof productLineFields> }
  | { stock: BoundParameters<typeof stockLineFields> }
  | { identifier: string | null; problems: Problem[] }
);

/**
 * Reads lines, and pauses for other work between them. With `onlyQuantities`, a line that sends other fields
 * is invalid.
 */
export async function readBatch(
  lines: readonly BodyLine[],
  { onlyQuantities }: { onlyQuantities: boolean },
): Promise<BatchLine[]> {
  const readOne = onlyQuantities ? readQuantities : readBatchLine;
  const read: BatchLine[] = [];
  const slices = new TimeSlices();
  for (const line of lines) {
    read.push(readOne(line));
    await slices.pause();
  }
  return read;
}

function readQuantities(line: BodyLine): BatchLine {
  const read = readBatchLine(line);
  if ('problems' in read) return read;
  const problems = lineProblems(read);
  const { identifier } = 'product' in read ? read.product : read.stock;
  return problems.length === 0 ? read : { number: read.number, identifier, problems };
}

function readBatchLine(line: BodyLine): BatchLine {
  const { number } = line;
  const members = readLine(line);
  if (members instanceof InvalidValue)
    return { number, identifier: null, problems: [{ field: '', reason: members.reason }] };
  const sent = mergeParameters(members);
  const variation = sent.get('variation');
  if (variation?.every(({ kind }) => kind === 'null')) sent.delete('variation');
  if (sent.has('variation')) {
    const stock = bindRecord(stockLineFields, sent);
    if ('bound' in stock) return { number, stock: stock.bound };
    return { number, identifier: sentIdentifier(sent), ...stock };
  }
  const product = bindRecord(productLineFields, sent);
  if ('bound' in product) return { number, product: product.bound };
  return { number, identifier: sentIdentifier(sent), ...product };
}

/** Returns the identifier of an invalid line; null if it has no valid one. */
function sentIdentifier(sent: ReturnType<typeof mergeParameters>): string | null {
  const bound = bindRecord({ identifier }, new Map([['identifier', sent.get('identifier') ?? []]]));
  return 'bound' in bound ? bound.bound.identifier : null;
}
