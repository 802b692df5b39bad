import { testScenario } from '../test-scenario.ts';
import { load } from './load.ts';

testScenario(load);
