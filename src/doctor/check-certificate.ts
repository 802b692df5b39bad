import { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { certificateFiles, readTls } from '../http/tls/files.ts';
import { isDueForRenewal, type TlsMaterial } from '../http/tls/self-signed.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Automatic renewal happens earlier. */
const RENEWAL_DUE_DAYS = 14;
const RSA_BITS = 2048;

/** The certificate must match its key, be valid for long enough and for PUBLIC_URL, and have a strong key. */
export async function checkCertificate(config: Config, now: number): Promise<Finding[]> {
  const found = findingsOf('certificate');
  // `checkAcme` checks the one in the database.
  if (config.tls.mode === 'acme') return [];
  const files = certificateFiles(config);
  if (files === null) return [found.ok('TLS is terminated at the proxy')];
  if (files.isSelfSigned && (await stat(files.certificateFile).catch(() => undefined)) === undefined) {
    return [found.ok('the first start creates a self-signed one')];
  }
  let pair: TlsMaterial;
  try {
    pair = await readTls(files);
  } catch (error) {
    const advice = files.isSelfSigned
      ? 'start the service, which creates a new one'
      : 'the service would not start; install a certificate and key that match';
    return [found.problem(messageWithoutPeriod(error), advice)];
  }
  const certificate = new X509Certificate(pair.cert);
  const findings = [
    ...checkKey(certificate),
    ...checkHost(certificate, config),
    ...(files.isSelfSigned ? checkSelfSigned(pair, now) : checkValidity(certificate, now)),
  ];
  if (findings.length > 0) return findings;
  return [
    found.ok(`matches its key and is valid until ${certificate.validToDate.toISOString().slice(0, 10)}`),
  ];
}

function checkValidity({ validFromDate, validToDate }: X509Certificate, now: number): Finding[] {
  const found = findingsOf('certificate');
  const renew = 'renew it; the service loads the new one without a restart';
  if (validFromDate.getTime() > now) {
    return [found.problem(`not valid before ${validFromDate.toISOString()}`, 'check the clock, or wait')];
  }
  const left = validToDate.getTime() - now;
  if (left <= 0) return [found.problem(`expired at ${validToDate.toISOString()}`, renew)];
  if (left < RENEWAL_DUE_DAYS * DAY_MS) {
    return [found.warning(`expires in ${Math.floor(left / DAY_MS)} days`, renew)];
  }
  return [];
}

function checkSelfSigned(pair: TlsMaterial, now: number): Finding[] {
  if (!isDueForRenewal(pair, now)) return [];
  return [
    findingsOf('certificate').warning(
      'the self-signed one expires soon or has expired',
      'start the service, which creates a new one',
    ),
  ];
}

function checkKey({ publicKey, signatureAlgorithm = '' }: X509Certificate): Finding[] {
  const found = findingsOf('certificate');
  const { modulusLength = RSA_BITS } = publicKey.asymmetricKeyDetails ?? {};
  const advice = 'get a new one with an EC key or an RSA key of at least 2048 bits, and SHA-256';
  const findings: Finding[] = [];
  if (modulusLength < RSA_BITS) findings.push(found.problem(`its RSA key has ${modulusLength} bits`, advice));
  if (/sha1|md5/i.test(signatureAlgorithm))
    findings.push(found.problem(`signed with ${signatureAlgorithm}`, advice));
  return findings;
}

/** The certificate must be valid for PUBLIC_URL. */
export function checkHost(certificate: X509Certificate, { publicUrl }: Config): Finding[] {
  if (publicUrl === null) return [];
  const { hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const fits = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  if (fits !== undefined) return [];
  return [
    findingsOf('certificate').problem(
      `not valid for ${host}, the host of PUBLIC_URL`,
      'get one for that host, or change PUBLIC_URL',
    ),
  ];
}
