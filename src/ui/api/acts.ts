/** What can be done about a thing, as the API offers it; and the same as a change that is planned first. */
import { invalidate } from './cache.ts'
import { call } from './client.ts'
import type { Fault } from './fault.ts'
import type { Change } from './plans.ts'
import type { Act } from './types.ts'

/** Null for one that only looks: nothing has to be planned for it. */
export function changeOf({ method, path, body, confirm }: Act): Change | null {
  if (confirm === 'none' || method === 'GET') return null
  if (confirm === 'plan') return { kind: 'plan', path, body: body ?? {} }
  return { kind: 'call', method, path, ...(body !== null && { body }) }
}

export async function look({ method, path, body }: Act): Promise<Fault | null> {
  const answer = await call({ method, path, ...(body !== null && { body }) })
  invalidate('all')
  return answer.ok ? null : answer.fault
}

/** The first of each, in the order in which they were given. */
export const distinctActs = (acts: readonly Act[]): readonly Act[] => [
  ...new Map(acts.map((act) => [`${act.method} ${act.path} ${JSON.stringify(act.body)}`, act])).values(),
]
