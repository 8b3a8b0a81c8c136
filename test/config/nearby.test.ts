/** What a command reads of the settings before it reads the settings: the same as they say, or nothing. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { API_KEY, DATA_DIR, nearby } from '../../src/config/nearby.ts'
import { http } from '../../src/config/sections/http.ts'
import { store } from '../../src/config/sections/store.ts'
import { newFolder } from '../kit/new-folder.ts'

const folder = newFolder('nearby')

const secret = join(folder, 'API_KEY')
writeFileSync(secret, 'from-a-file-of-its-own\n')

it('is named and has its default as the settings have it', () => {
  expect(DATA_DIR).toEqual({ name: store.data_dir.name, default: store.data_dir.default })
  expect(API_KEY).toEqual({ name: http.api_key.name, secret: http.api_key.secret })
})

describe('says what the settings say', () => {
  it.each([
    [{}],
    [{ PLUMBLINE_DATA_DIR: 'other', API_KEY: 'a-key-of-the-environment' }],
    [{ PLUMBLINE_DATA_DIR: '  ', API_KEY: '' }],
    [{ API_KEY_FILE: secret, API_KEY: 'less' }],
    [{ CREDENTIALS_DIRECTORY: folder }],
  ])('%j', (env) => {
    const { settings, sources } = loadConfig({ ...env })
    const near = nearby({ ...env })
    expect(near?.data_dir).toBe(resolve(settings.store.data_dir))
    expect(near?.is_named).toBe(sources[DATA_DIR.name] !== 'default')
    expect(near?.api_key?.reveal()).toBe(settings.http.api_key?.reveal())
  })
})

it.each([
  [{ API_KEY: 'with a blank' }],
  [{ API_KEY_FILE: join(folder, 'missing') }],
  [{ PLUMBLINE_DATA_DIR: 'a\u0007b' }],
])('leaves it to the settings to say what is wrong: %j', (env) => {
  expect(nearby({ ...env })).toBeNull()
  expect(() => loadConfig({ ...env })).toThrow()
})

it('leaves the secret where it was: the settings may still be read', () => {
  const env = { API_KEY: 'a-key-of-the-environment' }
  nearby(env)
  expect(env.API_KEY).toBe('a-key-of-the-environment')
})
