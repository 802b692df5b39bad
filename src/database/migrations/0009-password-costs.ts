/** Adds scrypt's parameters to stored passwords, so that a later version can raise the cost of new ones. */
export function passwordCosts(): string[] {
  return [
    `UPDATE console_accounts SET password_hash = 'scrypt:ln=15,r=8,p=3:' || substr(password_hash, 8)
     WHERE password_hash LIKE 'scrypt:%'`,
  ];
}
