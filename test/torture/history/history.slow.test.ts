import { testScenario } from '../test-scenario.ts';
import { history } from './history.ts';

testScenario(history);
