import { useState } from 'react';
import { IconPhoto, IconPhotoOff } from '../ui/icons.ts';
import styles from './products.module.css';

/** An image from an external server. If it is missing or fails to load, a placeholder keeps its space. */
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
  const frame = large ? styles.image : styles.thumb;
  if (url === null || !/^https:\/\//i.test(url) || failed) {
    const Icon = url === null ? IconPhoto : IconPhotoOff;
    return (
      <span className={frame}>
        <Icon size={large ? 26 : 17} stroke={1.4} />
        {large && <span className="small">{url === null ? 'No image' : 'Image unavailable'}</span>}
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
