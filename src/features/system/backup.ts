/** What is said of a copy of the database. */
export interface Backup {
  readonly path: string
  /** RFC 3339. */
  readonly at: string
  readonly bytes: number
}
