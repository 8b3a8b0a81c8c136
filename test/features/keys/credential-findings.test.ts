/** Credentials that are due: each is a finding of its own, also where two have one name. */
import { expect, it } from 'vitest'
import type { Credential } from '../../../src/features/keys/credentials/read.ts'
import { evaluateAges } from '../../../src/features/keys/credentials/findings.ts'

it('two credentials of one name are two findings', () => {
  const due = (id: string): Credential => ({
    kind: 'edge_token',
    id,
    name: 'near',
    state: 'rotation_due',
    since: 0,
    expires_at: null,
    remedy: 'plumbline edges rotate near',
  })
  const found = evaluateAges([due('a'), due('b')], Date.UTC(2026, 10, 23))
  expect(new Set(found.map(({ id }) => id)).size).toBe(2)
})
