import { testScenario } from '../test-scenario.ts';
import { sqlmap } from './sqlmap.ts';
import { sslscan } from './sslscan.ts';

for (const scenario of [sslscan, sqlmap]) testScenario(scenario);
