/** Lamps beside what explain says of the same domain: the two may never disagree. */
import { expect } from 'vitest'
import type { ExplainedComponent, ExplainedDomain } from '../../src/features/explain/explained.ts'
import { LAMPS, type LampName, type LampState, LETTERS, stateOf } from '../../src/features/lamps/states.ts'
import type { readDomainLamps, LampTable } from '../../src/features/lamps/read-lamps.ts'
import type { Client } from './client.ts'

export type DomainLamps = Awaited<ReturnType<typeof readDomainLamps>>

export const tableOf = async (call: Client): Promise<LampTable> =>
  (await call('GET', '/api/domains/lamps')).body as unknown as LampTable

export async function lettersOf(call: Client, id: number): Promise<string> {
  const row = (await tableOf(call)).rows.find(([domain_id]) => domain_id === id)
  expect(row, `a row of ${id}`).toBeDefined()
  return row![2]
}

/** One letter of a row. */
export const letterOf = async (call: Client, id: number, lamp: LampName): Promise<string> =>
  (await lettersOf(call, id))[LAMPS.indexOf(lamp)]!

async function wordsOf(call: Client, id: number): Promise<DomainLamps> {
  const { status, body } = await call('GET', `/api/domains/${id}/lamps`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as DomainLamps
}

/** What a lamp may show where explain says so of a component; null: nothing of the domain is there. */
function saidBy({ agrees, cause, condition }: ExplainedComponent): readonly (LampState | null)[] {
  if (agrees === null || condition.status === 'unknown') return ['unknown']
  const reason = condition.status === 'false' ? condition.reason : 'drifting'
  if (cause !== null) return [stateOf(cause, reason)]
  if (condition.reason === 'not_rendered') return [null]
  if (condition.status === 'false') return [stateOf(null, reason), 'differs']
  return condition.reason === 'pending_deploy' ? ['pending', 'true'] : ['true', null]
}

/** Looks at the world for explain, and then asks for the lamps: each key says the same in both, and row and words agree. */
export async function expectOneVerdict(call: Client, id: number): Promise<string> {
  const { body } = await call('GET', `/api/domains/${id}/explain`)
  const words = await wordsOf(call, id)
  for (const component of (body as unknown as ExplainedDomain).components) {
    const parts = words.lamps.flatMap((lamp) => lamp.parts.filter(({ source }) => source === component.key))
    const state = parts[0]?.state ?? null
    expect(saidBy(component), `${component.key}: ${JSON.stringify({ component, parts })}`).toContain(state)
  }
  const letters = await lettersOf(call, id)
  expect(words.lamps.map(({ letter }) => letter).join('')).toBe(letters)
  for (const { letter, state } of words.lamps) expect(letter).toBe(LETTERS[state])
  return letters
}
