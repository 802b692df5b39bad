import type { Config } from '../config.ts';
import { isTrustedProxy } from '../http/gate/client-address.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Reserved for documentation: TRUST_PROXY contains all of them only if it trusts every address. */
const UNUSED_ADDRESSES = ['192.0.2.1', '198.51.100.1', '203.0.113.1'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];

export function checkProxy({ tls, trustedProxies, host, publicUrl }: Config): Finding[] {
  const found = findingsOf('proxy');
  const findings: Finding[] = [];
  const hasTrusted = trustedProxies.rules.length > 0;
  if (tls.mode === 'proxy' && !hasTrusted) {
    findings.push(
      found.problem(
        'TLS is proxy and TRUST_PROXY is not set, so every request is rejected',
        "set TRUST_PROXY to the proxy's address",
      ),
    );
  }
  if (UNUSED_ADDRESSES.every((address) => isTrustedProxy(address, trustedProxies))) {
    findings.push(
      found.problem(
        'TRUST_PROXY trusts every address, so any client can claim any address, and that it used HTTPS',
        'set TRUST_PROXY to the addresses of your proxies only',
      ),
    );
  }
  if (tls.mode === 'proxy' && EVERY_ADDRESS.includes(host)) {
    findings.push(
      found.warning(
        'TLS is proxy and HOST is all addresses, so tokens may cross a network unencrypted',
        'set HOST to the address that the proxy connects to, and block other clients with a firewall',
      ),
    );
  }
  if (tls.mode === 'proxy' && publicUrl === null) {
    findings.push(
      found.warning(
        'PUBLIC_URL is not set, so password links lead to HOST and PORT instead of the proxy',
        'set PUBLIC_URL to the address that users open',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [found.ok(hasTrusted ? 'only the addresses in TRUST_PROXY are trusted' : 'no proxy is trusted')];
}
