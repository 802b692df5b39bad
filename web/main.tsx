/** Runs the script after the prerendered page is painted. A hidden page is never painted. */
function afterPaint(start: () => void): void {
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}

// Loading React separately splits one long task in two.
afterPaint(() => import('react-dom/client').then(() => import('./start.tsx')));
