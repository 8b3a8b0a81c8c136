/** Settings of Proxmox VE: clusters with the port of its API, and tokens, one for all or one for each. */
import { describe, expect, it } from 'vitest'
import { clusters, showControllers, tokensIn } from '../../../../src/features/discovery/settings/kinds.ts'
import { loadConfig } from '../../../../src/settings-wiring.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { guestsInMemory } from '../../../fakes/proxmox/guest-memory.ts'
import type { Failure } from '../../../../src/kernel/failure.ts'
import { discoverySources } from '../../../../src/features/discovery/sources.ts'

describe('clusters', () => {
  it.each([
    ['home=https://192.168.1.5', 'home=https://192.168.1.5:8006'],
    ['home=https://192.168.1.5:8006/', 'home=https://192.168.1.5:8006'],
    ['home=https://pve.example.com:443', 'home=https://pve.example.com'],
    ['home=https://[2001:db8::5]', 'home=https://[2001:db8::5]:8006'],
    ['a=https://a,b=https://b:8443', 'a=https://a:8006,b=https://b:8443'],
  ])('%s', (text, shown) => expect(showControllers(clusters.parse(text))).toBe(shown))

  it.each(['https://192.168.1.5', 'home=192.168.1.5', 'a=https://a,a=https://b'])('%s is refused', (text) =>
    expect(clusters.safeParse(text).success).toBe(false),
  )
})

const TOKEN = 'monitor@pve!plumbline=8f1c6f0e-canary'

it.each<[string, unknown]>([
  [TOKEN, [{ name: null, token: TOKEN }]],
  [
    `home=${TOKEN}, office=root@pam!x=y=`,
    [
      { name: 'home', token: TOKEN },
      { name: 'office', token: 'root@pam!x=y=' },
    ],
  ],
  ['monitor@pve', null],
  ['monitor@pve!plumbline', null],
  ['8f1c6f0e', null],
  ['PVEAPIToken=monitor@pve!x=y z', null],
])('the token %s', (text, read) => expect(tokensIn(text)).toEqual(read))

const failureOf = (make: () => unknown): Failure => {
  try {
    make()
  } catch (error) {
    return error as Failure
  }
  throw new Error('nothing was refused')
}

it('a token of another form is refused at the start, and not repeated', () => {
  const refusal = failureOf(() => loadConfig({ PLUMBLINE_PROXMOX_TOKEN: 'canary-without-user' }))
  expect(refusal.message).toContain('user@realm!id=secret')
  expect(refusal.message).not.toContain('canary')
})

it('a cluster without a token is named', async () => {
  const open = (token: string) =>
    discoverySources(
      loadConfig({ PLUMBLINE_PROXMOX: 'a=https://a,b=https://b', PLUMBLINE_PROXMOX_TOKEN: token }).settings,
      { clock: systemClock, memoryOf: guestsInMemory },
    )
  expect(failureOf(() => open(`a=${TOKEN}`))).toMatchObject({
    code: 'bad_configuration',
    message: expect.stringMatching(/cluster b has no token/) as string,
  })
  await open(TOKEN).stop()
  await open(`a=${TOKEN},b=${TOKEN}`).stop()
})
