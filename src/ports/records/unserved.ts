/** Records in error because the proxy does not serve them. */

export interface UnservedReader {
  /** Ids of the records. */
  unservedRecords(): Promise<ReadonlySet<number>>
}

export interface UnservedWriter {
  /** Of a record that is there. It is so until its status is written again, or it is deleted. */
  markUnserved(domain_id: number): Promise<void>
}
