import { PASSWORD } from '../../../support/console.ts';
import { emailOf } from '../merchants.ts';
import type { Ask } from '../work.ts';
import type { Case } from '../world.ts';

/** An attempt to sign in, through a proxy that names an address. */
export function signInAsk(email: string, password: string, address: string): Ask {
  return {
    kind: 'sign-in',
    method: 'POST',
    path: '/console/api/auth/sign-in/email',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': address,
    },
    body: JSON.stringify({ email, password }),
  };
}

/** Addresses of many networks, none of which makes as many attempts as it may. */
function attempts(): Ask[] {
  return Array.from({ length: 250 }, (_, number) =>
    signInAsk(`nobody-${number}@neighbors.example`, 'a wrong password', `198.51.${number}.7`),
  );
}

export const signInCases: Case[] = [
  {
    name: 'sign-in',
    short: true,
    proxied: true,
    works: () => [{ does: 'ask', asks: attempts(), connections: 80, rate: null }],
  },
];

/** The quiet merchant's own, each from an address of its own. */
export function quietSignIns(): Ask[] {
  return Array.from({ length: 200 }, (_, number) =>
    signInAsk(emailOf('quiet'), PASSWORD, `203.0.${number}.9`),
  );
}
