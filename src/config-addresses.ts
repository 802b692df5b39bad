import { SettingError } from './shared/setting-error.ts';
import { hostAndPort, isEncryptedOrLocal } from './shared/setting-values.ts';

interface Address {
  host: string;
  port: number;
}

// Each returns the value of a setting, or throws a `SettingError`.

/** Where metrics are served if METRICS_ADDRESS is not set. */
export const METRICS_ADDRESS = '127.0.0.1:9464';

/** Returns null for `off`. `isSet` says whether the setting is set at all. */
export function metrics(value: string, isSet: boolean): (Address & { isDefault: boolean }) | null {
  if (value === 'off') return null;
  const address = hostAndPort(value);
  if (address !== undefined) return { ...address, isDefault: !isSet };
  throw new SettingError(
    `METRICS_ADDRESS is "${value}": expected an address and a port, such as ${METRICS_ADDRESS}, or off.`,
  );
}

export function operatorAddress(value: string): Address {
  const address = hostAndPort(value);
  if (address !== undefined) return address;
  throw new SettingError(
    `OPERATOR_ADDRESS is "${value}": expected an address and a port, such as 10.0.0.7:8444.`,
  );
}

/** Returns the address for traces, from the settings of OpenTelemetry; null for no traces. */
export function tracesUrl(traces: string, all: string, disabled: string): string | null {
  const [name, value] = traces === '' ? ['ENDPOINT', all] : ['TRACES_ENDPOINT', traces];
  if (value === '' || disabled.toLowerCase() === 'true') return null;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // Leaves out the value, which may contain a password.
    throw new SettingError(
      `OTEL_EXPORTER_OTLP_${name} cannot be used: expected an http:// or https:// address.`,
    );
  }
  // The setting is a base URL for all signals. The path for traces is appended.
  if (traces === '') url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

/** The address of a document. Query and fragment are refused, because they could have a secret. */
export function releaseFeed(value: string): string {
  const url = URL.parse(value);
  if (
    url !== null &&
    isEncryptedOrLocal(url) &&
    [url.search, url.hash, url.username, url.password].every((part) => part === '')
  )
    return url.href;
  throw new SettingError(
    'RELEASE_FEED cannot be used: expected the https:// address of a document, such as https://shop.example/tradepost.json, without a user, a query and a fragment. Only a server on this machine may have http://.',
  );
}

export function basePath(value: string): string {
  if (/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/v1$/.test(value) && !/^\/(console|operator)\//.test(value))
    return value;
  throw new SettingError(
    `BASE_PATH is "${value}": expected a path whose last segment is v1 and whose first segment is neither console nor operator, such as /v1.`,
  );
}

/** Returns the origin. */
export function publicUrl(value: string): string {
  const url = URL.parse(value);
  if (url?.protocol === 'https:' && `${url.origin}/` === url.href) return url.origin;
  throw new SettingError(
    `PUBLIC_URL is "${value}": expected an https:// address without a path, such as https://shop.example.`,
  );
}
