/** Products are indexed in blocks of this many consecutive internal ids. */
export const BLOCK_SIZE = 8_192;

const BITMAP_BYTES = BLOCK_SIZE / 8;
const WORDS = BLOCK_SIZE / 32;

/** One bit for each product of a block. */
export type Bits = Uint32Array;

export function blockOf(internalId: number): number {
  return Math.floor(internalId / BLOCK_SIZE);
}

export function emptyBits(): Bits {
  return new Uint32Array(WORDS);
}

/** Sets the bits of the products in `stored`, a result of `encodeBits`. */
export function addStored(bits: Bits, stored: Uint8Array): void {
  const { buffer, byteOffset, length } = stored;
  const view = new DataView(buffer, byteOffset, length);
  if (length === BITMAP_BYTES) {
    for (let index = 0; index < WORDS; index += 1) {
      bits[index] = (bits[index] ?? 0) | view.getUint32(index * 4, true);
    }
    return;
  }
  for (let at = 0; at < length; at += 2) addBit(bits, view.getUint16(at, true));
}

export function addBit(bits: Bits, internalId: number): void {
  const place = internalId % BLOCK_SIZE;
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}

export function removeBit(bits: Bits, internalId: number): void {
  const place = internalId % BLOCK_SIZE;
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) & ~(1 << (place & 31));
}

/** Whether the bit of a product is set. */
function hasBit(bits: Bits, internalId: number): boolean {
  const place = internalId % BLOCK_SIZE;
  return ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let index = 0; index < WORDS; index += 1) {
    let word = bits[index] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Highest first. */
export function idsDescending(block: number, bits: Bits): number[] {
  const ids: number[] = [];
  for (let index = WORDS - 1; index >= 0; index -= 1) {
    let word = bits[index] ?? 0;
    while (word !== 0) {
      const bit = 31 - Math.clz32(word);
      ids.push(block * BLOCK_SIZE + index * 32 + bit);
      word &= ~(1 << bit);
    }
  }
  return ids;
}

/** Two bytes for each product, or a bitmap if that is shorter. */
export function encodeBits(bits: Bits): Uint8Array {
  const count = countBits(bits);
  if (count * 2 >= BITMAP_BYTES) {
    const bytes = new Uint8Array(BITMAP_BYTES);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < WORDS; index += 1) view.setUint32(index * 4, bits[index] ?? 0, true);
    return bytes;
  }
  const bytes = new Uint8Array(count * 2);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (let index = 0; index < WORDS; index += 1) {
    let word = bits[index] ?? 0;
    while (word !== 0) {
      const bit = 31 - Math.clz32(word & -word);
      view.setUint16(at, index * 32 + bit, true);
      at += 2;
      word &= word - 1;
    }
  }
  return bytes;
}

export class ProductSet {
  readonly blocks = new Map<number, Bits>();

  bitsOf(block: number): Bits {
    let bits = this.blocks.get(block);
    if (bits === undefined) {
      bits = emptyBits();
      this.blocks.set(block, bits);
    }
    return bits;
  }

  addStored({ block, products }: { block: number; products: Uint8Array }): void {
    addStored(this.bitsOf(block), products);
  }

  add(internalId: number): void {
    addBit(this.bitsOf(blockOf(internalId)), internalId);
  }

  has(internalId: number): boolean {
    const bits = this.blocks.get(blockOf(internalId));
    return bits !== undefined && hasBit(bits, internalId);
  }

  isEmpty(): boolean {
    return [...this.blocks.values()].every((bits) => bits.every((word) => word === 0));
  }

  countIn(other: ProductSet): number {
    let count = 0;
    for (const [block, bits] of this.blocks) {
      const others = other.blocks.get(block);
      if (others !== undefined) count += countBits(bits.map((word, index) => word & (others[index] ?? 0)));
    }
    return count;
  }

  keep(other: ProductSet): void {
    for (const [block, bits] of this.blocks) {
      const others = other.blocks.get(block);
      if (others === undefined) this.blocks.delete(block);
      else
        for (let index = 0; index < WORDS; index += 1)
          bits[index] = (bits[index] ?? 0) & (others[index] ?? 0);
    }
  }

  remove(other: ProductSet): void {
    for (const [block, others] of other.blocks) {
      const bits = this.blocks.get(block);
      if (bits === undefined) continue;
      for (let index = 0; index < WORDS; index += 1) bits[index] = (bits[index] ?? 0) & ~(others[index] ?? 0);
    }
  }
}
