/** What a press writes beside the thing that its button stands at: a part is put back whole. Pure. */
import type { Act } from '../../api/types.ts'
import { componentWords, count } from '../words.ts'

/** The part that a press puts back; null where it is none of these. */
export const componentOf = ({ id, body }: Pick<Act, 'id' | 'body'>): string | null =>
  id === 'repair' && body !== null && 'component' in body ? String(body['component']) : null

/**
 * @param acts of the card @param all how many differences the part has that the card is of
 * @return null where the press writes no more than the card says, or there is none
 */
export function writesMore(acts: readonly Pick<Act, 'id' | 'body' | 'label'>[], all: number): string | null {
  const repair = acts.find((act) => componentOf(act) !== null)
  if (repair === undefined || all < 2) return null
  const { title, detail } = componentWords(componentOf(repair)!)
  const whole = [title, detail].filter(Boolean).join(' ')
  return `${repair.label.replace(/…$/, '')} writes all that differs in ${whole}: this and ${count(all - 1, 'other')}.`
}
