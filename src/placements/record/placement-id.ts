import { randomUUIDv7 } from 'node:crypto';

const ID = /^(-?\d{1,15})\.[0-9a-f-]{36}$/;

/** The ID of a reserved placement names its merchant, because reports of outcomes do not. */
export function newPlacementId(merchantId: number): string {
  return `${merchantId}.${randomUUIDv7()}`;
}

/** Returns the merchant of a reserved placement; undefined if it is no ID of one. */
export function merchantOf(placementId: string): number | undefined {
  const [, merchant] = ID.exec(placementId) ?? [];
  return merchant === undefined ? undefined : Number(merchant);
}
