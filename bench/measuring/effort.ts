/** How much a scenario measures. */
export interface Effort {
  /** Set for a comparison with earlier results: fewer rounds, smaller catalogs, and only what is compared. */
  short?: boolean;
}
