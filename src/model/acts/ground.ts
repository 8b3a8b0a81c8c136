/** What acts are decided by, beside the thing itself: records by name, modes, and the newest release. */

export interface ActGround {
  /** Whether it is one of what the reconciler keeps true. */
  readonly isKept: (component: string) => boolean
  /** Whether a person may say that a difference of it stays. */
  readonly mayBeIgnored: (component: string) => boolean
  /** Why nothing is written there now, whoever asks; null where it is. */
  readonly suspendedBy: (component: string) => string | null
  /** The mode that keeps the reconciler from acting by itself, and why no call ends it; null where it acts. */
  readonly modeBefore: (
    component: string,
  ) => { readonly scope: string; readonly why_not: string | null } | null
  /** Of a record by the name that it has in either edition; undefined for none. */
  readonly idOf: (domain: string) => number | undefined
  /** Number of the newest release; 0 before the first. */
  readonly release: number
}
