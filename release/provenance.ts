import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Identity } from './identity.ts';

export interface Subject {
  /** Relative to the release. */
  name: string;
  sha256: string;
}

/**
 * States what the files of a release were built from, as an in-toto statement with a SLSA predicate
 * (https://slsa.dev/spec/v1.0/provenance). It has no times, so the same commit gives the same bytes.
 */
export async function provenance(
  { version, commit }: Identity,
  subjects: readonly Subject[],
  root: string,
): Promise<string> {
  const lock = createHash('sha256')
    .update(await readFile(join(root, 'package-lock.json')))
    .digest('hex');
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:tradepost:npm-run-release',
        externalParameters: { version, commit },
        internalParameters: { node: process.versions.node },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: { builder: { id: 'urn:tradepost:any-machine-with-node' } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}
