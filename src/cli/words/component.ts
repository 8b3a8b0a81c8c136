/** A component as somebody names it on a command line. */
import { didYouMean } from '../../kernel/text/nearest.ts'
import { COMPONENTS } from '../../model/component.ts'
import { Misuse } from '../misuse.ts'

/** Throws Misuse with all there are, and the nearest. */
export function assertComponent(word: string): void {
  if (COMPONENTS.some((one) => one === word)) return
  throw new Misuse(
    `"${word.slice(0, 40)}" is no component: say one of ${COMPONENTS.join(', ')}.${didYouMean(word, COMPONENTS)}`,
  )
}
