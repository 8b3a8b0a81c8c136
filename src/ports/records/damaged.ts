/** Saved records that were changed by no call: their content does not fit the digest beside it. */

/** Its name may be what was damaged. */
export interface DamagedRecord {
  readonly domain_id: number
  readonly domain: string
}

export interface DamagedReader {
  /** The record with this id when it is damaged, else null. */
  damagedRecord(id: number): Promise<DamagedRecord | null>
  /** Those that were damaged when the store was opened and are there still. */
  damagedRecords(): Promise<readonly DamagedRecord[]>
}
