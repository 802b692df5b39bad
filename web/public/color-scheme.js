// Runs before the first paint, so that a dark page never flashes light. It is a separate file because
// the content security policy forbids inline scripts.
(() => {
  let preference = 'auto';
  try {
    preference = localStorage.getItem('tradepost-color-scheme') ?? 'auto';
  } catch {
    // Without access to storage, the system preference applies.
  }
  const dark =
    preference === 'dark' || (preference !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
