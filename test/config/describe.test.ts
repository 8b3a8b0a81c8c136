/** What people are shown of the settings. */
import { describe as suite, expect, it } from 'vitest'
import { describe, settingsPage } from '../../src/config/describe.ts'
import { ALL, BROUGHT, loadConfig } from '../../src/settings-wiring.ts'

const KEY = 'canary-0123456789abcdef0123456789'

suite('the settings in effect', () => {
  const shown = describe(
    loadConfig({
      API_KEY: KEY,
      PLUMBLINE_LISTEN: '[::1]:9000',
      PLUMBLINE_TRUSTED_NETWORKS: '10.0.0.0/8,fd00::/8',
    }),
  )
  const named = (name: string) => shown.find((entry) => entry.name === name)

  it('name each setting once, with its value as it would be typed and its source', () => {
    expect(shown.map((entry) => entry.name)).toEqual(ALL.map(({ setting }) => setting.name))
    expect(named('PLUMBLINE_LISTEN')).toMatchObject({ value: '[::1]:9000', source: 'environment' })
    expect(named('PLUMBLINE_TRUSTED_NETWORKS')).toMatchObject({ value: '10.0.0.0/8,fd00::/8' })
    expect(named('PLUMBLINE_ENTRYPOINTS')).toMatchObject({ value: 'web=80,websecure=443', source: 'default' })
    expect(named('PLUMBLINE_TRAEFIK_VERSION')).toMatchObject({ value: '3.0.0' })
    expect(named('PLUMBLINE_CERT_RESOLVER')).toMatchObject({ value: null, source: 'default' })
  })

  it('say which need a restart, and what is unwise of one', () => {
    const config = loadConfig({ API_KEY: KEY })
    const unwise = describe({ ...config, warnings: ['PLUMBLINE_LISTEN reaches anybody.'] })
    const listen = unwise.find(({ name }) => name === 'PLUMBLINE_LISTEN')
    expect(listen).toMatchObject({ needs_restart: true, fault: 'PLUMBLINE_LISTEN reaches anybody.' })
    expect(unwise.filter(({ fault }) => fault !== null)).toHaveLength(1)
  })

  it('hide secrets', () => {
    expect(named('API_KEY')).toMatchObject({ value: '[hidden]', source: 'environment' })
    expect(named('PLUMBLINE_PROXY_SECRET')).toMatchObject({ value: null })
    expect(JSON.stringify(shown)).not.toContain('canary')
  })
})

suite('the page of settings', () => {
  const rows = settingsPage(BROUGHT)
    .split('\n')
    .filter((line) => line.startsWith('| `'))

  it('has a row of four cells for each setting, and names the file twins of secrets', () => {
    expect(rows).toHaveLength(ALL.length)
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5)
    const name = (row: string) => /`([A-Z0-9_]+)`/.exec(row)![1]!
    expect(rows.map(name).toSorted()).toEqual(ALL.map(({ setting }) => setting.name).toSorted())
    expect(settingsPage(BROUGHT)).toContain('| `API_KEY`, `API_KEY_FILE` |')
    expect(settingsPage(BROUGHT)).toContain('`traefik/routes.yml` in `PLUMBLINE_DATA_DIR`')
  })

  it('groups them by the feature that brings them', () => {
    const groups = settingsPage(BROUGHT)
      .split(/^## /m)
      .map((group) => group.split('\n')[0]!)
    expect(groups.slice(0, 3)).toEqual([
      '# Settings',
      'The daemon',
      '[routes](../src/features/routes/README.md)',
    ])
    expect(groups).toContain('[notifications](../src/features/notifications/README.md)')
  })

  it('has an example for each that is no secret, and each is a value that is taken', () => {
    const without = ALL.filter(({ setting }) => setting.secret === (setting.example !== null))
    expect(without.map(({ setting }) => setting.name)).toEqual([])
    const refused = ALL.filter(
      ({ setting: { example, schema } }) => example !== null && !schema.safeParse(example).success,
    )
    expect(refused.map(({ setting }) => setting.name)).toEqual([])
    const usual = ALL.filter(({ setting }) => setting.example !== null && setting.example === setting.default)
    expect(usual.map(({ setting }) => setting.name)).toEqual([])
  })
})
