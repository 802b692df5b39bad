import { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { certificateFiles, readTls } from '../http/tls/files.ts';
import { isDueForRenewal } from '../http/tls/self-signed.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Whoever renews certificates has done so well before. */
const SOON_DAYS = 14;
const RSA_BITS = 2048;

/** The certificate: whether it fits its key, until when it is good, for which names, and how strong its key is. */
export async function checkCertificate(config: Config, now: number): Promise<Finding[]> {
  const found = findingsOf('certificate');
  const files = certificateFiles(config);
  if (files === null) return [found.ok('TLS ends at the proxy')];
  if (files.isSelfSigned && (await stat(files.certificateFile).catch(() => undefined)) === undefined) {
    return [found.ok('the first start makes a self-signed one')];
  }
  let pair: TlsMaterial;
  try {
    pair = await readTls(files);
  } catch (error) {
    const advice = files.isSelfSigned
      ? 'start the service: it makes another'
      : 'the service would not start: put a pair there that belongs together';
    return [found.problem(reasonOf(error), advice)];
  }
  const certificate = new X509Certificate(pair.cert);
  const findings = [
    ...checkKey(certificate),
    ...checkNames(certificate, config),
    ...(files.isSelfSigned ? checkOwn(pair, now) : checkValidity(certificate, now)),
  ];
  if (findings.length > 0) return findings;
  return [found.ok(`fits its key and is good until ${certificate.validToDate.toISOString().slice(0, 10)}`)];
}

function checkValidity({ validFromDate, validToDate }: X509Certificate, now: number): Finding[] {
  const found = findingsOf('certificate');
  const renew = 'renew it: the service takes the new one without a restart';
  if (validFromDate.getTime() > now) {
    return [found.problem(`not good before ${validFromDate.toISOString()}`, 'look at the clock, or wait')];
  }
  const left = validToDate.getTime() - now;
  if (left <= 0) return [found.problem(`expired at ${validToDate.toISOString()}`, renew)];
  if (left < SOON_DAYS * DAY_MS) {
    return [found.warning(`expires in ${Math.floor(left / DAY_MS)} days`, renew)];
  }
  return [];
}

function checkOwn(pair: TlsMaterial, now: number): Finding[] {
  if (!isDueForRenewal(pair, now)) return [];
  return [
    findingsOf('certificate').warning(
      'the self-signed one expires soon, or has',
      'start the service: it makes another',
    ),
  ];
}

function checkKey({ publicKey, signatureAlgorithm = '' }: X509Certificate): Finding[] {
  const found = findingsOf('certificate');
  const { modulusLength = RSA_BITS } = publicKey.asymmetricKeyDetails ?? {};
  const advice = 'have it issued anew, with an EC key or RSA of 2048 bits, and SHA-256';
  const findings: Finding[] = [];
  if (modulusLength < RSA_BITS) findings.push(found.problem(`its RSA key has ${modulusLength} bits`, advice));
  if (/sha1|md5/i.test(signatureAlgorithm))
    findings.push(found.problem(`signed with ${signatureAlgorithm}`, advice));
  return findings;
}

function checkNames(certificate: X509Certificate, { publicUrl }: Config): Finding[] {
  if (publicUrl === null) return [];
  const { hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const fits = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  if (fits !== undefined) return [];
  return [
    findingsOf('certificate').problem(
      `not for ${host}, which PUBLIC_URL names`,
      'have it issued for that name, or let PUBLIC_URL name what it is for',
    ),
  ];
}
