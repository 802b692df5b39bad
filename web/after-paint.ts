/** Runs the script after the prerendered page is painted. A hidden page is never painted. */
export function afterPaint(start: () => void): void {
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}
