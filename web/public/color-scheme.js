// Runs before the first paint, so that a dark page never flashes light. A file, as the
// content security policy allows no script inside the page.
(() => {
  let wanted = 'auto';
  try {
    wanted = localStorage.getItem('tradepost-color-scheme') ?? 'auto';
  } catch {
    // Storage may be forbidden: then the system decides.
  }
  const dark =
    wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
