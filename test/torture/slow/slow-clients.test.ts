import { shortened } from '../shortened.ts';
import { slowClients } from './slow-clients.ts';

shortened(slowClients);
