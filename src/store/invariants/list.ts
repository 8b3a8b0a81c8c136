/** All rules, in the order in which they are told. */
import { DOMAIN_RULES } from './domains.ts'
import { ENGINE_RULES } from './engine.ts'
import { FILE_RULES } from './file.ts'
import { LEDGER_RULES } from './ledgers.ts'
import { RELEASE_RULES } from './releases.ts'
import type { Rule } from './rule.ts'

export const INVARIANT_RULES: readonly Rule[] = [
  ...FILE_RULES,
  ...DOMAIN_RULES,
  ...RELEASE_RULES,
  ...ENGINE_RULES,
  ...LEDGER_RULES,
]
