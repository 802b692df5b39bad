import { errors } from '../errors/errors.ts';

const OTHER = 'other';

/** Returns the codes of carriers by their names and codes in lower case. `carriers` has codes by name. */
export function codesOfCarriers(carriers: Readonly<Record<string, string>>): Map<string, string> {
  const codes = new Map<string, string>();
  for (const [name, code] of Object.entries(carriers))
    for (const word of [name.toLowerCase(), code.toLowerCase()]) if (!codes.has(word)) codes.set(word, code);
  return codes;
}

/**
 * Returns the code of a carrier that is named by its name or its code, in any case, or the name of another
 * carrier (contract for orders, “Calls”). `carriers` has the codes of `metadata/carriers` by name.
 * @throws {DomainError} `invalid_parameters`
 */
export function resolveCarrier(
  carriers: Readonly<Record<string, string>>,
  { carrier, carrier_name: name }: { carrier: string; carrier_name?: string | undefined },
): string {
  const sent = carrier.trim().toLowerCase();
  if (sent === OTHER) {
    if (name !== undefined) return name.trim();
    const reason = 'missing, expected the name of the carrier, because carrier is other';
    throw errors.invalid_parameters([{ field: 'carrier_name', reason }]);
  }
  for (const [known, code] of Object.entries(carriers))
    if (known.toLowerCase() === sent || code.toLowerCase() === sent) return code;
  const reason = 'expected a name or a code of metadata/carriers, or other with carrier_name';
  throw errors.invalid_parameters([{ field: 'carrier', value: carrier, reason }]);
}
