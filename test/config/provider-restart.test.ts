/** How the SSO provider is restarted: one way from two settings, and a clear word where they contradict each other. */
import { expect, it } from 'vitest'
import { loadConfig, SECTIONS } from '../../src/settings-wiring.ts'
import { providerRestart } from '../../src/features/sso/provider/restart.ts'

const FILE = { PLUMBLINE_SSO_USERS_FILE: '/etc/authelia/users.yml' }
const of = (restart: string | null, reload: string | null, more: Readonly<Record<string, string>> = FILE) =>
  providerRestart(
    loadConfig({
      ...more,
      ...(restart !== null && { PLUMBLINE_SSO_RESTART: restart }),
      ...(reload !== null && { PLUMBLINE_SSO_USERS_RELOAD: reload }),
    }).settings,
  )

const COMMAND = { way: 'command', command: ['systemctl', 'restart', 'authelia'] }
const NONE = { way: 'none' }
const SYSTEMCTL = 'command:systemctl restart authelia'

it.each<[string | null, string | null, object, boolean]>([
  [null, null, NONE, false],
  [null, 'watch', NONE, false],
  // Only a restart proves that the file was read.
  [SYSTEMCTL, null, COMMAND, true],
  [SYSTEMCTL, 'watch', COMMAND, false],
  [SYSTEMCTL, 'none', COMMAND, false],
  [SYSTEMCTL, 'restart', COMMAND, true],
  ['docker:authelia', 'restart', { way: 'docker', container: 'authelia' }, true],
  ['systemd-path', 'restart', { way: 'watched' }, true],
  // The older spelling.
  [null, SYSTEMCTL, COMMAND, true],
  ['none', SYSTEMCTL, COMMAND, true],
  [SYSTEMCTL, SYSTEMCTL, COMMAND, true],
])('PLUMBLINE_SSO_RESTART=%s with PLUMBLINE_SSO_USERS_RELOAD=%s', (restart, reload, way, for_users) => {
  expect(of(restart, reload)).toEqual({ restart: way, for_users })
})

it.each([
  ['docker:authelia', SYSTEMCTL, /Set PLUMBLINE_SSO_RESTART to it, and this one to restart/],
  ['command:systemctl try-restart authelia', SYSTEMCTL, /in one way, for its users and its rules alike/],
  ['none', 'restart', /PLUMBLINE_SSO_RESTART does not say how/],
])('%s and %s contradict each other', (restart, reload, message) => {
  expect(() => of(restart, reload)).toThrow(message)
  // Where no users are managed it says nothing.
  expect(of(restart, reload, {}).for_users).toBe(false)
})

it('the setting is shown as it was given', () => {
  for (const text of ['watch', 'restart', 'none', SYSTEMCTL]) {
    const { reload } = loadConfig({ PLUMBLINE_SSO_USERS_RELOAD: text }).settings.people
    expect(SECTIONS.people.reload.show(reload)).toBe(text)
  }
})
