import { shortened } from '../shortened.ts';
import { soak } from './soak.ts';

shortened(soak);
