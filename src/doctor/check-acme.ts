import { X509Certificate } from 'node:crypto';
import { type AcmeState, readAcmeState } from '../acme/acme-store.ts';
import type { Config } from '../config.ts';
import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { checkHost } from './check-certificate.ts';
import { type Finding, findingsOf } from './finding.ts';

const found = findingsOf('certificate');
/** A renewal is late after this part of the time between when it is due and when the certificate expires. */
const LATE = 1 / 4;

/** With TLS=acme, checks the certificate in the database and whether the last order failed. */
export async function checkAcme(
  reader: Pick<Reader, 'first'>,
  config: Config,
  now: number,
): Promise<Finding[]> {
  if (config.tls.mode !== 'acme') return [];
  const state = await readAcmeState(reader);
  return [...checkOrders(state), ...checkStored(state, config, now)];
}

function checkOrders({ certificate, failure }: AcmeState): Finding[] {
  if (failure === null) return [];
  const { failed_at: at, failures, reason, retry_at: next } = failure;
  const tries = failures === 1 ? '' : `, ${failures} tries in a row`;
  const message = `the order of ${formatTime(at)} failed${tries}: ${reason}; the next one is at ${formatTime(next)}`;
  const advice =
    'check that each of ACME_HOSTS leads to port 443 of the service; a reload of the service tries again at once';
  return [certificate === null ? found.problem(message, advice) : found.warning(message, advice)];
}

function checkStored({ certificate, failure }: AcmeState, config: Config, now: number): Finding[] {
  if (certificate === null) {
    if (failure !== null) return [];
    const message = 'none of the authority yet; the self-signed one is served until it arrives';
    return [found.warning(message, 'start the service, and wait for a minute')];
  }
  const { valid_to: validTo, renew_at: renewAt } = certificate;
  const advice = 'check that the service is running; its log says why there is no new one';
  const wrongHost = checkHost(new X509Certificate(certificate.certificate), config);
  if (now >= validTo) return [found.problem(`expired at ${formatTime(validTo)}`, advice), ...wrongHost];
  if (now >= renewAt + (validTo - renewAt) * LATE) {
    const message = `expires at ${formatTime(validTo)}, and was to be renewed at ${formatTime(renewAt)}`;
    return [found.warning(message, advice), ...wrongHost];
  }
  if (wrongHost.length > 0) return wrongHost;
  return [
    found.ok(`of the authority, valid until ${formatTime(validTo)}; renewed at ${formatTime(renewAt)}`),
  ];
}
