interface ModelVariation {
  identifier: string;
  quantity: number | null;
  disabled: boolean;
  deleted: boolean;
}

interface ModelProduct {
  identifier: string;
  title: string;
  brand: string | null;
  retail_price: number | null;
  disabled: boolean;
  deleted: boolean;
  catalogOnly: boolean;
  variations: ModelVariation[];
}

interface Shown extends ModelProduct {
  status: string;
  available_quantity: number;
}

type Json = Record<string, unknown>;

/** The default of the setting LOW_INVENTORY. */
const LOW_INVENTORY = 5;

/** A catalog in memory that follows the contract for writing, and shares no code with the service. */
export class ModelCatalog {
  readonly #products = new Map<string, ModelProduct>();

  products(): Shown[] {
    const sorted = [...this.#products.values()].sort((one, other) =>
      one.identifier < other.identifier ? -1 : 1,
    );
    return sorted.map((product) => ({ ...structuredClone(product), ...derived(product) }));
  }

  /** The part of a record that the model describes. */
  static simplify(this: void, record: Json & { variations: Json[] }): Shown {
    const { identifier, title, brand, retail_price, status, available_quantity } = record;
    const flags = (each: Json) => ({
      disabled: each.disabled_at !== null,
      deleted: each.deleted_at !== null,
    });
    const variations = record.variations.map(({ identifier, quantity, ...times }) => ({
      identifier,
      quantity,
      ...flags(times),
    }));
    const shown = {
      identifier,
      title,
      brand,
      retail_price,
      ...flags(record),
      catalogOnly: record.catalog_only_at !== null,
      variations,
      status,
      available_quantity,
    };
    return shown as Shown;
  }

  call(path: string, json: Json): number {
    const [, records, action] = path.split('/');
    if (records === 'variations') return this.#variationCall(action, json);
    const identifier = String(json.identifier);
    const product = this.#products.get(identifier);
    if (action === undefined) {
      if (typeof json.title !== 'string' || (product !== undefined && !product.deleted)) return 400;
      return this.#create(identifier, json) ? 200 : 400;
    }
    if (product === undefined) return 404;
    if (action === 'delete' && product.deleted) return 200;
    if (product.deleted) return 400;
    if (action === 'update') return this.#update(product, json) ? 200 : 400;
    product.disabled = action === 'disable' || action === 'delete';
    product.deleted = action === 'delete';
    if (!product.disabled) product.catalogOnly = action === 'enable_catalog_only';
    return 200;
  }

  applyLine(json: Json): string {
    const identifier = String(json.identifier);
    const product = this.#products.get(identifier);
    if (product?.deleted === true) return 'rejected';
    const before = JSON.stringify(product);
    const accepted =
      json.variation !== undefined
        ? changeStock(
            product?.variations.find((each) => each.identifier === json.variation),
            json,
          )
        : product === undefined
          ? typeof json.title === 'string' && this.#create(identifier, json)
          : this.#update(product, json);
    if (!accepted) return 'rejected';
    if (product === undefined) return 'created';
    return JSON.stringify(product) === before ? 'unchanged' : 'updated';
  }

  #variationCall(action: string | undefined, json: Json): number {
    const identifier = String(json.identifier);
    const owner = this.#ownerOf(identifier);
    const variation = owner?.variations.find((each) => each.identifier === identifier);
    if (action === undefined) {
      const product = this.#products.get(String(json.product_identifier));
      if (product === undefined) return 404;
      if (product.deleted || (owner !== undefined && owner !== product)) return 400;
      if (variation !== undefined && !variation.deleted) return 400;
      const fresh = { identifier, quantity: Number(json.quantity), disabled: false, deleted: false };
      if (variation === undefined) product.variations.push(fresh);
      else Object.assign(variation, fresh);
      return 200;
    }
    if (owner === undefined || variation === undefined) return 404;
    if (owner.deleted) return 400;
    if (action === 'update') return changeStock(variation, json) ? 200 : 400;
    if (variation.deleted) return action === 'delete' ? 200 : 400;
    variation.disabled = action !== 'enable' && (action === 'disable' || action === 'delete');
    variation.deleted = action === 'delete';
    return 200;
  }

  #ownerOf(variation: string): ModelProduct | undefined {
    return [...this.#products.values()].find(({ variations }) =>
      variations.some(({ identifier }) => identifier === variation),
    );
  }

  #create(identifier: string, json: Json): boolean {
    const listed = (json.variations ?? []) as Json[];
    const before = this.#products.get(identifier);
    if (listed.some((each) => !this.#isFree(String(each.identifier), before))) return false;
    const stated = listed.map((each) => ({
      identifier: String(each.identifier),
      quantity: (each.quantity ?? null) as number | null,
      disabled: false,
      deleted: false,
    }));
    const names = stated.map((each) => each.identifier);
    const others = (before?.variations ?? []).filter((each) => !names.includes(each.identifier));
    this.#products.set(identifier, {
      identifier,
      title: String(json.title),
      brand: (json.brand ?? null) as string | null,
      retail_price: (json.retail_price ?? null) as number | null,
      disabled: false,
      deleted: false,
      catalogOnly: false,
      variations: [...stated, ...others.map((each) => ({ ...each, deleted: true }))],
    });
    return true;
  }

  #update(product: ModelProduct, json: Json): boolean {
    const listed = (json.variations ?? []) as Json[];
    const known = (each: Json): ModelVariation | undefined =>
      product.variations.find(({ identifier }) => identifier === each.identifier);
    for (const each of listed) {
      if (!this.#isFree(String(each.identifier), product)) return false;
      const variation = known(each);
      const changes = each.quantity !== undefined && each.quantity !== variation?.quantity;
      if (variation?.deleted === true && changes) return false;
    }
    for (const name of ['title', 'brand', 'retail_price'] as const)
      if (json[name] !== undefined) Object.assign(product, { [name]: json[name] });
    for (const each of listed) {
      const variation = known(each);
      const quantity = (each.quantity ?? null) as number | null;
      if (variation === undefined)
        product.variations.push({
          identifier: String(each.identifier),
          quantity,
          disabled: false,
          deleted: false,
        });
      else if (each.quantity !== undefined) variation.quantity = quantity;
    }
    return true;
  }

  /** No other product has the variation. */
  #isFree(variation: string, product: ModelProduct | undefined): boolean {
    const owner = this.#ownerOf(variation);
    return owner === undefined || owner === product;
  }
}

function changeStock(variation: ModelVariation | undefined, json: Json): boolean {
  if (variation === undefined || variation.deleted) return false;
  const current = variation.quantity ?? 0;
  if (json.quantity_was !== undefined && json.quantity_was !== current) return false;
  const quantity =
    json.quantity_change === undefined ? Number(json.quantity) : current + Number(json.quantity_change);
  if (quantity < 0) return false;
  variation.quantity = quantity;
  return true;
}

function derived({
  disabled,
  deleted,
  variations,
}: ModelProduct): Pick<Shown, 'status' | 'available_quantity'> {
  const units = variations
    .filter((each) => !each.disabled && !each.deleted)
    .reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
  const stock = units === 0 ? 'sold_out' : units <= LOW_INVENTORY ? 'low_inventory' : 'in_stock';
  const active = variations.length === 0 ? 'enabled' : stock;
  return { status: deleted ? 'deleted' : disabled ? 'disabled' : active, available_quantity: units };
}
