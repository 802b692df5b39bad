import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { TestService } from '../support/service.ts';

/** This process trusts the service's certificate from now on. */
export async function trustCertificate({ config }: TestService): Promise<void> {
  const certificate = await readFile(join(config.dataDirectory, 'tls-cert.pem'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
}
