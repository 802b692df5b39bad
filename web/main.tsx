/**
 * The build has drawn what the page looks like: that is shown first, and then the script runs. A page that
 * is not looked at is never painted.
 */
function afterPaint(start: () => void): void {
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}

// React first, by itself: one long task less.
afterPaint(() => import('react-dom/client').then(() => import('./start.tsx')));
