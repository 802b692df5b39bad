import { createContext, useContext } from 'react';
import type { Formats } from './formats.ts';

/** One `Formats` for all pages, because each row of a long table uses it. */
export const FormatsContext = createContext<Formats | undefined>(undefined);

export function useFormats(): Formats {
  const formats = useContext(FormatsContext);
  if (formats === undefined) throw new Error('useFormats needs a FormatsContext');
  return formats;
}
