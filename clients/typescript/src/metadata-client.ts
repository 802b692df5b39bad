import { CatalogClient } from './catalog-client.ts';
import type { Metadata, ResponseOf } from './operations.ts';
import type { CallOptions } from './options.ts';

/** The lists of the marketplace, which are the same for all merchants. */
export class MetadataClient extends CatalogClient {
  /** Retrieves twelve lists at once. */
  retrieveMetadata(options: CallOptions = {}): Promise<Metadata> {
    return this.caller.call('retrieveMetadata', {}, options);
  }

  listCategories(options: CallOptions = {}): Promise<ResponseOf<'listCategories'>> {
    return this.caller.call('listCategories', {}, options);
  }

  listConditions(options: CallOptions = {}): Promise<ResponseOf<'listConditions'>> {
    return this.caller.call('listConditions', {}, options);
  }

  listBrands(options: CallOptions = {}): Promise<ResponseOf<'listBrands'>> {
    return this.caller.call('listBrands', {}, options);
  }

  listMaterials(options: CallOptions = {}): Promise<ResponseOf<'listMaterials'>> {
    return this.caller.call('listMaterials', {}, options);
  }

  listSizes(options: CallOptions = {}): Promise<ResponseOf<'listSizes'>> {
    return this.caller.call('listSizes', {}, options);
  }

  listColors(options: CallOptions = {}): Promise<ResponseOf<'listColors'>> {
    return this.caller.call('listColors', {}, options);
  }

  listCountries(options: CallOptions = {}): Promise<ResponseOf<'listCountries'>> {
    return this.caller.call('listCountries', {}, options);
  }

  listCountryCodes(options: CallOptions = {}): Promise<ResponseOf<'listCountryCodes'>> {
    return this.caller.call('listCountryCodes', {}, options);
  }

  listStates(options: CallOptions = {}): Promise<ResponseOf<'listStates'>> {
    return this.caller.call('listStates', {}, options);
  }

  listProvinces(options: CallOptions = {}): Promise<ResponseOf<'listProvinces'>> {
    return this.caller.call('listProvinces', {}, options);
  }

  listTerritories(options: CallOptions = {}): Promise<ResponseOf<'listTerritories'>> {
    return this.caller.call('listTerritories', {}, options);
  }

  listCarriers(options: CallOptions = {}): Promise<ResponseOf<'listCarriers'>> {
    return this.caller.call('listCarriers', {}, options);
  }

  listGemstones(options: CallOptions = {}): Promise<ResponseOf<'listGemstones'>> {
    return this.caller.call('listGemstones', {}, options);
  }

  listRefundReasons(options: CallOptions = {}): Promise<ResponseOf<'listRefundReasons'>> {
    return this.caller.call('listRefundReasons', {}, options);
  }

  listCampaignTypes(options: CallOptions = {}): Promise<ResponseOf<'listCampaignTypes'>> {
    return this.caller.call('listCampaignTypes', {}, options);
  }
}
