import assert from 'node:assert/strict';
import { figure, type Scenario } from '../scenario.ts';
import { StressedServer } from '../server.ts';
import { createTestData } from '../test-data.ts';
import { missingProgram, outputOf } from './program.ts';

const GOOD_PROTOCOLS = ['tls 1.2', 'tls 1.3'];
const GOOD_CIPHER = /^(TLS_|ECDHE-).*(GCM|CHACHA20|POLY1305)/;
const MIN_GROUP_BITS = 112;
const MIN_KEY_BITS = 112;

/** Scans the default TLS settings. */
export const sslscan: Scenario = {
  promise:
    'sslscan finds no weak protocol, cipher, group or certificate, except that the certificate is self-signed',
  skipReason: () => missingProgram('sslscan'),
  run: async (t) => {
    const { settings } = await createTestData(t, 10);
    const server = await StressedServer.start(t, settings);
    const xml = await outputOf('sslscan', ['--xml=-', `127.0.0.1:${server.port}`], 60);
    await server.stop();
    const protocols = elements(xml, 'protocol').filter(({ enabled }) => enabled === '1');
    const ciphers = elements(xml, 'cipher');
    const groups = elements(xml, 'group');
    assert.ok(ciphers.length > 0 && groups.length > 0, xml);
    const findings = [
      ...protocols
        .map(({ type, version }) => `${type} ${version}`)
        .filter((name) => !GOOD_PROTOCOLS.includes(name)),
      ...ciphers.map(({ cipher = '' }) => cipher).filter((name) => !GOOD_CIPHER.test(name)),
      ...groups.filter(({ bits }) => Number(bits) < MIN_GROUP_BITS).map(({ name }) => name),
      ...elements(xml, 'heartbleed')
        .filter(({ vulnerable }) => vulnerable !== '0')
        .map(() => 'Heartbleed'),
      ...elements(xml, 'compression')
        .filter(({ supported }) => supported !== '0')
        .map(() => 'compression'),
      ...elements(xml, 'renegotiation')
        .filter(({ supported, secure }) => supported === '1' && secure === '0')
        .map(() => 'renegotiation'),
      ...elements(xml, 'pk')
        .filter(({ bits, error }) => error === 'true' || Number(bits) < MIN_KEY_BITS)
        .map(() => 'a weak key'),
      ...(/<signature-algorithm>\S*(md5|sha1)/i.test(xml) ? ['a weak signature'] : []),
      ...(/<expired>true/.test(xml) ? ['an expired certificate'] : []),
    ];
    const accepted = `${ciphers.length} ciphers: ${ciphers.map(({ cipher }) => cipher).join(', ')}; groups: ${[...new Set(groups.map(({ name }) => name))].join(', ')}`;
    return [figure('findings', findings.length, { atMost: 0 }, findings.join(', ') || accepted)];
  },
};

function elements(xml: string, name: string): Record<string, string | undefined>[] {
  return [...xml.matchAll(new RegExp(`<${name} ([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value]) => [key, value]),
    ),
  );
}
