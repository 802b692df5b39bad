import { text } from '../http/parameters/types.ts';

const MAX_ID_LENGTH = 60;

export const webhookInPath = {
  webhook: {
    type: text(MAX_ID_LENGTH),
    description: 'The ID of the webhook.',
    example: 'we_5b0e8d8f3a1c42d7e9',
  },
};
