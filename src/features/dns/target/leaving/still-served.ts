/** What is asked of the proxy before names are taken away. */

/** A name that a release takes away. */
export interface LeavingName {
  readonly name: string
  /** The name that its record has now, which is to be served first; null for none. */
  readonly successor: string | null
}

/** Why names stay, as the end of a sentence that begins "… stays"; those that may go are left out. */
export type StillServed = (leaving: readonly LeavingName[]) => Promise<ReadonlyMap<string, string>>
