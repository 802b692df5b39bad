import { shortened } from '../shortened.ts';
import { neighbors } from './neighbors.ts';

shortened(neighbors);
