/** The entries of a list of a source, which may be refused while others of it are known. */
import type { Json } from '../../../kernel/text/lenient.ts'
import type { ListLook } from './lab-port.ts'

/** As the source sent them; none while they are not known, which is for the caller to tell from an empty list. */
export const rowsOf = (list: ListLook): readonly Json[] => (list.known ? list.rows.reveal() : [])

/** Entries that are none of the form that all have. */
export const unreadableIn = (list: ListLook): number => (list.known ? list.rows.unreadable : 0)
