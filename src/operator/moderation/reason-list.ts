import type { ModerationReason } from '../../events/event-types.ts';
import type { ParameterType } from '../../http/parameters/types.ts';
import {
  MAX_REASON_MESSAGE,
  MAX_REASON_NAME,
  MAX_REASONS,
  reasonSchema,
} from '../../products/moderation/issues-schema.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';

/** Reasons must fit into an event. */
const MAX_BYTES = 15_000;

const limits: Record<keyof ModerationReason, number> = {
  code: MAX_REASON_NAME,
  field: MAX_REASON_NAME,
  message: MAX_REASON_MESSAGE,
};
const names = Object.keys(limits) as (keyof ModerationReason)[];

export const reasonList: ParameterType<ModerationReason[]> = {
  expected: `a list of at most ${MAX_REASONS} objects with code, message and optionally field`,
  schema: {
    type: 'array',
    maxItems: MAX_REASONS,
    items: { ...reasonSchema, title: 'NewModerationReason', required: ['code', 'message'] },
  },
  isNested: true,
  read: ({ kind, text }) => {
    const list: unknown = kind === 'nested' ? JSON.parse(text) : undefined;
    if (!Array.isArray(list) || list.length > MAX_REASONS) return undefined;
    const reasons: ModerationReason[] = [];
    for (const [index, item] of list.entries()) {
      const reason = readReason(item, `reasons[${index}]`);
      if (reason instanceof InvalidValue) return reason;
      reasons.push(reason);
    }
    if (Buffer.byteLength(JSON.stringify(reasons)) <= MAX_BYTES) return reasons;
    return new InvalidValue(`expected at most ${MAX_BYTES.toLocaleString('en')} bytes of JSON`);
  },
};

function readReason(item: unknown, place: string): ModerationReason | InvalidValue {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return new InvalidValue(`${place}: expected an object`);
  const members: Record<string, unknown> = { ...item };
  const unknown = Object.keys(members).find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) return new InvalidValue(`${place}: unrecognized ${unknown}`);
  for (const name of names) {
    const value = members[name];
    if (name === 'field' && (value === undefined || value === null)) continue;
    const isValid =
      typeof value === 'string' &&
      value.trim() !== '' &&
      !value.includes('\0') &&
      value.isWellFormed() &&
      [...value].length <= limits[name];
    if (!isValid)
      return new InvalidValue(`${place}[${name}]: expected text of 1 to ${limits[name]} characters`);
  }
  const { code, field = null, message } = members as Partial<ModerationReason>;
  return { code: code ?? '', field, message: message ?? '' };
}
