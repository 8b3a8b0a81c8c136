/** What a press writes beside the thing that its button stands at: a part is put back whole. Pure. */
import type { Act, Difference } from '../../api/types.ts'
import { componentWords, count } from '../words.ts'
import { isDrift } from './follows.ts'

const componentOf = ({ id, body }: Pick<Act, 'id' | 'body'>): string | null =>
  id === 'repair' && body !== null && 'component' in body ? String(body['component']) : null

type One = Pick<Difference, 'cause' | 'item'> & { readonly noise?: boolean }

/**
 * @param acts of the card @param all every difference of the part that it is of
 * @return null where the press writes no more than the card says, or there is none
 */
export function writesMore(
  acts: readonly Pick<Act, 'id' | 'body' | 'label'>[],
  all: readonly One[],
): string | null {
  const repair = acts.find((act) => componentOf(act) !== null)
  const others = all.filter(isDrift).length - 1
  if (repair === undefined || others < 1) return null
  const { title, detail } = componentWords(componentOf(repair)!)
  const whole = [title, detail].filter(Boolean).join(' ')
  return `${repair.label.replace(/…$/, '')} writes all that differs in ${whole}: this and ${count(others, 'other')}.`
}
