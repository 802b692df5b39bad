import { shortened } from '../shortened.ts';
import { fuzz } from './fuzz.ts';

shortened(fuzz);
