/** Settings of what runs in the network: Docker hosts, controllers and their certificates. */
import { describe, expect, it } from 'vitest'
import {
  controllers,
  dockerHosts,
  fingerprints,
  showControllers,
  showDockerHosts,
} from '../../../src/features/discovery/settings/kinds.ts'
import { loadConfig } from '../../../src/settings-wiring.ts'
import type { Failure } from '../../../src/kernel/failure.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { guestsInMemory } from '../../fakes/proxmox/guest-memory.ts'
import { discoverySources } from '../../../src/features/discovery/sources.ts'

const wordsOf = (
  result: ReturnType<typeof dockerHosts.safeParse> | ReturnType<typeof controllers.safeParse>,
): string => (result.success ? 'good' : (result.error.issues[0]?.message ?? ''))

describe('Docker hosts', () => {
  it.each([
    [
      'hub=unix:/var/run/docker.sock',
      { name: 'hub', socket_path: '/var/run/docker.sock', url: null, address: null },
    ],
    [
      'hub=unix:///run/docker.sock@192.168.1.10',
      { name: 'hub', socket_path: '/run/docker.sock', url: null, address: '192.168.1.10' },
    ],
    [
      'nas=tcp://192.168.1.9:2375',
      { name: 'nas', socket_path: null, url: 'http://192.168.1.9:2375', address: '192.168.1.9' },
    ],
    [
      'nas=http://proxy.lan:2375/docker@nas.lan',
      { name: 'nas', socket_path: null, url: 'http://proxy.lan:2375/docker', address: 'nas.lan' },
    ],
    [
      'six=tcp://[2001:db8::9]:2375',
      { name: 'six', socket_path: null, url: 'http://[2001:db8::9]:2375', address: '2001:db8::9' },
    ],
  ])('%s', (text, host) => {
    expect(dockerHosts.parse(text)).toEqual([host])
    expect(dockerHosts.parse(showDockerHosts([host]))).toEqual([host])
  })

  it.each([
    ['/var/run/docker.sock', /name of your choice/],
    ['hub=', /name of your choice/],
    ['hub=unix:docker.sock', /absolute path/],
    ['hub=ssh://nas', /absolute path/],
    ['hub=tcp://user:pass@nas:2375', /not a host name or address/],
    ['hub=unix:/a,hub=unix:/b', /one name twice/],
    ['h_b=unix:/a', /name of your choice/],
  ])('%s is refused', (text, words) => {
    const said = wordsOf(dockerHosts.safeParse(text))
    expect(said).toMatch(words)
    expect(said).not.toContain('pass@')
  })
})

describe('controllers', () => {
  it('are named addresses', () => {
    const parsed = controllers.parse('home=https://192.168.1.1/, office=https://unifi.example.com:8443')
    expect(showControllers(parsed)).toBe('home=https://192.168.1.1,office=https://unifi.example.com:8443')
  })

  it.each(['https://192.168.1.1', 'home=192.168.1.1', 'home=https://a/?key=1', 'home=https://u:p@a'])(
    '%s is refused',
    (text) => expect(controllers.safeParse(text).success).toBe(false),
  )

  it('are pinned by the digits that openssl prints', () => {
    const shown = `home=${'AB:'.repeat(31)}CD`
    expect(fingerprints.parse(shown)).toEqual([{ name: 'home', sha256: `${'ab'.repeat(31)}cd` }])
    expect(fingerprints.safeParse('home=abcd').success).toBe(false)
  })

  const openedWith = (env: Readonly<Record<string, string>>) => {
    const { settings } = loadConfig({ PLUMBLINE_UNIFI_URL: 'home=https://a,office=https://b', ...env })
    return discoverySources(settings, { clock: systemClock, memoryOf: guestsInMemory })
  }
  it.each<[string, Readonly<Record<string, string>>, RegExp | null]>([
    ['one key for all', { PLUMBLINE_UNIFI_API_KEY: 'abc==' }, null],
    ['a key each', { PLUMBLINE_UNIFI_API_KEY: 'home=abc==,office=def' }, null],
    ['a key for one alone', { PLUMBLINE_UNIFI_API_KEY: 'home=abc' }, /office has no credential/],
    [
      'a key for one, a login for the other',
      { PLUMBLINE_UNIFI_API_KEY: 'home=abc', PLUMBLINE_UNIFI_USER: 'u', PLUMBLINE_UNIFI_PASSWORD: 'p' },
      null,
    ],
    ['a user alone', { PLUMBLINE_UNIFI_USER: 'u' }, /home has no credential/],
    ['nothing', {}, /home has no credential/],
  ])('with %s', async (_what, env, words) => {
    const refusal = (() => {
      try {
        return openedWith(env)
      } catch (error) {
        return error as Failure
      }
    })()
    if (words === null) await (refusal as ReturnType<typeof openedWith>).stop()
    else
      expect(refusal).toMatchObject({
        code: 'bad_configuration',
        message: expect.stringMatching(words) as string,
      })
  })
})
