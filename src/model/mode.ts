/** How far the reconciler may go on its own. What a caller asks for is done in every mode but `suspend`. */
export const MODES = ['repair', 'observe', 'suspend'] as const
export type Mode = (typeof MODES)[number]

/** The more careful of two modes: suspend before observe before repair. */
export const moreCareful = (a: Mode, b: Mode): Mode => (MODES.indexOf(a) > MODES.indexOf(b) ? a : b)

/** What is set for a scope: a component, or `*` for everything. */
export interface SetMode {
  readonly scope: string
  /** What it was set over, newest first. */
  readonly below?: readonly { readonly mode: string }[] | undefined
}

/** The command that ends a mode. `resume` brings back what stands below it, and is refused where the mode has no end. */
export function modeEndCommand({ scope, below = [] }: SetMode): string {
  const words = (below[0]?.mode ?? 'repair') === 'repair' ? 'set repair' : 'resume'
  return `plumbline mode ${words}${scope === '*' ? '' : ` ${scope}`}`
}
