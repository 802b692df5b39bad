import packageJson from '../package.json' with { type: 'json' };

/** The package's own description. A release adds the commit that it was built from. */
const release: { version: string; commit?: string } = packageJson;

/** The version of this program, as in `0.1.0`. */
export const VERSION = release.version;

/** Returns the versions of this program, Node.js and SQLite, one per line. */
export function describeVersions(): string {
  const { node, sqlite } = process.versions;
  const commit = release.commit === undefined ? 'from the sources' : `commit ${release.commit}`;
  return `tradepost ${VERSION} (${commit})\nNode.js ${node}\nSQLite ${sqlite}`;
}
