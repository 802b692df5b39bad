import { BlockList, isIP } from 'node:net';
import { SettingError } from './setting-error.ts';

// Each returns the value of the setting `name`, or throws a `SettingError`.

export function wholeNumber(name: string, value: string, minimum: number, maximum: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new SettingError(`${name} is "${value}": expected a whole number from ${minimum} to ${maximum}.`);
}

/** In the major unit of a currency. */
export function amount(name: string, value: string): number {
  const number = /^\d{1,7}(\.\d{1,4})?$/.test(value) ? Number(value) : Number.NaN;
  if (number <= 1_000_000) return number;
  throw new SettingError(
    `${name} is "${value}": expected an amount from 0 to 1000000 with at most 4 decimals, such as 0.05.`,
  );
}

/** Null for `off`. */
export function limit(name: string, value: string): number | null {
  if (value === 'off') return null;
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number < 2 ** 31) return number;
  throw new SettingError(`${name} is "${value}": expected a whole number from 1 to ${2 ** 31 - 1}, or off.`);
}

export function oneOf<Allowed extends string>(
  name: string,
  value: string,
  allowed: readonly NoInfer<Allowed>[],
): Allowed {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new SettingError(`${name} is "${value}": expected one of ${allowed.join(', ')}.`);
}

export function onOrOff(name: string, value: string): boolean {
  return oneOf(name, value, ['on', 'off']) === 'on';
}

/** Whether a URL begins with `https://`, or with `http://` and names this machine. */
export function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
  );
}

/** Returns undefined for anything but an address and a port. */
export function hostAndPort(value: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(value) ?? [];
  const host = bracketed ?? plain;
  return host !== undefined && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

/** Reads addresses and networks, separated by commas. */
export function addresses(name: string, value: string): BlockList {
  const networks = new BlockList();
  for (const item of list(value)) {
    const [address = '', prefix, ...rest] = item.split('/');
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(/^\d+$/.test(prefix) ? prefix : Number.NaN);
    if (version === 0 || rest.length > 0 || !(length <= bits)) {
      throw new SettingError(
        `${name} has "${item}": expected addresses or networks separated by commas, such as 10.0.0.7 or 10.0.0.0/8.`,
      );
    }
    networks.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  }
  return networks;
}

export interface ExplainedName {
  name: string;
  /** For merchants; null if the operator gives none. */
  explanation: string | null;
}

export function explainedNames(name: string, value: string): ExplainedName[] {
  // Explanations are in parentheses and may contain commas.
  const items = value.match(/(?:[^,()]|\([^()]*\))+|[()]/g) ?? [];
  const types = items
    .map((item) => /^([^()]*[^()\s])\s*(?:\(([^()]*)\))?$/.exec(item.trim()))
    .map((match) => match && { name: match[1] ?? '', explanation: match[2]?.trim() || null });
  const named = types.filter((type) => type !== null);
  if (named.length > 0 && items.filter((item) => item.trim() !== '').length === named.length) return named;
  throw new SettingError(
    `${name} is "${value}": expected names separated by commas, each optionally followed by an explanation in parentheses, or nothing.`,
  );
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
