import { testScenario } from '../test-scenario.ts';
import { slowClients } from './slow-clients.ts';

testScenario(slowClients);
