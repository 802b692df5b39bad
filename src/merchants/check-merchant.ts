import type { Problem } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { foldName } from '../shared/fold-name.ts';
import { isTimeZone } from './time-zone.ts';

const MAX_NAME_LENGTH = 100;
/** Some characters have longer equivalents, and the stored form must fit in an index. */
const MAX_FOLDED_NAME_LENGTH = 2 * MAX_NAME_LENGTH;

const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,99}$/;

/** An external ID is one plain segment of a path. */
export const externalIdPattern = EXTERNAL_ID.source;
export const externalIdRule = '1 to 100 letters, digits or ._:@-, beginning with a letter or a digit';

export function isExternalId(text: string): boolean {
  return EXTERNAL_ID.test(text);
}

/** For merchants that registered themselves, so that the operator never means one by chance. */
export const REGISTERED_PREFIX = 'registered:';

/** @throws {DomainError} `invalid_fields` unless the operator can give a merchant this external ID */
export function checkOperatorsId(externalId: string): void {
  if (!externalId.startsWith(REGISTERED_PREFIX)) return;
  const reason = `External IDs that begin with "${REGISTERED_PREFIX}" are reserved for merchants that register themselves.`;
  throw errors.invalid_fields([{ field: 'external_id', reason }]);
}

export interface MerchantFields {
  name: string;
  email: string | null;
  timeZone: string;
  currency: string;
}

/**
 * @throws {DomainError} `invalid_fields` with every invalid field: a name that is blank, too long, a number
 *   or partly invisible, or an invalid email, time zone or currency
 */
export function checkMerchant(fields: MerchantFields): void {
  const problems = merchantProblems(fields);
  if (problems.length > 0) throw errors.invalid_fields(problems);
}

/** Returns what is wrong with each field of a marketplace, by the rules of a merchant. */
export function marketplaceProblems(fields: {
  name: string;
  time_zone: string;
  currency: string;
}): Problem[] {
  const { name, time_zone: timeZone, currency } = fields;
  return merchantProblems({ name, email: null, timeZone, currency }, 'marketplace');
}

/** Returns what is wrong with each field. */
export function merchantProblems(
  { name, email, timeZone, currency }: MerchantFields,
  named: 'merchant' | 'marketplace' = 'merchant',
): Problem[] {
  const problems: Problem[] = [];
  const fail = (field: string, reason: string): void => void problems.push({ field, reason });
  const folded = foldName(name);
  if (
    name.trim() !== name ||
    folded === '' ||
    name.length > MAX_NAME_LENGTH ||
    folded.length > MAX_FOLDED_NAME_LENGTH
  )
    fail(
      'name',
      `The ${named}’s name must have 1 to ${MAX_NAME_LENGTH} characters and not start or end with a space.`,
    );
  else if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name))
    fail('name', `The ${named}’s name must not contain line breaks or invisible characters.`);
  // Files identify merchants by id or name, so a name must not look like an id.
  else if (/^\d+$/.test(folded)) fail('name', `"${name}" looks like an id: add a letter to the name.`);
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email))
    fail('email', `"${email}" is not an email address.`);
  if (!isTimeZone(timeZone))
    fail('time_zone', `"${timeZone}" is not a time zone: expected an IANA name, such as Europe/Vienna.`);
  if (!Intl.supportedValuesOf('currency').includes(currency))
    fail('currency', `"${currency}" is not a currency: expected an ISO 4217 code, such as EUR.`);
  return problems;
}
