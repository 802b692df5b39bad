import { lookup, NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { type BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { messageOf } from '../shared/error-message.ts';

export const MAX_URL_LENGTH = 2_000;
/** Other ports could reach services that are not web servers. */
const PORTS_OF_MERCHANTS = ['', '443', '8443'];
/** The block of all IPv6 unicast addresses that are assigned on the internet: 2000::/3. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export type ReceiverOwner = 'merchant' | 'operator';

/** The message is for the receiver's owner. */
export class ReceiverRefused extends Error {
  override name = 'ReceiverRefused';
}

/** The name could not be looked up, which says nothing about the name. */
export class LookupFailed extends ReceiverRefused {
  override name = 'LookupFailed';
}

/**
 * Returns why a URL cannot be a receiver; undefined if it can be. A name's address is checked on each
 * attempt. Merchants' receivers must have public addresses and usual ports.
 */
export function problemOfUrl(
  url: string,
  owner: ReceiverOwner,
  privateNetworks: BlockList,
): string | undefined {
  if (url.length > MAX_URL_LENGTH) return `at most ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(url)) return 'a URL, such as https://example.com/webhooks';
  const { protocol, username, password, hash, port, hostname } = new URL(url);
  if (protocol !== 'https:') return 'a URL that begins with https://';
  if (username !== '' || password !== '') return 'a URL without a user name and password';
  if (hash !== '') return 'a URL without a fragment';
  if (owner === 'merchant' && !PORTS_OF_MERCHANTS.includes(port)) return 'a URL with port 443 or 8443';
  const host = withoutBrackets(hostname);
  if (isIP(host) !== 0 && !isAllowed(host, owner, privateNetworks)) return 'a URL with a public address';
  if (owner === 'merchant' && isIP(host) === 0 && !host.replace(/\.$/, '').includes('.'))
    return 'a URL with a public host name';
  return undefined;
}

export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Throws `ReceiverRefused` if there is no address, or one that is not allowed. */
export type FindAddress = (host: string, owner: ReceiverOwner, signal: AbortSignal) => Promise<string>;

/** The caller connects to the checked address, as a name can change. All its addresses must be allowed. */
export function addressFinder(privateNetworks: BlockList): FindAddress {
  return async (host, owner, signal) => {
    const addresses = isIP(host) === 0 ? await resolve(host, owner, signal) : [host];
    if (addresses.some((address) => !isAllowed(address, owner, privateNetworks)))
      throw new ReceiverRefused('the host name has an address that is not public');
    // Any server can connect to IPv4 addresses; attempts are spread over them.
    const preferred = addresses.filter((address) => isIPv4(address));
    const choices = preferred.length > 0 ? preferred : addresses;
    const address = choices[Math.floor(Math.random() * choices.length)];
    if (address === undefined) throw new ReceiverRefused('the host name has no address');
    return address;
  };
}

/** Merchants need public unicast addresses; the operator may also have listed ones. */
function isAllowed(address: string, owner: ReceiverOwner, privateNetworks: BlockList): boolean {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (owner === 'operator' && privateNetworks.check(address, family)) return true;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

async function resolve(host: string, owner: ReceiverOwner, signal: AbortSignal): Promise<string[]> {
  try {
    // The operator's names may be in /etc/hosts. Merchants' names must not wait for the threads that read it.
    if (owner === 'operator') return (await lookup(host, { all: true })).map(({ address }) => address);
    return await resolvePublic(host, signal);
  } catch (error) {
    const Problem = isUnknownName(error) ? ReceiverRefused : LookupFailed;
    throw new Problem(lookupProblem(host, error));
  }
}

export function lookupProblem(host: string, error: unknown): string {
  return isUnknownName(error)
    ? `Couldn’t find ${host}. Check the domain name.`
    : `couldn’t look up ${host}: ${messageOf(error)}`;
}

function isUnknownName(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === NOTFOUND || code === NODATA;
}

async function resolvePublic(host: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver();
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
