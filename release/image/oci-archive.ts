import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tar, withDirectories } from '../tar.ts';

const compress = promisify<Buffer, Buffer>(gzip);
const TYPES = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

export interface Image {
  /** The whole name, such as `localhost/tradepost`. */
  name: string;
  version: string;
  architecture: 'amd64' | 'arm64';
  /** How a container runs: the part `config` of an image's configuration. */
  settings: object;
  /** From the lowest to the highest, each an archive in the format of `tar`. */
  layers: readonly { content: Buffer; description: string }[];
  /** In seconds since 1970. */
  time: number;
}

/**
 * Packs an image into one file that `podman load`, `docker load` and `skopeo` read
 * (https://github.com/opencontainers/image-spec). The same input gives the same bytes. `digest` is the one
 * of the manifest, by which registries know the image.
 */
export async function ociArchive({
  name,
  version,
  architecture,
  settings,
  layers,
  time,
}: Image): Promise<{ archive: Buffer; digest: string }> {
  const created = new Date(time * 1000).toISOString();
  const platform = { architecture, os: 'linux' };
  const compressed = await Promise.all(layers.map(({ content }) => compress(content)));
  const config = json({
    created,
    ...platform,
    config: settings,
    rootfs: { type: 'layers', diff_ids: layers.map(({ content }) => digestOf(content)) },
    history: layers.map(({ description }) => ({ created, created_by: description })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: TYPES.manifest,
    config: descriptorOf(TYPES.config, config),
    layers: compressed.map((layer) => descriptorOf(TYPES.layer, layer)),
  });
  const annotations = {
    'io.containerd.image.name': `${name}:${version}`,
    'org.opencontainers.image.ref.name': version,
  };
  const index = json({
    schemaVersion: 2,
    mediaType: TYPES.index,
    manifests: [{ ...descriptorOf(TYPES.manifest, manifest), platform, annotations }],
  });
  // Docker's older store of images reads this list, which refers to the same files.
  const list = json([
    { Config: pathOf(config), RepoTags: [`${name}:${version}`], Layers: compressed.map(pathOf) },
  ]);
  const file = (path: string, content: Buffer) => ({ path, mode: 0o644, content });
  const files = [
    ...[config, manifest, ...compressed].map((content) => file(pathOf(content), content)),
    file('index.json', index),
    file('manifest.json', list),
    file('oci-layout', json({ imageLayoutVersion: '1.0.0' })),
  ];
  return { archive: tar(withDirectories(files), time), digest: digestOf(manifest) };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function pathOf(content: Buffer): string {
  return `blobs/${digestOf(content).replace(':', '/')}`;
}

function descriptorOf(mediaType: string, content: Buffer) {
  return { mediaType, digest: digestOf(content), size: content.length };
}
