/** What people are shown of the settings. */
import { describe as suite, expect, it } from 'vitest'
import { describe, settingsTable } from '../../src/config/describe.ts'
import { loadConfig } from '../../src/config/load.ts'
import { ALL } from '../../src/config/sections.ts'

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

  it('hide secrets', () => {
    expect(named('API_KEY')).toMatchObject({ value: '[hidden]', source: 'environment' })
    expect(named('PLUMBLINE_PROXY_SECRET')).toMatchObject({ value: null })
    expect(JSON.stringify(shown)).not.toContain('canary')
  })
})

suite('the table of settings', () => {
  it('has a row of three cells for each setting, and names the file twins of secrets', () => {
    const [head, rule, ...rows] = settingsTable().trimEnd().split('\n')
    expect(head).toBe('| Setting | Default | Meaning |')
    expect(rule).toMatch(/^(\| --- ){3}\|$/)
    expect(rows).toHaveLength(ALL.length)
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(4)
    expect(settingsTable()).toContain('| `API_KEY`, `API_KEY_FILE` |')
    expect(settingsTable()).toContain('`traefik/routes.yml` in `PLUMBLINE_DATA_DIR`')
  })
})
