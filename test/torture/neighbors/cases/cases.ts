import type { Case } from '../case.ts';
import { campaignCases } from './campaigns.ts';
import { consoleCases } from './console.ts';
import { uploadCases } from './imports.ts';
import { orderCases } from './orders.ts';
import { pageCases } from './pages.ts';
import { recordCases } from './records.ts';
import { requestCases } from './requests.ts';
import { signInCases } from './sign-in.ts';
import { webhookCases } from './webhooks.ts';
import { writeCases } from './writes.ts';

/** Cases with the longest effects come last. */
export const cases: readonly Case[] = [
  ...pageCases,
  ...campaignCases,
  ...writeCases,
  ...requestCases,
  ...consoleCases,
  ...recordCases,
  ...uploadCases,
  ...orderCases,
  ...webhookCases,
  ...signInCases,
];
