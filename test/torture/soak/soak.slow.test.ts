import { testScenario } from '../test-scenario.ts';
import { soak } from './soak.ts';

testScenario(soak);
