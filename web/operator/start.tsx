import '../theme/styles.ts';
import './accent.css';
import '../server/new-version.ts';
import { startApplication } from '../start-application.tsx';
import { router } from './router.tsx';

startApplication(router);
