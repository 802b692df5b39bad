import { ProductImage } from '../products/product-image.tsx';
import styles from './product.module.css';
import type { Editor } from './use-editor.ts';

const MAX_SHOWN = 12;

/** The images at the URLs of the form. */
export function ProductImages({ editor }: { editor: Editor }) {
  const { title, identifier } = editor.base.product;
  const all = [editor.textOf('primary_image'), ...editor.textOf('extra_images').split('\n')];
  const urls = [...new Set(all.map((url) => url.trim()).filter((url) => url !== ''))];
  if (urls.length === 0) return null;
  return (
    <div className={styles.images}>
      {urls.slice(0, MAX_SHOWN).map((url, index) => (
        <ProductImage key={url} url={url} alt={`Image ${index + 1} of ${title ?? identifier}`} large />
      ))}
    </div>
  );
}
