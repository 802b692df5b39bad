import { isTimeZone } from './time-zone.ts';

/** A field of a merchant is invalid; the message is for the operator. */
export class InvalidMerchant extends Error {
  override name = 'InvalidMerchant';
  readonly field: 'name' | 'email' | 'timeZone' | 'currency' | 'externalId';

  constructor(field: InvalidMerchant['field'], message: string) {
    super(message);
    this.field = field;
  }
}

const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,99}$/;

/** What an external ID must look like, so that it is one plain segment of a path. */
export const externalIdPattern = EXTERNAL_ID.source;
export const externalIdRule = '1 to 100 letters, digits or ._:@-, beginning with a letter or a digit';

/** Whether a text can be the external ID of a merchant. */
export function isExternalId(text: string): boolean {
  return EXTERNAL_ID.test(text);
}

/** The fields of a merchant that people choose. */
export interface MerchantFields {
  name: string;
  email: string | null;
  timeZone: string;
  currency: string;
}

/** @throws {InvalidMerchant} for a name that is blank, too long or a number, an invalid email, time zone or currency */
export function checkMerchant({ name, email, timeZone, currency }: MerchantFields): void {
  if (name.trim() !== name || name === '' || name.length > 100) {
    throw new InvalidMerchant(
      'name',
      'The merchant’s name must have 1 to 100 characters and not start or end with a space.',
    );
  }
  // Files identify merchants by id or name, so a name must not look like an id.
  if (/^\d+$/.test(name))
    throw new InvalidMerchant('name', `"${name}" looks like an id: add a letter to the name.`);
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new InvalidMerchant('email', `"${email}" is not an email address.`);
  }
  if (!isTimeZone(timeZone)) {
    throw new InvalidMerchant(
      'timeZone',
      `"${timeZone}" is not a time zone: expected an IANA name, such as Europe/Vienna.`,
    );
  }
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    throw new InvalidMerchant(
      'currency',
      `"${currency}" is not a currency: expected an ISO 4217 code, such as EUR.`,
    );
  }
}
