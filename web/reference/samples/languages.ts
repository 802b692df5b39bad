import { curlSample } from './curl.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import type { SampleCall, SampleTarget } from './sample-call.ts';
import { typescriptSample } from './typescript.ts';

/** The languages of the samples, and what writes a sample. */
export const languages = {
  curl: curlSample,
  TypeScript: typescriptSample,
  PHP: phpSample,
  Python: pythonSample,
} satisfies Record<string, (call: SampleCall, target: SampleTarget) => string>;

export type Language = keyof typeof languages;

export const languageNames = Object.keys(languages) as Language[];
