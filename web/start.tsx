import './theme/styles.ts';
import './server/new-version.ts';
import { router } from './router.tsx';
import { startApplication } from './start-application.tsx';

startApplication(router);
