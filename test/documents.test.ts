/**
 * What is written about the product is true: the reference of settings and the checked-in OpenAPI document are what the
 * code says. `UPDATE_DOCUMENTS=1` rewrites them; the change then shows in the diff.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { settingsPage } from '../src/config/describe.ts'
import { EXIT } from '../src/cli/exit-codes.ts'
import { VERBS } from '../src/verbs.ts'
import { OFFERED } from '../src/http/openapi/offered.ts'
import { openTestHouse } from './flows/test-house.ts'

const README = new URL('../README.md', import.meta.url)
const SETTINGS = new URL('../schema/settings.md', import.meta.url)
const OPENAPI = new URL('../schema/openapi.json', import.meta.url)
const updating = process.env['UPDATE_DOCUMENTS'] === '1'

it('schema/settings.md lists every setting', () => {
  if (updating) writeFileSync(SETTINGS, settingsPage())
  else expect(readFileSync(SETTINGS, 'utf8')).toBe(settingsPage())
})

it('the README lists every verb and every exit code', () => {
  const text = readFileSync(README, 'utf8')
  for (const { name } of VERBS.filter(({ name }) => name !== 'quickstart'))
    expect(text).toMatch(new RegExp(`\`${name}[ \`]`))
  for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| [0-9, ]*\\b${code}\\b`, 'm'))
})

it('a room that the map of the README names is there', () => {
  const rooms = [...readFileSync(README, 'utf8').matchAll(/`((?:src|test|schema)\/[a-zA-Z0-9/.-]+)`/g)]
  expect(rooms.length).toBeGreaterThan(10)
  const root = new URL('..', import.meta.url).pathname
  expect(rooms.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('a file that a comment names is there', () => {
  const src = new URL('../src', import.meta.url).pathname
  const files = globSync(join(src, '**/*.{ts,mjs}'))
  const gone = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ *(?:\/?\*|\/\/).*$/gm)].flatMap(([comment]) =>
      [...comment.matchAll(/`([a-z][a-z0-9-]*(?:\/[a-z0-9-]+)*\.ts)`/g)]
        .map(([, path]) => path!)
        .filter((path) => !files.some((other) => other.endsWith(`/${path}`)))
        .map((path) => `${file.slice(src.length + 1)}: ${path}`),
    ),
  )
  expect(gone).toEqual([])
})

it('a file or folder that a README of a feature names is there, in the feature, below src or by its whole path', () => {
  const src = new URL('../src', import.meta.url).pathname
  const readmes = globSync(join(src, 'features/**/README.md'))
  expect(readmes.length).toBeGreaterThan(2)
  const gone = readmes.flatMap((readme) =>
    [...readFileSync(readme, 'utf8').matchAll(/`([a-z][a-z0-9-]*(?:\/[a-z0-9-]+)*(?:\.ts|\/))`/g)]
      .map(([, path]) => path!)
      .filter((path) => readme !== join(src, 'features/README.md') || path.includes('src/'))
      .filter((path) => ![dirname(readme), src, dirname(src)].some((base) => existsSync(join(base, path))))
      .map((path) => `${readme.slice(src.length + 1)}: ${path}`),
  )
  expect(gone).toEqual([])
})

/** Without the names that only this installation offers: clients are generated from the file for every one. */
const ofEverybody = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || !(OFFERED in member)) return member
    return Object.fromEntries(Object.entries(member).filter(([name]) => name !== 'enum' && name !== 'not'))
  })

it('schema/openapi.json is what the daemon serves', async () => {
  await using at = await openTestHouse({ opened: false })
  const { body } = await at.call('GET', '/openapi.json')
  const served = `${JSON.stringify(ofEverybody(body), null, 2)}\n`
  if (updating) writeFileSync(OPENAPI, served)
  else expect(readFileSync(OPENAPI, 'utf8')).toBe(served)
})
