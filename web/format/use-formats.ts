import { createContext, useContext } from 'react';
import type { Formats } from './formats.ts';

/** Given once around all pages: a table of hundreds of rows asks for it in each. */
export const FormatsContext = createContext<Formats | undefined>(undefined);

export function useFormats(): Formats {
  const formats = useContext(FormatsContext);
  if (formats === undefined) throw new Error('there are no formats around this');
  return formats;
}
