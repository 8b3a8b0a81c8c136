/** The domains that a call is about: the operation names them as it finds them, and the lines of the log about the call do. */
import type { Facts } from '../kernel/log.ts'

/** Of an estate. */
const MAX_NAMED = 20

export class Subjects {
  readonly #domains = new Set<string>()

  add(domain: string | null): void {
    if (domain !== null) this.#domains.add(domain)
  }

  /** `domain`, or `domains` and, where there are more, how many. */
  facts(): Facts {
    const domains = [...this.#domains]
    if (domains.length === 0) return {}
    if (domains.length === 1) return { domain: domains[0] }
    const rest = domains.length > MAX_NAMED ? { domains_in_all: domains.length } : {}
    return { domains: domains.slice(0, MAX_NAMED), ...rest }
  }
}
