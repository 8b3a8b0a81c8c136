/** One act on many domains: which of those that are chosen it is for, and what it is called. */
import type { Domain } from '../api/types.ts'

export type ManyAction = 'activate' | 'deactivate' | 'disable' | 'delete' | 'discard'

interface Words {
  readonly title: string
  readonly danger: boolean
  readonly fits: (row: FitRow) => boolean
  /** Said where it is for none of them. */
  readonly none: string
}

export interface FitRow {
  readonly status: string
  readonly pending: boolean
}

export const MANY_ACTIONS: Readonly<Record<ManyAction, Words>> = {
  activate: {
    title: 'Activate',
    danger: false,
    fits: ({ status }) => status === 'inactive' || status === 'error',
    none: 'None of them can be activated.',
  },
  deactivate: {
    title: 'Deactivate',
    danger: false,
    fits: ({ status }) => status === 'active' || status === 'error',
    none: 'None of them is active.',
  },
  discard: {
    title: 'Put back to the release',
    danger: false,
    fits: ({ pending }) => pending,
    none: 'None of them waits for a deploy.',
  },
  disable: {
    title: 'Disable for good',
    danger: true,
    fits: ({ status }) => status !== 'disabled',
    none: 'All of them are disabled.',
  },
  delete: { title: 'Delete', danger: true, fits: () => true, none: 'None is chosen.' },
}

/** The records of one call, each as it was seen: 412 where one has moved on. */
export const seenOf = (records: readonly Pick<Domain, 'id' | 'revision'>[]) =>
  records.map(({ id, revision }) => ({ id, revision }))
