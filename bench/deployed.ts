/** What the systemd unit and the container give Node.js: memory is measured as operators have it. */
export const deployed = {
  flags: ['--max-semi-space-size=4'],
  environment: { MALLOC_ARENA_MAX: '1' },
};
