import { testScenario } from '../test-scenario.ts';
import { neighbors } from './neighbors.ts';

testScenario(neighbors);
