import { type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../shared/error-message.ts';
import { newPrivateKey, toPem } from './account-key.ts';
import type { AcmeSettings } from './acme-settings.ts';
import type { AcmeStore } from './acme-store.ts';
import { Authority, describeProblem } from './authority.ts';
import { AuthorityConnection } from './authority-connection.ts';
import { KEPT_MS } from './challenge-answers.ts';
import { createRequest } from './create-request.ts';
import { AcmeError } from './errors.ts';
import type { AcmeChallengeRow } from './queries.ts';
import type { Resource } from './resource.ts';

interface Parts {
  settings: AcmeSettings;
  store: AcmeStore;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Ends the order. */
  signal: AbortSignal;
}

/** Both in PEM. Times are milliseconds since 1970. */
interface IssuedCertificate {
  certificate: string;
  privateKey: string;
  validFrom: number;
  validTo: number;
}

const ORDER_TIMEOUT_MS = 5 * 60_000;

/**
 * Orders a certificate for the hosts of the settings: with the account, whose key the first order creates.
 * @throws {AcmeError} if there is none
 * @throws {KeyFileUnusable} if the account's key cannot be decrypted
 */
export async function obtainCertificate({ settings, store, now, signal }: Parts): Promise<IssuedCertificate> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(ORDER_TIMEOUT_MS)]);
  const ca = settings.caFile === null ? null : await readRoots(settings.caFile);
  const key = await store.accountKey(settings.directory, now());
  const connection = new AuthorityConnection({ ca, signal: ending });
  try {
    const authority = new Authority({ directory: settings.directory, connection, key, now, signal: ending });
    await authority.signIn(settings.email);
    const { url, order } = await authority.createOrder(settings.hosts);
    const prove = { authority, store, signal: ending, digestOf: (token: string) => key.answerDigest(token) };
    await proveHosts(order.texts('authorizations'), prove);
    const privateKey = newPrivateKey();
    const certificate = await complete(authority, url, await createRequest(settings.hosts, privateKey));
    return checked(certificate, privateKey, settings.hosts);
  } catch (error) {
    if (signal.aborted || !ending.aborted) throw error;
    throw new AcmeError('unreachable', 'the order took longer than five minutes', { cause: error });
  } finally {
    connection.close();
  }
}

async function readRoots(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AcmeError('unreachable', `ACME_CA_FILE cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

interface Proof {
  authority: Authority;
  store: AcmeStore;
  signal: AbortSignal;
  digestOf: (token: string) => string;
}

/** Lets the authority check each host that it does not know from an earlier order. */
async function proveHosts(
  urls: readonly string[],
  { authority, store, signal, digestOf }: Proof,
): Promise<void> {
  const challenges: (AcmeChallengeRow & { authorization: string; url: string })[] = [];
  for (const authorization of urls) {
    const found = await authority.read(authorization, 'the authorization');
    if (found.text('status') === 'valid') continue;
    const host = found.object('identifier').text('value');
    const challenge = found.objects('challenges').find((each) => each.textIfAny('type') === 'tls-alpn-01');
    if (challenge === undefined)
      throw new AcmeError('refused', `the authority offers no check by TLS-ALPN-01 for ${host}`);
    const [url, digest] = [challenge.text('url'), digestOf(challenge.text('token'))];
    challenges.push({ authorization, host, url, digest });
  }
  if (challenges.length === 0) return;
  const rows = challenges.map(({ host, digest }) => ({ host, digest }));
  await store.storeChallenges(rows);
  try {
    // Until every process has read them.
    await pause(2 * KEPT_MS, undefined, { signal });
    for (const { url } of challenges) await authority.startChallenge(url);
    for (const { authorization, host } of challenges) {
      const found = await authority.readUntilNot(['pending'], authorization, 'the authorization');
      if (found.text('status') !== 'valid') throw refused(host, found);
    }
  } finally {
    await store.deleteChallenges(rows);
  }
}

function refused(host: string, authorization: Resource): AcmeError {
  const reasons = authorization
    .objects('challenges')
    .map((challenge) => describeProblem(challenge.object('error')))
    .filter((reason) => reason !== '');
  const reason = reasons.join('; ') || `its status is ${authorization.text('status')}`;
  return new AcmeError('refused', `the authority could not check ${host}: ${reason}`);
}

async function complete(authority: Authority, url: string, request: Buffer): Promise<string> {
  const ready = await authority.readUntilNot(['pending'], url, 'the order');
  if (ready.text('status') === 'ready') await authority.finalize(ready.text('finalize'), request);
  const done = await authority.readUntilNot(['ready', 'processing'], url, 'the order');
  if (done.text('status') === 'valid') return await authority.download(done.text('certificate'));
  const reason = describeProblem(done.object('error')) || `its status is ${done.text('status')}`;
  throw new AcmeError('refused', `the authority refused the order: ${reason}`);
}

/** @throws {AcmeError} if clients would refuse the certificate */
function checked(certificate: string, key: KeyObject, hosts: readonly string[]): IssuedCertificate {
  let leaf: X509Certificate;
  try {
    leaf = new X509Certificate(certificate);
  } catch (error) {
    throw new AcmeError('refused', 'the authority sent no certificate in PEM', { cause: error });
  }
  if (!leaf.checkPrivateKey(key)) throw new AcmeError('refused', 'the authority certified another key');
  const missing = hosts.find((host) => leaf.checkHost(host) === undefined);
  if (missing !== undefined) throw new AcmeError('refused', `the certificate is not valid for ${missing}`);
  return {
    certificate,
    privateKey: toPem(key),
    validFrom: leaf.validFromDate.getTime(),
    validTo: leaf.validToDate.getTime(),
  };
}
