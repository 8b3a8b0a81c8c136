/** Credentials that are due: each is a trouble of its own, also where two have one name. */
import { expect, it } from 'vitest'
import type { Credential } from '../../../src/features/keys/credentials/read.ts'
import { credentialTroubles } from '../../../src/features/notifications/troubles/credential-troubles.ts'

it('two credentials of one name are two troubles', () => {
  const due = (id: string): Credential => ({
    kind: 'edge_token',
    id,
    name: 'near',
    state: 'rotation_due',
    since: 0,
    expires_at: null,
    remedy: 'plumbline edges rotate near',
  })
  const troubles = credentialTroubles([due('a'), due('b')], Date.UTC(2026, 10, 23))
  expect(new Set(troubles.map(({ id }) => id)).size).toBe(2)
})
