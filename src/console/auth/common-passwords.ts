import { once } from 'node:events';
import { startThread } from '../../shared/start-module.ts';

/** Passwords may contain shorter parts of a name by chance. */
const MIN_NAME_LENGTH = 3;
const WORKER_LIMITS = { maxOldGenerationSizeMb: 128 };

export interface PasswordOwner {
  email: string;
  name: string;
  /** Of the shop or the marketplace. */
  placeName: string;
}

/**
 * Whether a password is easy to guess: a common one, a keyboard pattern, a sequence or a name of its owner.
 * Runs in a temporary thread, because loading the list of passwords takes 85 ms and 30 MB.
 */
export async function isCommonPassword(password: string, owner: PasswordOwner): Promise<boolean> {
  const workerData = { password, names: namesOf(owner) };
  const worker = startThread('common-password-worker', import.meta.url, {
    workerData,
    resourceLimits: WORKER_LIMITS,
  });
  const ended = once(worker, 'exit').then(() => {
    throw new Error('the check for common passwords ended without a result');
  });
  const [isCommon]: unknown[] = await Promise.race([once(worker, 'message'), ended]);
  return isCommon === true;
}

function namesOf({ email, name, placeName }: PasswordOwner): string[] {
  const [localPart = ''] = email.split('@');
  const whole = [email, localPart, name, placeName];
  const parts = whole.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(parts.map((text) => text.toLowerCase()))].filter(
    (text) => text.length >= MIN_NAME_LENGTH,
  );
}
