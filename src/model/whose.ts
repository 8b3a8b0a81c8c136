/** Whose a look, a plan or a pass is: every record's, or that of exactly those that are listed. */

/** An empty list is nobody's, never everybody's. */
export type Whose = 'all' | readonly number[]

/** Whether they have to do with what concerns these records; what concerns none of them by name is the key as a whole. */
export const isTheirs = (whose: Whose, domain_ids: readonly number[] = []): boolean =>
  whose === 'all' || domain_ids.length === 0 || domain_ids.some((id) => whose.includes(id))
