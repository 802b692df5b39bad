import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { countMonths, type Month } from './month.ts';

const KEY_BYTES = 32;
const NO_SALT = Buffer.alloc(0);
const NEXT_MONTH = 'tradepost: next month';
const CUSTOMER_DATA = 'tradepost: customer data';
const CUSTOMER_WORDS = 'tradepost: words of customers';
/** 200 years. Whoever asks for more has a wrong clock. */
const MAX_STEPS = 2_400;

/** The secret of a month. From it follow the secrets of all later months, but of no earlier one. */
export interface MonthSecret {
  month: Month;
  secret: KeyObject;
}

/**
 * Returns the secret of another month, which must not be earlier.
 * @throws {Error} if it is more than 2,400 months later
 */
export function stepTo(month: Month, start: MonthSecret): MonthSecret {
  const steps = countMonths(start.month, month);
  if (steps > MAX_STEPS)
    throw new Error(`${month} is more than ${MAX_STEPS} months after ${start.month}. Check the clock.`);
  let { secret } = start;
  for (let step = 0; step < steps; step += 1) secret = derive(secret, NEXT_MONTH);
  return { month, secret };
}

/** Returns the key that encrypts the customer data of the month. No secret follows from it. */
export function keyOf({ secret }: MonthSecret): KeyObject {
  return derive(secret, CUSTOMER_DATA);
}

/** Returns the key that hashes words of the month's customers. No secret and no other key follows from it. */
export function wordKeyOf({ secret }: MonthSecret): KeyObject {
  return derive(secret, CUSTOMER_WORDS);
}

function derive(secret: KeyObject, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, NO_SALT, purpose, KEY_BYTES)));
}
