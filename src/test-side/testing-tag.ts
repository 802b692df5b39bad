/** The calls that only test keys may make. */
export const testingTag = {
  name: 'Testing',
  description: 'The merchant’s test side, for keys whose tokens start with `tpt_`.',
};
