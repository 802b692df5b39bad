import type { MerchantRow } from '../../merchants/queries.ts';
import type { Role } from '../../users/role.ts';
import type { RealmCaller } from '../auth/realm.ts';

export interface ConsoleCaller extends RealmCaller {
  user: RealmCaller['user'] & { role: Role };
  merchant: MerchantRow;
  /** Who requires it of the user; null if nobody does. */
  twoFactorRequiredBy: 'operator' | 'owner' | null;
  /** Set if the caller is an operator who looks at the console. */
  supportView?: { endsAt: number };
}

/**
 * Who requires the two-factor authentication that the user has not set up; null if none is missing. An
 * identity provider has its own, and a passkey counts as two factors.
 */
export function missingTwoFactor({
  twoFactorRequiredBy,
  user,
  byProvider,
  byPasskey,
}: ConsoleCaller): ConsoleCaller['twoFactorRequiredBy'] {
  return user.two_factor || byProvider || byPasskey ? null : twoFactorRequiredBy;
}

/** Returns a caller on one side of the merchant. */
export function onSide(caller: ConsoleCaller, merchantId: number): ConsoleCaller {
  return { ...caller, merchantId, merchant: { ...caller.merchant, id: merchantId } };
}
