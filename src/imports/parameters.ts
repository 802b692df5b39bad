import { pageParameters } from '../http/pages/pages.ts';
import { boolean, text } from '../http/parameters/types.ts';

const id = { type: text(100), required: true } as const;

export const importParameters = { name: { type: text(255) }, dry_run: { type: boolean } };
export const listParameters = pageParameters;
export const rejectsParameters = { id, ...listParameters };
export const cancelParameters = { id };
