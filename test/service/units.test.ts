/** The units: what systemd itself says of them, what they hold of the settings, and that nobody's file is written over. */
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { checkUnits, install, serviceFacts, signed } from '../../src/service/service.ts'
import { type ServiceFacts, SERVICE, unitFiles } from '../../src/service/unit.ts'
import { writtenFolders } from '../../src/wiring.ts'
import { describePeers } from '../peers/peers.ts'
import { newFolder } from '../kit/new-folder.ts'

let folder: string
beforeEach(() => {
  folder = newFolder('units')
})

const PROGRAM = {
  node: process.execPath,
  flags: ['--max-semi-space-size=8'],
  main: '/opt/plumbline/src/main.ts',
  directory: '/opt/plumbline',
}
const WANTED = { user: 'plumbline', sso_unit: 'authelia.service' }

/** A folder whose name means something to systemd. */
const ODD = '/srv/5% "mine"/$HOME'

const factsOf = (env: Record<string, string>): ServiceFacts => {
  const config = loadConfig({ PLUMBLINE_DATA_DIR: '/var/lib/plumbline', ...env })
  return serviceFacts(config, PROGRAM, { ...WANTED, writes_in: writtenFolders(config.settings) })
}
const serviceOf = (env: Record<string, string>): readonly string[] =>
  unitFiles(factsOf(env))
    .find(({ name }) => name === SERVICE)!
    .text.split('\n')

describe('what a unit holds', () => {
  it('the folders in which it writes, and no others', () => {
    const lines = serviceOf({
      PLUMBLINE_ROUTES_FILE: '/etc/traefik/dynamic/routes.yml',
      PLUMBLINE_SSO_RULES_FILE: '/etc/authelia/rules.yml',
      PLUMBLINE_SSO_USERS_FILE: '/etc/authelia/users.yml',
      PLUMBLINE_AUTHORIZED_KEYS: '/home/gate/.ssh/authorized_keys',
      PLUMBLINE_ZONEFILE_DIR: '/var/lib/knot/zones',
      PLUMBLINE_ALERT_RULES_FILE: '/etc/prometheus/rules/plumbline.yml',
      PLUMBLINE_ALERT_WATCHDOG_FILE: '/etc/prometheus/watchdog/plumbline.yml',
      PLUMBLINE_ALERTMANAGER_FILE: '/etc/alertmanager/alertmanager.yml',
      PLUMBLINE_ALERT_TEMPLATE_FILE: '/etc/alertmanager/templates/plumbline.tmpl',
      PLUMBLINE_SSH_PROXY_CONFIG: '/home/gate/.ssh/config',
      PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: '/etc/ssh/known_hosts.plumbline',
      // Read alone.
      PLUMBLINE_ACME_STORE: '/etc/acme/acme.json',
    })
    expect(lines.filter((line) => line.startsWith('ReadWritePaths')).toSorted()).toEqual([
      'ReadWritePaths=-/etc/alertmanager',
      'ReadWritePaths=-/etc/alertmanager/templates',
      'ReadWritePaths=-/etc/authelia',
      'ReadWritePaths=-/etc/prometheus/rules',
      'ReadWritePaths=-/etc/prometheus/watchdog',
      'ReadWritePaths=-/etc/ssh',
      'ReadWritePaths=-/etc/traefik/.dynamic.plumbline',
      'ReadWritePaths=-/etc/traefik/dynamic',
      'ReadWritePaths=-/home/gate/.ssh',
      'ReadWritePaths=-/var/lib/knot/zones',
    ])
    expect(lines).toContain('StateDirectory=plumbline')
    expect(lines).toContain('ProtectHome=read-only')
    expect(serviceOf({})).toContain('ProtectHome=yes')
  })

  it('settings as they were typed, whatever is special to systemd in them', () => {
    const lines = serviceOf({ PLUMBLINE_ROUTES_FILE: `${ODD}/routes.yml`, PLUMBLINE_MODE: 'observe' })
    expect(lines).toContain('Environment="PLUMBLINE_MODE=observe"')
    expect(lines).toContain(
      String.raw`Environment="PLUMBLINE_ROUTES_FILE=/srv/5%% \"mine\"/$HOME/routes.yml"`,
    )
    expect(lines).toContain(String.raw`ReadWritePaths=-"/srv/5%% \"mine\"/$HOME"`)
  })

  it('secrets by the name of their file alone; one that stands in the environment is refused', () => {
    const path = join(folder, 'key')
    writeFileSync(path, 'a-key-that-is-long-enough-for-us\n')
    const text = serviceOf({ API_KEY_FILE: path }).join('\n')
    expect(text).toContain(`LoadCredential=API_KEY:${path}`)
    expect(text).not.toContain('a-key-that-is')
    expect(() => factsOf({ API_KEY: 'a-key-that-is-long-enough-for-us' })).toThrow(
      /API_KEY stands in the environment/,
    )
  })

  it('no path that would begin a line of its own', () => {
    const path = join(folder, 'a\nExecStartPre=id')
    writeFileSync(path, 'a-key-that-is-long-enough-for-us\n')
    expect(() => factsOf({ API_KEY_FILE: path })).toThrow(/API_KEY_FILE holds a control character/)
  })

  it('a path unit where the provider is to be restarted by one', () => {
    const units = unitFiles(
      factsOf({ PLUMBLINE_SSO_RULES_FILE: '/etc/authelia/rules.yml', PLUMBLINE_SSO_RESTART: 'systemd-path' }),
    )
    expect(units.map(({ name }) => name)).toEqual([
      SERVICE,
      'plumbline-sso-restart.path',
      'plumbline-sso-restart.service',
    ])
    expect(units[1]!.text).toContain('PathChanged=/etc/authelia/rules.yml')
    expect(units[2]!.text).toContain('systemctl restart authelia.service')
  })
})

describePeers(['systemd-analyze'], 'systemd itself', () => {
  it('verifies them without a word, and finds little that could be reached', async () => {
    const env = {
      PLUMBLINE_ROUTES_FILE: `${ODD}/routes.yml`,
      PLUMBLINE_SSO_RULES_FILE: '/etc/authelia/rules.yml',
      PLUMBLINE_SSO_RESTART: 'systemd-path',
    }
    const verdict = await checkUnits(unitFiles({ ...factsOf(env), directory: folder }))
    expect(verdict!.complaints).toEqual([])
    expect(verdict!.exposure).toBeLessThanOrEqual(1.5)
  })

  it('says what is wrong with one that is', async () => {
    const broken = { name: SERVICE, text: '[Service]\nExecStart=/nowhere/at/all\nNoSuchThing=yes\n' }
    const { complaints } = (await checkUnits([broken]))!
    expect(complaints.join('\n')).toMatch(/NoSuchThing/)
    expect(complaints.join('\n')).toMatch(/\/nowhere\/at\/all/)
  })
})

it('an older systemd that weighs nothing says nothing of the exposure', async () => {
  const script = '#!/bin/sh\n[ "$1" = verify ] || { echo "unrecognized option" >&2; exit 1; }\n'
  writeFileSync(join(folder, 'systemd-analyze'), script, { mode: 0o755 })
  vi.stubEnv('PATH', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await checkUnits([{ name: SERVICE, text: '' }])).toEqual({ complaints: [], exposure: null })
})

describe('installing', () => {
  const units = [{ name: SERVICE, text: '[Unit]\nDescription=one\n' }]
  const path = () => join(folder, SERVICE)

  it('writes what is new, and nothing a second time', () => {
    expect(install(units, folder)).toEqual([SERVICE])
    expect(readFileSync(path(), 'utf8')).toBe(signed(units[0]!.text))
    expect(install(units, folder)).toEqual([])
    expect(install([{ name: SERVICE, text: '[Unit]\nDescription=two\n' }], folder)).toEqual([SERVICE])
    expect(readdirSync(folder)).toEqual([SERVICE])
  })

  it.each([
    ['a stranger’s', () => writeFileSync(path(), '[Unit]\n')],
    ['changed by hand', () => writeFileSync(path(), `${signed(units[0]!.text)}Nice=5\n`)],
  ])('leaves alone one that is %s', (_, change) => {
    change()
    const before = readFileSync(path(), 'utf8')
    expect(() => install(units, folder)).toThrow(/not written by this command, or was changed by hand/)
    expect(readFileSync(path(), 'utf8')).toBe(before)
  })

  it('writes through no link that somebody put there', () => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'theirs')
    symlinkSync(victim, join(folder, `${SERVICE}.partial`))
    expect(install([{ name: SERVICE, text: '[Unit]\nDescription=linked\n' }], folder)).toEqual([SERVICE])
    expect(readFileSync(victim, 'utf8')).toBe('theirs')
    rmSync(victim)
  })

  it('names what is in the way of writing', () => {
    expect(() => install(units, join(folder, 'nowhere'))).toThrow(/cannot be written \(ENOENT\)/)
  })
})
