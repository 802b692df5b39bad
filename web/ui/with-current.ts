interface Option {
  value: string;
  label: string;
}

/** Adds the current value to the options of a select: the URL may have one that is not among them. */
export function withCurrent(options: readonly Option[], value: string | undefined): Option[] {
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return isKnown ? [...options] : [...options, { value, label: value }];
}
