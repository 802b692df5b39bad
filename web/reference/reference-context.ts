import { createContext, type ReactNode, useContext } from 'react';
import type { Group } from './groups.ts';
import type { OpenApi } from './open-api.ts';
import type { Language } from './samples/languages.ts';
import type { SampleParameters } from './samples/sample-parameters.ts';

/** An API, as its reference shows it. */
export interface ReferenceApi {
  /** Its base URL. */
  url: string;
  /** The service's self-signed certificate as PEM; null if it serves another or none. */
  certificate: string | null;
  /** The path of its OpenAPI document. */
  documentPath: string;
  languages: readonly Language[];
  sampleParameters: SampleParameters;
  /** Whether its pages have a form that sends a request. */
  hasForms: boolean;
  /** The operation whose sample the introduction shows. */
  firstCall: string;
  /** What the introduction says about tokens and samples. */
  introduction: ReactNode;
  /** How to get a token. */
  createKey: ReactNode;
}

/** What all parts of the reference show parts of. */
export interface ReferenceData {
  api: ReferenceApi;
  document: OpenApi;
  groups: readonly Group[];
  /** The slugs of the groups that describe records, by the records' names. */
  groupOfRecord: ReadonlyMap<string, string>;
}

export const ReferenceContext = createContext<ReferenceData | null>(null);

export function useReference(): ReferenceData {
  const data = useContext(ReferenceContext);
  if (data === null) throw new Error('There is no reference around this component.');
  return data;
}
