/** The modes of the reconciler, and what people are told of one. */
import { asSentence } from '../kernel/text/sentence.ts'
import { shellWord } from '../kernel/text/shell-word.ts'

/** How far the reconciler may go on its own. What a caller asks for is done in every mode but `suspend`. */
export const MODES = ['repair', 'observe', 'suspend'] as const
export type Mode = (typeof MODES)[number]

/** The more careful of two modes: suspend before observe before repair. */
export const moreCareful = (a: Mode, b: Mode): Mode => (MODES.indexOf(a) > MODES.indexOf(b) ? a : b)

/** In a sentence about something that differs. Whoever adds to such a sentence looks whether it says so already. */
export const ONLY_REPORTS = 'mode only reports it'

export const suspendedWords = (component: string, reason: string): string =>
  `${beginsSuspended(component)}${asSentence(reason)}`

/** Whether a message about a component is that of its suspension, and not what was seen of it meanwhile. */
export const isSuspendedWords = (component: string, message: string): boolean =>
  message.startsWith(beginsSuspended(component))

const beginsSuspended = (component: string): string => `${component} is suspended: `

/** What is set for a scope: a component, or `*` for everything. */
export interface SetMode {
  readonly scope: string
  /** What it was set over, newest first. */
  readonly below?: readonly { readonly mode: string }[] | undefined
}

/** The command that ends a mode. `resume` brings back what stands below it, and is refused where the mode has no end. */
export function modeEndCommand({ scope, below = [] }: SetMode): string {
  const words = (below[0]?.mode ?? 'repair') === 'repair' ? 'set repair' : 'resume'
  return `plumbline mode ${words}${scope === '*' ? '' : ` ${shellWord(scope)}`}`
}
