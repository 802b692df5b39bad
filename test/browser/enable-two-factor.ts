import type { Visitor } from '../support/browser/visitor.ts';
import { codeOfSecret } from '../support/totp.ts';

/** Enables two-factor authentication on the page Account, and saves the recovery codes. */
export async function enableTwoFactor(visitor: Visitor, password: string): Promise<void> {
  const dialog = visitor.page.getByRole('dialog');
  await visitor.press('Enable');
  await visitor.field('Your password').fill(password);
  await visitor.press('Continue');
  const secret = await dialog.locator('pre').innerText();
  await visitor.field('6-digit code').fill(codeOfSecret(secret.trim()));
  await dialog.getByRole('button', { name: 'Enable' }).click();
  await visitor.press('I’ve saved them');
  await visitor.page.getByRole('button', { name: 'Create recovery codes' }).waitFor();
}
