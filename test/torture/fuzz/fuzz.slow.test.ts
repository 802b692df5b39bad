import { testScenario } from '../test-scenario.ts';
import { fuzz } from './fuzz.ts';

testScenario(fuzz);
