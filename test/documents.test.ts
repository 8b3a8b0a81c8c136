/**
 * What is written about the product is true: the reference of settings and the checked-in OpenAPI document are what the
 * code says. `UPDATE_DOCUMENTS=1` rewrites them; the change then shows in the diff.
 */
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { settingsPage } from '../src/config/describe.ts'
import { BROUGHT } from '../src/settings-wiring.ts'
import { EXIT } from '../src/cli/exit-codes.ts'
import { FEATURES } from '../src/features.ts'
import { PROVIDER_NAMES } from '../src/features/dns/providers/settings.ts'
import { VERBS } from '../src/verbs.ts'
import { OFFERED } from '../src/http/openapi/offered.ts'
import { consoleTypes } from './documents/console-types.ts'
import { COMPANION_ANSWERS } from './documents/companion-answers.ts'
import { CONSOLE_ANSWERS } from './documents/console-answers.ts'
import { addressesIn, faultsOfReach, readReach } from './documents/console-calls.ts'
import { openTestHouse } from './flows/test-house.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = globSync(['README.md', '{src,schema,test,fixtures}/**/*.md'], { cwd: ROOT }).toSorted()
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')
const SETTINGS = new URL('../schema/settings.md', import.meta.url)
const CONSOLE_TYPES = new URL('../src/ui/api/types.ts', import.meta.url)
const OPENAPI = new URL('../schema/openapi.json', import.meta.url)
const updating = process.env['UPDATE_DOCUMENTS'] === '1'

it('schema/settings.md lists every setting', () => {
  if (updating) writeFileSync(SETTINGS, settingsPage(BROUGHT))
  else expect(readFileSync(SETTINGS, 'utf8')).toBe(settingsPage(BROUGHT))
})

it('the page of the command lists every verb and every exit code', () => {
  const text = readFileSync(new URL('../src/cli/README.md', import.meta.url), 'utf8')
  for (const { name } of VERBS.filter(({ name }) => name !== 'quickstart'))
    expect(text).toMatch(new RegExp(`\`${name}[ \`]`))
  for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| [0-9, ]*\\b${code}\\b`, 'm'))
})

it('the page of DNS has a row of each provider', () => {
  const page = textOf('src/features/dns/README.md')
  expect(PROVIDER_NAMES.filter((name) => !page.includes(`| \`${name}\``))).toEqual([])
})

it('the map names every room', () => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(rooms.length).toBeGreaterThan(10)
  const map = readFileSync(join(ROOT, 'src/README.md'), 'utf8')
  expect(rooms.filter(({ name }) => !map.includes(`| \`src/${name}\` `)).map(({ name }) => name)).toEqual([])
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

/** They name the files that every feature has, wherever it is. */
const OF_ALL_FEATURES = ['src/README.md', 'src/features/README.md']

it('a file or folder that a page names is there: beside the page, below src or test, or by its whole path', () => {
  expect(PAGES.length).toBeGreaterThan(25)
  const gone = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/`((?:[a-z.][a-z0-9-]*\/)*[a-z][a-z0-9-]*(?:(?:\.(?:deep|test))*\.ts|\/))`/g)]
      .map(([, path]) => path!)
      .filter((path) => !OF_ALL_FEATURES.includes(page) || path.slice(0, -1).includes('/'))
      .filter(
        (path) => ![dirname(page), 'src', 'test', '.'].some((base) => existsSync(join(ROOT, base, path))),
      )
      .map((path) => `${page}: ${path}`),
  )
  expect(gone).toEqual([])
})

it('a link of a page leads to a page that is there, and to a heading in it', () => {
  const links = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => ({ page, link: link! })),
  ).filter(({ link }) => !/^https?:/.test(link))
  expect(links.length).toBeGreaterThan(40)
  const broken = links.filter(({ page, link }) => {
    const [file = '', heading] = link.split('#')
    const path = file === '' ? page : join(dirname(page), file)
    if (!existsSync(join(ROOT, path))) return true
    return heading !== undefined && !headingsOf(textOf(path)).includes(heading)
  })
  expect(broken).toEqual([])
})

/** As a page of the repository anchors them. */
const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

it('the changelog tells what was added, changed, fixed or is safer', () => {
  const parts = [...textOf('CHANGELOG.md').matchAll(/^### (.*)$/gm)].map(([, title]) => title!)
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.filter((title) => !/^(?:Added|Changed|Removed|Fixed|Security)$/.test(title))).toEqual([])
})

it('the front page is short, and links the page of every feature', () => {
  const text = textOf('README.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(201)
  const links = FEATURES.filter(({ name }) => !text.includes(`(src/features/${name}/README.md)`))
  expect(links.map(({ name }) => name)).toEqual([])
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
  // The pages read companions, too: each has its document beside.
  const older = (await at.call('GET', '/companions/ddns/openapi.json')).body
  const gets = [...getsOf(body), ...getsOf(older, '/companions/ddns')]
  for (const [name, answers] of Object.entries(COMPANION_ANSWERS)) {
    const source = `/companions/${name}/openapi.json`
    const { body: companion } = await at.call('GET', source)
    gets.push(...getsOf(companion, `/companions/${name}`))
    const types = consoleTypes(companion, answers, source)
    const file = new URL(`../src/ui/api/companions/${name}.ts`, import.meta.url)
    if (updating) writeFileSync(file, types)
    else expect(readFileSync(file, 'utf8'), name).toBe(types)
  }
  // A new GET needs its page, or its reason; a row says of no page what the page does not do.
  expect(faultsOfReach(readReach(textOf('src/ui/reached.md')), gets, calledByPages())).toEqual({
    missing: [],
    unknown: [],
    never_called: [],
    too_far: [],
    without_reason: [],
  })
})

// After the document that it is made of.
it('src/ui/api/types.ts is what schema/openapi.json says', () => {
  const types = consoleTypes(JSON.parse(readFileSync(OPENAPI, 'utf8')) as object, CONSOLE_ANSWERS)
  if (updating) writeFileSync(CONSOLE_TYPES, types)
  else expect(readFileSync(CONSOLE_TYPES, 'utf8')).toBe(types)
})

interface Paths {
  readonly paths: Readonly<Record<string, { readonly get?: object }>>
}

const getsOf = (document: unknown, prefix = ''): string[] =>
  Object.entries((document as Paths).paths).flatMap(([path, { get }]) =>
    get === undefined ? [] : [prefix + path],
  )

/** What only names an address, to forget its answer, calls nothing; nor do the generated types. */
const CALLS_NOTHING = /src\/ui\/api\/(?:stale-by|types|companions\/.*)\.ts$/

const calledByPages = (): ReadonlySet<string> =>
  new Set(
    globSync('src/ui/**/*.{ts,tsx}', { cwd: ROOT })
      .filter((file) => !CALLS_NOTHING.test(file))
      .flatMap((file) => addressesIn(textOf(file))),
  )
