import '../theme/styles.ts';
import './accent.css';
import '../server/new-version.ts';
import { createRoot } from 'react-dom/client';
import { Application } from '../application.tsx';
import { router } from './router.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element.');
createRoot(root).render(<Application router={router} />);
