/** How far the reconciler may go on its own. What a caller asks for is done in every mode but `suspend`. */
export const MODES = ['repair', 'observe', 'suspend'] as const
export type Mode = (typeof MODES)[number]

/** The more careful of two modes: suspend before observe before repair. */
export const moreCareful = (a: Mode, b: Mode): Mode => (MODES.indexOf(a) > MODES.indexOf(b) ? a : b)
