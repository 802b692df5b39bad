import type { ParameterType } from '../../http/parameters/types.ts';
import type { SavedView } from '../catalog-api.ts';

export const MAX_VIEWS = 50;
export const MAX_VIEW_NAME = 60;
const MAX_PARAMETERS = 20;
const MAX_PARAMETER_LENGTH = 500;

/** The pages decide which parameters of a list make sense. */
export const viewList: ParameterType<SavedView[]> = {
  expected: `a list of up to ${MAX_VIEWS} views, each with a name of up to ${MAX_VIEW_NAME} characters and a listing`,
  schema: { type: 'array', maxItems: MAX_VIEWS, items: { type: 'object' } },
  isNested: true,
  read: ({ kind, text }) => {
    if (kind !== 'nested') return undefined;
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list) || list.length > MAX_VIEWS) return undefined;
    const views = list.map(readView);
    if (!views.every((view) => view !== undefined)) return undefined;
    return new Set(views.map(({ name }) => name)).size === views.length ? views : undefined;
  },
};

function readView(value: unknown): SavedView | undefined {
  if (!isRecord(value)) return undefined;
  const { name, listing, ...others } = value;
  if (typeof name !== 'string' || name.trim() === '' || [...name].length > MAX_VIEW_NAME) return undefined;
  if (!isRecord(listing) || Object.keys(others).length > 0) return undefined;
  const parameters = Object.entries(listing);
  const isValid = parameters.every(
    ([key, text]) =>
      key.length <= MAX_PARAMETER_LENGTH && typeof text === 'string' && text.length <= MAX_PARAMETER_LENGTH,
  );
  if (!isValid || parameters.length > MAX_PARAMETERS) return undefined;
  return { name, listing: Object.fromEntries(parameters.map(([key, text]) => [key, String(text)])) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
