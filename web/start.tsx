import './theme/styles.ts';
import './server/stale-page.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './console.tsx';
import { router } from './router.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');

const show = (): void =>
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
// What the build drew of the page stays until there is something to put in its place.
void router.load().then(() => startTransition(show));
