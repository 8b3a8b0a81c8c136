/**
 * What the provider's own check of its configuration says. Its exit code is not enough: `validate-config` of Authelia 4.37
 * prints its errors and ends well.
 */
import type { Ran } from '../../kernel/run-command.ts'

const TAKEN = 'Configuration parsed and loaded successfully without errors.'

/** `final`: it said no; else it could not be asked or could not look, so there is no telling, and it may be asked again. */
export type CheckResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly final: boolean }

export function checkResult(ran: Ran): CheckResult {
  if (ran.ok && ran.said.includes(TAKEN)) return { ok: true }
  const why = ran.ok ? `the command ended well, but did not say "${TAKEN}"` : ran.why
  const said = ran.output === '' ? '' : ` and said: ${ran.output}`
  return { ok: false, why: `${why}${said}`, final: ran.ok || ran.ended }
}

/** No reader of rules takes this: a check that does is none. */
export const REFUSED_RULES = 'access_control:\n  default_policy: "plumbline-asks-whether-this-is-refused"\n'

/** Every reader of rules takes this: a check that does not could not look. A default of `deny` needs a rule beside it. */
export const TAKEN_RULES =
  'access_control:\n  default_policy: "deny"\n  rules:\n    - domain: "plumbline-asks-whether-this-is-taken.invalid"\n      policy: "deny"\n'
