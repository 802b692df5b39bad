import assert from 'node:assert/strict';
import { figure, type Scenario } from '../scenario.ts';
import { TorturedServer } from '../server.ts';
import { stock } from '../stock.ts';
import { lacksProgram, outputOf } from './program.ts';

const GOOD_PROTOCOLS = ['tls 1.2', 'tls 1.3'];
const GOOD_CIPHER = /^(TLS_|ECDHE-).*(GCM|CHACHA20|POLY1305)/;
const LEAST_GROUP_BITS = 112;
const LEAST_KEY_BITS = 112;

/** What sslscan finds at default settings. */
export const sslscan: Scenario = {
  promise:
    'sslscan finds no weak protocol, cipher, group or certificate but that the certificate is self-signed',
  lacks: () => lacksProgram('sslscan'),
  run: async (t) => {
    const { settings } = await stock(t, 10);
    const server = await TorturedServer.start(t, settings);
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
      ...groups.filter(({ bits }) => Number(bits) < LEAST_GROUP_BITS).map(({ name }) => name),
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
        .filter(({ bits, error }) => error === 'true' || Number(bits) < LEAST_KEY_BITS)
        .map(() => 'a weak key'),
      ...(/<signature-algorithm>\S*(md5|sha1)/i.test(xml) ? ['a weak signature'] : []),
      ...(/<expired>true/.test(xml) ? ['an expired certificate'] : []),
    ];
    const accepted = `${ciphers.length} ciphers: ${ciphers.map(({ cipher }) => cipher).join(', ')}; groups: ${[...new Set(groups.map(({ name }) => name))].join(', ')}`;
    return [figure('findings', findings.length, { atMost: 0 }, findings.join(', ') || accepted)];
  },
};

/** The attributes of each element of this name. */
function elements(xml: string, name: string): Record<string, string | undefined>[] {
  return [...xml.matchAll(new RegExp(`<${name} ([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value]) => [key, value]),
    ),
  );
}
