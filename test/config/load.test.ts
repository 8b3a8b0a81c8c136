/** From an environment to settings: everything works with nothing set, and everything wrong is said at once. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import type { Environment } from '../../src/config/lookup.ts'
import type { ReadFile } from '../../src/config/read-file.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { newFolder } from '../kit/new-folder.ts'

const KEY = 'canary-0123456789abcdef0123456789'

/** A reader of files that exist only here; absent ones are null, as with the real reader. */
const files =
  (contents: Record<string, string>): ReadFile =>
  (path) =>
    contents[path] ?? null

function faultsOf(env: Environment, read: ReadFile = files({})): string[] {
  try {
    loadConfig(env, { read })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(error.code).toBe('bad_configuration')
    const lines = error.message.split('\n')
    expect(error.details.errors).toHaveLength(lines.length)
    return lines
  }
  return []
}

describe('an empty environment', () => {
  it('gives settings that work', () => {
    const { settings, warnings } = loadConfig({})
    expect(warnings).toEqual([])
    expect(settings).toMatchObject({
      http: {
        listen: { host: '127.0.0.1', port: 8080 },
        api_key: null,
        allowed_hosts: [],
        trusted_proxies: [],
      },
      store: { data_dir: resolve('data') },
      engine: { mode: 'repair', public_ip: null },
      routes: {
        file: resolve('data/traefik/routes.yml'),
        traefik_version: [3, 0, 0],
        entrypoints: [
          { name: 'web', port: 80 },
          { name: 'websecure', port: 443 },
        ],
        sso_url: 'http://authelia:9091',
        traefik_api: null,
      },
      log: { level: 'info', format: 'auto' },
    })
  })

  it('is what empty and blank values mean too', () => {
    const env = { PLUMBLINE_LISTEN: '', PLUMBLINE_MODE: '  ', API_KEY: '', PLUMBLINE_CERT_RESOLVER: '\t' }
    expect(loadConfig(env).settings).toEqual(loadConfig({}).settings)
  })
})

describe('settings', () => {
  it('cannot be changed afterwards', () => {
    const { settings } = loadConfig({})
    expect(() => Object.assign(settings.http.listen, { port: 1 })).toThrow(TypeError)
    expect(() => Object.assign(settings.routes.entrypoints, { 0: 'other' })).toThrow(TypeError)
  })

  it('say where they came from', () => {
    const { sources } = loadConfig(
      { PLUMBLINE_MODE: 'observe', API_KEY_FILE: '/key' },
      { read: files({ '/key': KEY }) },
    )
    expect(sources).toMatchObject({
      PLUMBLINE_MODE: 'environment',
      API_KEY: 'file',
      PLUMBLINE_LISTEN: 'default',
    })
  })

  it('resolve a relative path against the working directory, and only the default against the data directory', () => {
    const moved = loadConfig({ PLUMBLINE_DATA_DIR: '/srv/plumbline' }).settings
    expect(moved.routes.file).toBe('/srv/plumbline/traefik/routes.yml')
    const named = { PLUMBLINE_DATA_DIR: '/srv/plumbline', PLUMBLINE_ROUTES_FILE: 'here/routes.yaml' }
    expect(loadConfig(named).settings.routes.file).toBe(resolve('here/routes.yaml'))
  })

  it('are read without the line end that an environment file from Windows leaves', () => {
    expect(loadConfig({ PLUMBLINE_MODE: 'observe\r' }).settings.engine.mode).toBe('observe')
  })
})

describe('a secret', () => {
  const all = { '/run/credentials/API_KEY': `${KEY}-credential\n`, '/key': `${KEY}-file\r\n` }
  const env = () => ({
    CREDENTIALS_DIRECTORY: '/run/credentials',
    API_KEY_FILE: '/key',
    API_KEY: `${KEY}-variable`,
  })

  it('comes from the credential, else from the file, else from the variable', () => {
    const keyOf = (environment: Environment, contents: Record<string, string>) =>
      loadConfig(environment, { read: files(contents) }).settings.http.api_key?.reveal()
    expect(keyOf(env(), all)).toBe(`${KEY}-credential`)
    expect(keyOf(env(), { '/key': all['/key'] })).toBe(`${KEY}-file`)
    expect(keyOf({ API_KEY: `${KEY}-variable` }, {})).toBe(`${KEY}-variable`)
    expect(keyOf({}, {})).toBeUndefined()
  })

  it('is gone from the environment afterwards, also when something was wrong, so that children do not inherit it', () => {
    for (const extra of [{}, { PLUMBLINE_MODE: 'wrong' }]) {
      const read: Environment = { ...env(), PLUMBLINE_PROXY_SECRET: KEY, PATH: process.env['PATH'], ...extra }
      faultsOf(read, files(all))
      expect(JSON.stringify(read)).not.toContain('canary')
      const child = execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], {
        env: read,
        encoding: 'utf8',
      })
      expect(child).not.toContain('canary')
    }
  })

  it('is in no text that the settings are turned into', () => {
    const config = loadConfig({ API_KEY: KEY, PLUMBLINE_PROXY_SECRET: KEY })
    expect(JSON.stringify(config)).not.toContain('canary')
  })

  it('is not shown when it is wrong', () => {
    const lines = faultsOf({ API_KEY: `${KEY} with blanks`, PLUMBLINE_PROXY_SECRET: `${KEY}\u0000` })
    expect(lines).toHaveLength(2)
    expect(lines.join()).not.toContain('canary')
  })

  it('a private address as the public one is taken, and remarked on', () => {
    const warningsOf = (name: string, value: string) => loadConfig({ [name]: value }).warnings
    for (const value of ['192.168.1.10', '10.1.2.3', '172.20.0.1', '100.64.0.9'])
      expect(warningsOf('PLUMBLINE_PUBLIC_IP', value)).toEqual([
        expect.stringContaining(`PLUMBLINE_PUBLIC_IP is ${value}, a private address`),
      ])
    expect(warningsOf('PLUMBLINE_PUBLIC_IPV6', 'fd00::1')).toEqual([expect.stringContaining('private')])
    for (const value of ['198.51.100.7', '2001:db8::7'])
      expect(warningsOf('PLUMBLINE_PUBLIC_IP', value)).toEqual([])
  })

  it('is warned about when it is short, and used', () => {
    const { settings, warnings } = loadConfig({ API_KEY: 'x'.repeat(23) })
    expect(settings.http.api_key?.reveal()).toHaveLength(23)
    expect(warnings).toEqual([expect.stringMatching(/^API_KEY is shorter than 24 characters/)])
    expect(loadConfig({ API_KEY: 'x'.repeat(24) }).warnings).toEqual([])
  })

  it('named by a file that is missing, empty or unreadable is a fault, never a fall-back to something else', () => {
    const fault = (contents: Record<string, string>) =>
      faultsOf({ API_KEY_FILE: '/key', API_KEY: KEY }, files(contents))
    expect(fault({})).toEqual(['API_KEY could not be read: there is no file /key (API_KEY_FILE).'])
    expect(fault({ '/key': '\n' })).toEqual(['API_KEY could not be read: /key is empty.'])
    expect(faultsOf({ API_KEY_FILE: '/' }, undefined)).toEqual([
      expect.stringMatching(/^API_KEY could not be read/),
    ])
  })
})

describe('a secret in a real file', () => {
  const folder = newFolder('config')

  it('is read; a directory and a large file are refused by name', () => {
    const path = join(folder, 'key')
    writeFileSync(path, `${KEY}\n`)
    expect(loadConfig({ API_KEY_FILE: path }).settings.http.api_key?.reveal()).toBe(KEY)
    writeFileSync(path, 'x'.repeat(70_000))
    const faultAt = (file: string) => {
      try {
        return loadConfig({ API_KEY_FILE: file }).sources
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(faultAt(path)).toBe(`API_KEY could not be read from ${path} (is larger than 65536 bytes).`)
    expect(faultAt(folder)).toBe(`API_KEY could not be read from ${folder} (EISDIR).`)
  })
})

describe('what is wrong', () => {
  it('is all said at once, one line each', () => {
    const lines = faultsOf({
      PLUMBLINE_LISTEN: '8080',
      PLUMBLINE_MODE: 'reapir',
      PLUMBLINE_LISTN: 'anything',
      PLUMBLINE_TRAEFIK_VERSION: '2.11',
      PLUMBLINE_DATA_DIR: '/a\u0000b',
    })
    expect(lines).toEqual([
      expect.stringMatching(/^PLUMBLINE_LISTN is not a setting\. Did you mean "PLUMBLINE_LISTEN"/),
      expect.stringMatching(/^PLUMBLINE_LISTEN "8080" must be host:port/),
      expect.stringMatching(/^PLUMBLINE_DATA_DIR .* must not hold control characters\.$/),
      'PLUMBLINE_MODE "reapir" must be one of repair, observe. Did you mean "repair"?',
      expect.stringMatching(/^PLUMBLINE_TRAEFIK_VERSION "2\.11" must be a 3\.x version/),
    ])
  })

  it('is a name that nobody declared, in any case, also the file twin of what is no secret; its value is not shown', () => {
    for (const name of [
      'PLUMBLINE_NONSENSE',
      'plumbline_listen',
      'PLUMBLINE_LISTEN_FILE',
      'PLUMBLINE_API_KEY',
    ]) {
      const lines = faultsOf({ [name]: KEY })
      expect(lines).toEqual([expect.stringContaining(`${name} is not a setting.`)])
      expect(lines.join()).not.toContain('canary')
    }
    expect(faultsOf({ PLUMBLINE_NONSENSE: '' })).toEqual([])
    expect(faultsOf({ PLUMBLINE_PROXY_SECRET_FILE: '/key' }, files({ '/key': KEY }))).toEqual([])
  })
})
