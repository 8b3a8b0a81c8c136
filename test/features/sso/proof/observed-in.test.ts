/** What proofs come to, where several routes are not proven closed for several reasons. */
import { expect, it } from 'vitest'
import { observedIn } from '../../../../src/features/sso/proof/target.ts'
import type { ProvenRoute } from '../../../../src/features/sso/proof/provable.ts'
import type { Proof } from '../../../../src/features/sso/service.ts'

const route = (domain: string, domain_id: number) => ({ domain, domain_id }) as unknown as ProvenRoute
const seen = (result: Proof['result'], evidence: string): Proof => ({ result, evidence, at: 0 })

async function detailOf(proofs: Readonly<Record<string, Proof>>): Promise<string | null> {
  const names = Object.keys(proofs)
  const found = await observedIn(
    {
      clock: { now: () => 0 } as never,
      store: { intent: async () => ({}), of: () => ({ quarantine: async () => [] }) } as never,
      routesOf: () => names.map(route),
    },
    new Map(Object.entries(proofs)),
  )
  return found.known ? null : found.detail
}

it('content is told before a fault, and of which route it was seen', async () => {
  const detail = await detailOf({
    'a.example.com': seen('unknown', 'it answers 502'),
    'b.example.com': seen('suspect', 'it answers 200 with content'),
  })
  expect(detail).toBe(
    'a.example.com, b.example.com: not proven to be closed to whoever has not signed in: it answers 200 with content (b.example.com).',
  )
})

it('one alone is not named twice, and an open one is known', async () => {
  expect(await detailOf({ 'a.example.com': seen('unknown', 'it answers 502') })).toBe(
    'a.example.com: not proven to be closed to whoever has not signed in: it answers 502.',
  )
  expect(await detailOf({ 'a.example.com': seen('open', 'content') })).toBeNull()
})
