import { Link } from '@tanstack/react-router';
import { useStore } from '../server/store.ts';
import { IconArrowLeft } from '../ui/icons.ts';
import { lastListing } from './last-listing.ts';
import styles from './products.module.css';

/** A link to the list that was shown last. */
export function BackToProducts() {
  return (
    <Link to="/products" search={useStore(lastListing)} className={`small ${styles.back}`}>
      <IconArrowLeft size={15} /> Products
    </Link>
  );
}
