import { IconPhoto, IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './products.module.css';

/** A picture from wherever the merchant keeps it, which may fail; its place is kept either way. */
export function ProductImage({
  url,
  alt = '',
  large = false,
}: {
  url: string | null;
  alt?: string;
  large?: boolean;
}) {
  const [failed, setFailed] = useState(false);
  const frame = large ? styles.picture : styles.thumb;
  if (url === null || !/^https:\/\//i.test(url) || failed) {
    const Icon = url === null ? IconPhoto : IconPhotoOff;
    return (
      <span className={frame}>
        <Icon size={large ? 26 : 17} stroke={1.4} aria-hidden="true" />
        {large && (
          <span className="small">{url === null ? 'No picture' : 'The picture cannot be shown'}</span>
        )}
      </span>
    );
  }
  return (
    <span className={frame}>
      <img
        src={url}
        alt={alt}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(true)}
      />
    </span>
  );
}
