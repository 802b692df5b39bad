import { testScenario } from '../test-scenario.ts';
import { auctions } from './auctions.ts';
import { events } from './events.ts';
import { mirror } from './mirror.ts';

for (const scenario of [events, mirror, auctions]) testScenario(scenario);
