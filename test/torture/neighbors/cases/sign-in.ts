import { PASSWORD } from '../../../support/console.ts';
import type { Case } from '../case.ts';
import { emailOf } from '../merchants.ts';
import type { TestRequest } from '../workload.ts';

/** Forwarded by a proxy for a client address. */
export function signInRequest(email: string, password: string, address: string): TestRequest {
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

/** Attempts from many networks, each of which stays under its limit. */
function attempts(): TestRequest[] {
  return Array.from({ length: 250 }, (_, number) =>
    signInRequest(`nobody-${number}@neighbors.example`, 'a wrong password', `198.51.${number}.7`),
  );
}

export const signInCases: Case[] = [
  {
    name: 'sign-in',
    short: true,
    proxied: true,
    workloads: () => [{ action: 'request', requests: attempts(), connections: 80, rate: null }],
  },
];

export function quietSignIns(): TestRequest[] {
  return Array.from({ length: 200 }, (_, number) =>
    signInRequest(emailOf('quiet'), PASSWORD, `203.0.${number}.9`),
  );
}
