import type { AnyRouter } from '@tanstack/react-router';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './application.tsx';

/** Shows the application. The prerendered page stays until the router has loaded the real one. */
export function startApplication(router: AnyRouter): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no #root element.');
  const render = (): void => createRoot(root).render(<Application router={router} />);
  void router.load().then(() => startTransition(render));
}
