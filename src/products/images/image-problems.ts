import type { Reader } from '../../database/database.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listImageProblems } from './queries.ts';

/** An image of a product that does not work. */
export interface ImageProblem {
  field: 'primary_image' | 'extra_images';
  url: string;
  /** For people. */
  message: string;
  /** RFC 3339. */
  checked_at: string;
}

/** Lists the images of a product whose last check failed, in the order of its images. */
export async function imageProblems(
  reader: Pick<Reader, 'all'>,
  product: { merchantId: number; productId: number },
): Promise<ImageProblem[]> {
  const rows = await reader.all(listImageProblems, product);
  return rows.map(({ position, url, problem, checked_at }) => ({
    field: position === 0 ? 'primary_image' : 'extra_images',
    url,
    message: `The image at ${url} ${problem}`,
    checked_at: formatTime(checked_at),
  }));
}
