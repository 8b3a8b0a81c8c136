/** The order of a certificate, step by step. Pure. */
import type { Lamp } from '../lamps.ts'

export const STEPS = new Map<string, string>([
  ['planned', 'The order is planned'],
  ['ordered', 'The authority has taken the order'],
  ['presented', 'The TXT records stand at the provider'],
  ['propagated', 'Every name server shows them'],
  ['answered', 'The authority was asked to look'],
  ['validated', 'The authority has seen them'],
  ['finalised', 'The authority was asked for the certificate'],
  ['stored', 'Key and chain are written'],
])

export interface OrderStepLine {
  readonly key: string
  readonly lamp: Lamp | 'todo'
  readonly text: string
  readonly took_ms: null
}

/** The steps of the order that runs, up to the last one that is done; none where none runs. */
export function orderSteps(last: string | null): readonly OrderStepLine[] {
  if (last === null || last === 'failed') return []
  const keys = [...STEPS.keys()]
  const at = keys.indexOf(last)
  return keys.map((key, index) => ({
    key,
    lamp: index <= at ? 'ok' : index === at + 1 ? 'moving' : 'todo',
    text: STEPS.get(key)!,
    took_ms: null,
  }))
}
