import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

export interface NodeDistribution {
  executable: string;
  license: string;
}

/**
 * Downloads the Node.js version that runs this script from the npm registry and unpacks it below a directory.
 * npm verifies the checksums.
 */
export async function downloadNode(architecture: Architecture, directory: string): Promise<NodeDistribution> {
  const specifier = `node-linux-${architecture}@${process.versions.node}`;
  const args = ['pack', '--silent', '--pack-destination', directory, specifier];
  const { stdout } = await run('npm', args);
  const target = join(directory, architecture);
  await run('mkdir', [target]);
  const members = ['package/bin/node', 'package/LICENSE'];
  await run('tar', ['-xzf', join(directory, stdout.trim()), '-C', target, ...members]);
  return {
    executable: join(target, 'package/bin/node'),
    license: await readFile(join(target, 'package/LICENSE'), 'utf8'),
  };
}
