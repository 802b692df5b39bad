import type { ModerationReason } from '../../events/event-types.ts';
import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import type { ImageProblem } from '../images/image-problems.ts';
import { moderationStates } from '../record/product-status.ts';
import type { ProductIssues } from './moderate-product.ts';

export const MAX_REASONS = 20;
export const MAX_REASON_NAME = 100;
export const MAX_REASON_MESSAGE = 1_000;

const text = (maxLength: number): Schema & { type: 'string' } => ({
  type: 'string',
  minLength: 1,
  maxLength,
});

export const reasonSchema = record<ModerationReason>('ModerationReason', 'A reason for a moderation.', {
  code: { ...text(MAX_REASON_NAME), description: 'The kind of problem, for programs.' },
  field: {
    ...orNull(text(MAX_REASON_NAME)),
    description: 'The field of the product that has the problem; null if it is not one field.',
  },
  message: { ...text(MAX_REASON_MESSAGE), description: 'What is wrong, for people.' },
});

const imageProblemSchema = record<ImageProblem>('ImageProblem', 'An image of a product that does not work.', {
  field: {
    type: 'string',
    enum: ['primary_image', 'extra_images'],
    description: 'The field of the product that has the address.',
  },
  url: { type: 'string', description: 'The address of the image.' },
  message: { type: 'string', description: 'What is wrong, for people.' },
  checked_at: { ...time, description: 'When the image was last checked.' },
});

const issuesSchema = record<ProductIssues>('ProductIssues', 'What is wrong with a product.', {
  identifier: { type: 'string', description: 'The unique ID of the product.' },
  internal_id: { type: 'integer', description: 'The `internal_id` of the product.' },
  state: {
    type: 'string',
    enum: moderationStates,
    description:
      'The operator’s decision. A product that is not `ok` has it as its `status`, unless it is deleted.',
  },
  reasons: { type: 'array', items: reasonSchema, description: 'Empty if the state is `ok`.' },
  image_problems: {
    type: 'array',
    items: imageProblemSchema,
    description:
      'Images that did not work when they were last checked, in the order of the images. New images are checked within about a minute, unless many are waiting.',
  },
});

export const exampleReason: ModerationReason = {
  code: 'image_missing',
  field: 'primary_image',
  message: 'The product needs an image that shows it from the front.',
};

const exampleIssues: ProductIssues = {
  identifier: 'VASE-7',
  internal_id: 51,
  state: 'problematic',
  reasons: [exampleReason],
  image_problems: [
    {
      field: 'extra_images',
      url: 'https://images.example.com/vase-7-back.jpg',
      message: 'The image at https://images.example.com/vase-7-back.jpg returned 404 Not Found.',
      checked_at: '2026-06-15T12:00:00Z',
    },
  ],
};

/** The response of the calls that return what is wrong with a product. */
export const issuesSuccess: Success = {
  description: 'What is wrong with the product.',
  schema: issuesSchema,
  examples: { issues: { summary: 'A problematic product', value: exampleIssues } },
};
