import { afterPaint } from '../after-paint.ts';

// Loading React separately splits one long task in two.
afterPaint(() => import('react-dom/client').then(() => import('./start.tsx')));
