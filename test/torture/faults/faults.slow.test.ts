import { testScenario } from '../test-scenario.ts';
import { diskFull } from './disk-full.ts';
import { kills } from './kills.ts';
import { lock } from './lock.ts';
import { readOnly } from './read-only.ts';

for (const scenario of [diskFull, readOnly, lock, kills]) testScenario(scenario);
