/** Why a webhook is disabled, for operators. */
export const reasonsForOperator = {
  owner: 'Disabled by the merchant',
  operator: 'Disabled by an operator',
  failures: 'Every delivery failed for five days',
  gone: 'The receiver responded with 410 Gone',
} as const;
