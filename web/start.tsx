import './theme/styles.ts';
import './server/new-version.ts';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './application.tsx';
import { router } from './router.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');

const render = (): void => createRoot(root).render(<Application router={router} />);
// The prerendered page stays until the router has loaded the real one.
void router.load().then(() => startTransition(render));
