/** The moments of an examination: in which order worlds speak, what is asked when, and what a refusal leaves of it. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { Api, ApiRequest } from '../../src/cli/api.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { examine } from '../../src/doctor/examine.ts'
import { good } from '../../src/doctor/finding.ts'
import { readSettings } from '../../src/doctor/settings.ts'
import type { World } from '../../src/doctor/world.ts'
import { WORLDS } from '../../src/doctor/worlds.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { told } from './told.ts'
import { newFolder } from '../kit/new-folder.ts'

let data_dir: string
beforeEach(() => (data_dir = newFolder('examine')))

const load = () => loadConfig({ PLUMBLINE_DATA_DIR: data_dir })
const withDatabase = () => writeFileSync(join(data_dir, 'plumbline.db'), '')

/** Answers each path with itself; `/no` is a problem. */
function listening(events: string[]): () => Promise<Api> {
  return async () => {
    events.push('opened')
    return {
      where: 'a test',
      async call({ method, path }: ApiRequest) {
        events.push(`${method} ${path}`)
        return path === '/no'
          ? { status: 503, headers: {}, body: { detail: 'the proxy sleeps' } }
          : { status: 200, headers: {}, body: path }
      },
      async close() {
        events.push('closed')
      },
    }
  }
}

const world = (name: string, path = `/${name}`): World => ({
  beside: async () => [good(name, 'beside')],
  asked: async (ask) => [good(name, await ask<string>(path))],
  afterwards: async () => [good(name, 'afterwards')],
})

async function examined(worlds: readonly World[], open: () => Promise<Api>): Promise<readonly string[]> {
  const [node, settings, ...found] = await examine(load, open, worlds)
  expect([node?.check, settings?.check]).toEqual(['node', 'settings'])
  return found.map(told)
}

it('all worlds speak in their order at one moment before the next comes', async () => {
  withDatabase()
  const events: string[] = []
  expect(await examined([world('a'), {}, world('b')], listening(events))).toEqual([
    'good a: beside',
    'good b: beside',
    'good a: /a',
    'good b: /b',
    'good a: afterwards',
    'good b: afterwards',
  ])
  expect(events).toEqual(['opened', 'GET /a', 'GET /b', 'closed'])
})

it('without a database nobody is asked, and nothing is opened that would make one', async () => {
  const events: string[] = []
  expect(await examined([world('a')], listening(events))).toEqual(['good a: beside'])
  expect(events).toEqual([])
  expect(readdirSync(data_dir)).toEqual([])
})

it.each([
  ['is refused an answer', (events: string[]) => listening(events), ['opened', 'GET /no', 'closed']],
  [
    'cannot open the API',
    () => async () => {
      throw new Failure('component_unavailable', 'the proxy sleeps')
    },
    [],
  ],
])('who %s is told so, with the database looked at all the same', async (_, opening, wanted) => {
  withDatabase()
  const events: string[] = []
  expect(await examined([world('a', '/no')], opening(events))).toEqual([
    'good a: beside',
    'bad database and API: the proxy sleeps → Read the message; the log says more.',
    'good a: afterwards',
  ])
  expect(events).toEqual(wanted)
})

it('one refused answer takes nothing from the other worlds; where nobody answers nobody is asked again', async () => {
  withDatabase()
  const refusal = 'bad database and API: the proxy sleeps → Read the message; the log says more.'
  const asked = (lines: readonly string[]) => lines.filter((line) => !/beside|afterwards/.test(line))
  const worlds = [world('a'), world('b', '/no'), world('c')]
  expect(asked(await examined(worlds, listening([])))).toEqual(['good a: /a', refusal, 'good c: /c'])
  const gone = async (): Promise<Api> => ({
    where: 'a test',
    call: () => Promise.reject(new Failure('component_unavailable', 'the proxy sleeps')),
    close: async () => {},
  })
  expect(asked(await examined(worlds, gone))).toEqual([refusal])
})

it('a surprise is not made a finding, and the API is closed', async () => {
  withDatabase()
  const events: string[] = []
  const broken: World = { asked: () => Promise.reject(new TypeError('a bug')) }
  await expect(examined([broken], listening(events))).rejects.toThrow('a bug')
  expect(events).toEqual(['opened', 'closed'])
})

it('every world of the list looks at something, and none is listed twice', () => {
  expect(WORLDS.filter((one) => Object.keys(one).length === 0)).toEqual([])
  expect(new Set(WORLDS).size).toBe(WORLDS.length)
})

it('settings are told valid, doubted or wrong, a line each', () => {
  const valid = load()
  expect(readSettings(() => ({ ...valid, warnings: ['A is unwise.'] })).findings.map(told)).toEqual([
    'good settings: valid',
    'warning settings: A is unwise. → Change it when you can.',
  ])
  const { sources } = valid
  const given = { ...sources, API_KEY: 'environment', PLUMBLINE_SMTP_PASSWORD: 'environment' } as const
  expect(readSettings(() => ({ ...valid, sources: given })).findings.map(told)).toEqual([
    'good settings: valid',
    expect.stringMatching(
      /^warning secrets: API_KEY, PLUMBLINE_SMTP_PASSWORD are given by the environment, .*\/proc.* → .*API_KEY_FILE=PATH/,
    ),
  ])
  const filed = { ...sources, API_KEY: 'file', PLUMBLINE_LISTEN: 'environment' } as const
  expect(readSettings(() => ({ ...valid, sources: filed })).findings.map(told)).toEqual([
    'good settings: valid',
  ])
  const wrong = readSettings(() => {
    throw new Failure('bad_configuration', 'A is wrong.\nB is wrong.')
  })
  expect(wrong.config).toBeNull()
  expect(wrong.findings.map(told)).toEqual([
    'bad settings: A is wrong. → Correct the setting and try again.',
    'bad settings: B is wrong. → Correct the setting and try again.',
  ])
})
