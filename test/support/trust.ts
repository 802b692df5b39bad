import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { TestService } from './service.ts';

/** Has `fetch` trust a service's own certificate, from now on and in this process. */
export async function trust({ config }: TestService): Promise<void> {
  const certificate = await readFile(join(config.dataDirectory, 'tls-cert.pem'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
}
