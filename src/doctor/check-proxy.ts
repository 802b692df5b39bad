import type { Config } from '../config.ts';
import { isTrustedProxy } from '../http/gate/client-address.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Addresses that documentation has to itself: who trusts all of them trusts everybody. */
const ANYBODY = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Whether what the settings say of proxies makes sense. */
export function checkProxy({ tls, trustedProxies, host, publicUrl }: Config): Finding[] {
  const found = findingsOf('proxy');
  const findings: Finding[] = [];
  const any = trustedProxies.rules.length > 0;
  if (tls.mode === 'proxy' && !any) {
    findings.push(
      found.problem(
        'TLS is proxy and TRUST_PROXY is not set: every request is refused',
        "set TRUST_PROXY to the proxy's address",
      ),
    );
  }
  if (ANYBODY.every((address) => isTrustedProxy(address, trustedProxies))) {
    findings.push(
      found.problem(
        'TRUST_PROXY has everybody in it: anyone can pretend to have used HTTPS, from any address',
        'name the proxies alone',
      ),
    );
  }
  if (tls.mode === 'proxy' && EVERY_ADDRESS.includes(host)) {
    findings.push(
      found.warning(
        'TLS is proxy and HOST is every address: tokens may cross a network in plain text',
        'set HOST to the address that faces the proxy, and keep others out by a firewall',
      ),
    );
  }
  if (tls.mode === 'proxy' && publicUrl === null) {
    findings.push(
      found.warning(
        'PUBLIC_URL is not set: links to set a password lead to HOST and PORT, past the proxy',
        'set PUBLIC_URL to what people type',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [found.ok(any ? 'only the addresses of TRUST_PROXY are believed' : 'none, and none is believed')];
}
