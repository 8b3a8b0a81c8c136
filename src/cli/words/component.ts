/** A component as somebody names it on a command line. */
import { didYouMean } from '../../kernel/text/nearest.ts'
import { COMPONENTS } from '../../model/component.ts'
import { Misuse } from '../misuse.ts'

const MAX_SHOWN = 100
const cut = (word: string): string => (word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word)

/** Throws Misuse with all there are, and the nearest. */
export function assertComponent(word: string): void {
  if (COMPONENTS.some((one) => one === word)) return
  throw new Misuse(
    `"${cut(word)}" is no component: say one of ${COMPONENTS.join(', ')}.${didYouMean(word, COMPONENTS)}`,
  )
}
