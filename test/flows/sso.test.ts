/** Protected domains from record to rule, middleware and restart, with a provider that reads its file at its start. */
import { expect, it } from 'vitest'
import { createActive } from './test-house.ts'
import { openSsoHouse } from './sso-house.ts'

it('a protected domain is activated: rule and middleware stand, and the provider runs with the rule', async () => {
  await using at = await openSsoHouse({ opened: false })
  await createActive(at.call)
  expect(at.rules()).toContain('- domain: "app.example.com"\n      policy: "one_factor"')
  expect(at.routes()).toContain('plumbline-sso')
  expect(at.authelia.running?.rules.map(({ domain }) => domain)).toEqual([['app.example.com'], []])
  const { body } = await at.call('GET', '/api/drift')
  expect(body['drift']).toBe(false)
})
