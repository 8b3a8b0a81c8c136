/** The grammars of single sign-on: what is taken, how it is shown, and what is said of the rest. */
import { describe, expect, it } from 'vitest'
import { loadConfig, SECTIONS } from '../../src/settings-wiring.ts'

const load = (env: Readonly<Record<string, string>>) => loadConfig({ ...env }).settings.sso

describe('PLUMBLINE_SSO_RESTART', () => {
  it.each([
    ['none', { way: 'none' }],
    ['systemd-path', { way: 'watched' }],
    ['docker:authelia_1', { way: 'docker', container: 'authelia_1' }],
    ['command:systemctl restart authelia', { way: 'command', command: ['systemctl', 'restart', 'authelia'] }],
  ])('%s', (text, value) => {
    const { restart } = load({ PLUMBLINE_SSO_RESTART: text })
    expect(restart).toEqual(value)
    expect(SECTIONS.sso.restart.show(restart)).toBe(text)
  })

  it.each([
    ['docker:../x', /must name a container/],
    ['docker:', /must name a container/],
    ['command:', /must be command:PROGRAM/],
    ['command:sh -c "x; y"', /there is no shell/],
    ['systemctl restart authelia', /must be command:PROGRAM/],
  ])('%s is refused', (text, fault) => {
    expect(() => load({ PLUMBLINE_SSO_RESTART: text })).toThrow(fault)
  })
})

it.each([
  [{ PLUMBLINE_AUTHELIA: 'authelia config validate' }, /must have \{file\}/],
  [{ PLUMBLINE_SSO_RULES_FILE: '/etc/authelia/rules.conf' }, /must be the path of a .yml or .yaml file/],
  [{ PLUMBLINE_SSO_RESTART_GAP: '-1' }, /whole number of seconds/],
  [{ PLUMBLINE_SSO_RESTART_GAP: '86400' }, /whole number of seconds/],
  [{ PLUMBLINE_SSO_POLICY: 'bypass' }, /must be one of one_factor, two_factor, deny/],
  [{ PLUMBLINE_SSO_PROBE: 'traefik' }, /must be host:port/],
])('%o is refused', (env, fault) => {
  expect(() => load(env)).toThrow(fault)
})

it('without any of it nothing is set up', () => {
  expect(load({})).toMatchObject({ rules_file: null, probe: null, quarantine: 'off' })
})
