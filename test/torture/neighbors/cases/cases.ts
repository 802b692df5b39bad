import type { Case } from '../world.ts';
import { campaignCases } from './campaigns.ts';
import { consoleCases } from './console.ts';
import { pageCases } from './pages.ts';
import { recordCases } from './records.ts';
import { requestCases } from './requests.ts';
import { signInCases } from './sign-in.ts';
import { uploadCases } from './uploads.ts';

/** Everything that a hostile merchant does. What has effects for longest comes last. */
export const cases: readonly Case[] = [
  ...pageCases,
  ...campaignCases,
  ...requestCases,
  ...consoleCases,
  ...recordCases,
  ...uploadCases,
  ...signInCases,
];
