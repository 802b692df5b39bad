import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { architectures } from '../node-distribution.ts';
import { buildImages } from './image.ts';

/**
 * Builds the images of the release in `dist/`, or in the directory given on the command line, into its directory
 * `image`, and prints their digests. Needs Debian with mmdebstrap.
 */
const release = resolve(process.argv[2] ?? join(import.meta.dirname, '../../dist'));
const output = join(release, 'image');
await rm(output, { recursive: true, force: true });
for (const { name, digest } of await buildImages(release, output, architectures))
  process.stdout.write(`${name} ${digest}\n`);
