/** One record between its editions: what runs beside what is saved, and whether it was ever released. Pure. */
import type { Domain, ExplainedDomain } from '../../api/types.ts'
import { accessText, targetText } from '../domain-rows.ts'

/** A record as it was released; of an older release it may lack fields. */
export type Released = Readonly<Record<string, unknown>>

interface Moved {
  /** Null where it is the same in both, or never was released. */
  readonly runs: string | null
  readonly saved: string
}

const between = (record: Domain, released: Released | null, text: (of: Domain) => string): Moved => {
  const saved = text(record)
  if (released === null) return { runs: null, saved }
  const before = text({ ...record, ...released })
  return { runs: before === saved ? null : before, saved }
}

/** "192.168.1.21:2342", and beside it what was released, where that is another. */
export const targetBetween = (record: Domain, released: Released | null): Moved =>
  between(record, released, targetText)

export const accessBetween = (record: Domain, released: Released | null): Moved =>
  between(record, released, accessText)

type Explained = Pick<ExplainedDomain, 'pending' | 'released'>

/** Saved and released are the same: never where nothing was released. */
export const isSavedReleased = ({ pending, released }: Explained): boolean => !pending && released !== null

/** Null where it was released; what is managed elsewhere is never released. */
export function neverReleased(
  { status, service_type }: Pick<Domain, 'status' | 'service_type'>,
  { released }: Pick<Explained, 'released'>,
): string | null {
  if (released !== null || service_type === 'manual') return null
  if (status === 'active') return 'It was never deployed: nothing of it is live until a deploy.'
  return 'It was never activated: nothing of it is live.'
}

/** Of a record that is not active: why there is no plan of it, and what would bring it back. */
export const notLiveText = ({ status }: Pick<Domain, 'status'>): string =>
  status === 'disabled'
    ? 'It is disabled for good.'
    : 'It is not live, so nothing of it waits to be deployed. Activating it shows its plan first.'

/** What is saved is no part of what the engine keeps true until it is deployed. */
export const waitingText = ({ pending, released }: Explained): string | null => {
  if (!pending) return null
  return released === null
    ? 'What is saved waits for a deploy. Until then nothing of it is live.'
    : `What is saved waits for a deploy. Until then release ${released.release} is kept true.`
}

/** Where no field is listed between them. @param there what is there is as it was released, or something else */
export function noneMoved(
  { pending, released }: Explained,
  there: 'released' | 'differs' | 'unknown',
): string {
  if (pending) return 'It waits for a deploy.'
  if (released === null) return 'There is no release to compare it with.'
  if (there === 'differs')
    return 'Saved and released are the same. What is there was changed: its lines show how.'
  const beside = there === 'unknown' ? ' What is there is not known.' : ''
  return `Saved and released are the same.${beside}`
}
