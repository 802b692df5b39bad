import { shortened } from '../shortened.ts';
import { sqlmap } from './sqlmap.ts';
import { sslscan } from './sslscan.ts';

for (const scenario of [sslscan, sqlmap]) shortened(scenario);
