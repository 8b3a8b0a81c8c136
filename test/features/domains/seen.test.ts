/** What is suspended is compared when somebody asks, and what that comparison does not know stays unknown. */
import { expect, it } from 'vitest'
import type { Api } from '../../../src/cli/api.ts'
import { knownOf, seenNow } from '../../../src/features/domains/command/seen.ts'
import type { PresentedDomain } from '../../../src/features/domains/present.ts'

const APP = { id: 1, domain: 'app.example.com', status: 'active' } as PresentedDomain
const KEY = { component: 'certificates', key: 'cert:app.example.com' }
const SUSPENDED = { ...KEY, domain_id: 1, status: 'unknown', reason: 'suspended', message: '', others: null }

/** @param components as `GET /api/drift` answers them */
const knownWith = async (components: readonly object[]) => {
  const bodies: Readonly<Record<string, unknown>> = {
    '/api/conditions': [SUSPENDED],
    '/api/drift': { components },
    '/api/domains': [APP],
    '/api/control-plane/health': { components: [] },
  }
  const api: Api = {
    where: 'this process',
    call: async ({ path }) => ({ status: 200, headers: {}, body: bodies[path] }),
    close: async () => undefined,
  }
  return knownOf(APP, (await seenNow(api)).seen)
}

it('what is suspended is known by the comparison, and by nothing else', async () => {
  const edited = { domains: [APP.domain], cause: 'edited' }
  expect(await knownWith([{ ...KEY, drift: true, differences: [edited] }])).toMatchObject({
    is_well: false,
    text: 'certificates: edited',
  })
  const unknown = { is_well: false, is_unknown: true, text: 'unknown: certificates: suspended' }
  expect(await knownWith([{ ...KEY, drift: null, differences: [] }]), 'unread').toMatchObject(unknown)
  expect(await knownWith([]), 'not compared').toMatchObject(unknown)
})
