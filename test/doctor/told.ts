/** Findings as lines that a table can hold: `bad DNS zones: what was found → what helps`. */
import type { Finding } from '../../src/cli/verb.ts'

export const told = ({ state, check, detail, remedy }: Finding): string =>
  `${state} ${check}: ${detail}${remedy === null ? '' : ` → ${remedy}`}`
