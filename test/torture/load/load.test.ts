import { shortened } from '../shortened.ts';
import { load } from './load.ts';

shortened(load);
