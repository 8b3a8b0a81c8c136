/** What a person opens by the rules. */
import { useResource } from '../../api/cache.ts'
import type { Access } from '../../api/types.ts'

const accessOf = (username: string): string => `/api/access?user=${encodeURIComponent(username)}`

/** The domains that a person opens by the rules, and those of which that is not known. */
export function useOpenable(username: string) {
  const access = useResource<Access>(accessOf(username)).value
  const entries = access?.entries ?? []
  return {
    isKnown: access !== undefined && access.rules !== null && access.people,
    opens: entries.filter(({ can_open }) => can_open === true),
    /** What is open to all stays open to them, too. */
    signed_in: entries.filter(({ can_open, policy }) => can_open === true && policy !== 'bypass'),
    unknown: entries.filter(({ can_open }) => can_open === null).length,
  }
}
