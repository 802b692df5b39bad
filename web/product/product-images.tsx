import type { ImageProblem } from '../../src/products/images/image-problems.ts';
import { Ago } from '../format/ago.tsx';
import { ProductImage } from '../products/product-image.tsx';
import { IconAlertTriangle } from '../ui/icons.ts';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';

const MAX_SHOWN = 12;

/** The images at the URLs of the form, and what the last checks have found. */
export function ProductImages({ editor, problems }: { editor: Editor; problems: readonly ImageProblem[] }) {
  const { title, identifier } = editor.base.product;
  const all = [editor.textOf('primary_image'), ...editor.textOf('extra_images').split('\n')];
  const urls = [...new Set(all.map((url) => url.trim()).filter((url) => url !== ''))];
  if (urls.length === 0) return null;
  const shownProblems = problems.filter(({ url }) => urls.includes(url));
  return (
    <>
      <div className={styles.images}>
        {urls.slice(0, MAX_SHOWN).map((url, index) => (
          <ProductImage key={url} url={url} alt={`Image ${index + 1} of ${title ?? identifier}`} large />
        ))}
      </div>
      {shownProblems.length > 0 && (
        <ul className={styles.imageProblems} aria-label="Images to check">
          {shownProblems.map(({ url, message, checked_at }) => (
            <li key={url}>
              <IconAlertTriangle size={15} />
              <span>
                {message}{' '}
                <span className="muted">
                  Checked <Ago at={checked_at} />.
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
