/** How the console's page is bundled and kept: over sources of its own, with the real bundler. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Bundle } from '../../../src/features/console/bundle-port.ts'
import { bundleIn, bundlesOf } from '../../../src/features/console/bundler/bundles.ts'
import { type BundlePlaces, OWN_PLACES } from '../../../src/features/console/bundler/sources.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { itInDepth } from '../../kit/in-depth.ts'
import { newFolder } from '../../kit/new-folder.ts'

let places: BundlePlaces

beforeEach(() => {
  const root = newFolder('bundler')
  places = { root, sources: join(root, 'src/ui'), cache: join(root, 'cache/console') }
  mkdirSync(places.sources, { recursive: true })
  symlinkSync(join(OWN_PLACES.root, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'package-lock.json'), '{}')
  writeFileSync(
    join(places.sources, 'main.tsx'),
    "import './main.css'\nimport('./late.ts')\nexport const a = <b>one</b>\nconsole.log(a)\n",
  )
  writeFileSync(join(places.sources, 'main.css'), 'body { color: red }\n')
  writeFileSync(join(places.sources, 'late.ts'), 'console.log(1 as number)\n')
  writeFileSync(join(places.sources, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})
afterEach(() => rmSync(places.root, { recursive: true, force: true }))

/** What the log was told, beside the bundles. */
function opened() {
  const errors: string[] = []
  const clock = handClock()
  const bundles = bundlesOf({ clock, places, log: { ...silentLog, error: (line) => void errors.push(line) } })
  return { bundles, errors, clock }
}

const kept = () => (existsSync(places.cache) ? readdirSync(places.cache) : [])
const bundlers = () =>
  execFileSync('ps', ['--ppid', String(process.pid), '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('esbuild') && !line.includes('<defunct>'))

it('the first request makes it, others wait for that one, and the bundler’s process ends', async () => {
  const { bundles } = opened()
  const [one, other] = await Promise.all([bundles.get(), bundles.get()])
  expect(one).toBe(other)
  expect(one.assets.map(({ name }) => name.replace(/-[A-Z0-9]{8}/, '')).toSorted()).toEqual(
    expect.arrayContaining(['icon.svg', 'late.js', 'main.css', 'main.js']),
  )
  expect(await bundles.get()).toBe(one)
  expect(kept()).toHaveLength(1)
  await expect.poll(bundlers).toEqual([])
  // The next start finds it: the sources are read, and nothing is bundled.
  const before = readFileSync(join(places.cache, kept()[0]!), 'utf8')
  const again = await opened().bundles.get()
  expect(again.script).toBe(one.script)
  expect(again.assets.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(
    one.assets.map(({ bytes }) => Buffer.from(bytes).toString()),
  )
  expect(readFileSync(join(places.cache, kept()[0]!), 'utf8')).toBe(before)
})

itInDepth('what is kept is cut, changed or of other sources: it is made anew', async () => {
  const first = await opened().bundles.get()
  const path = join(places.cache, kept()[0]!)
  const good = readFileSync(path, 'utf8')
  for (const bad of [
    '',
    good.slice(0, 100),
    good.slice(0, -1),
    good.replace('red', 'tan'),
    good.replace('"script"', '"skript"'),
    'null\n{}',
  ]) {
    writeFileSync(path, bad)
    expect((await opened().bundles.get()).script).toBe(first.script)
    expect(readFileSync(path, 'utf8')).toBe(good)
  }
  writeFileSync(join(places.sources, 'late.ts'), 'console.log(2)\n')
  const other = await opened().bundles.get()
  expect(other.assets.map(({ name }) => name)).not.toEqual(first.assets.map(({ name }) => name))
  expect(kept()).toHaveLength(1)
  expect(existsSync(path)).toBe(false)
  writeFileSync(join(places.root, 'package-lock.json'), '{"a":1}')
  await opened().bundles.get()
  expect(kept()).toHaveLength(1)
})

itInDepth('a disk that cannot be written keeps it in memory', async () => {
  writeFileSync(join(places.root, 'cache'), 'a file where the folder should be')
  const { bundles, errors } = opened()
  expect((await bundles.get()).script).toMatch(/^main-/)
  expect(errors).toEqual([])
})

itInDepth('a source that is wrong is told once a while, and tried again', async () => {
  const good = readFileSync(join(places.sources, 'main.tsx'), 'utf8')
  writeFileSync(join(places.sources, 'main.tsx'), 'const = 1')
  const { bundles, errors, clock } = opened()
  await expect(bundles.get()).rejects.toThrow('main.tsx')
  await expect(bundles.get()).rejects.toThrow('main.tsx')
  expect(errors).toEqual(['the console could not be bundled'])
  expect(kept()).toEqual([])
  await expect.poll(bundlers).toEqual([])
  writeFileSync(join(places.sources, 'main.tsx'), good)
  clock.pass(10_000)
  expect((await bundles.get()).script).toMatch(/^main-/)
})

itInDepth(
  'what is kept is read by everybody and laid down by nobody else, whatever the umask says',
  async () => {
    const before = process.umask(0)
    try {
      expect((await bundleIn(places, silentLog)).is_kept).toBe(true)
    } finally {
      process.umask(before)
    }
    const modes = [places.cache, ...readdirSync(places.cache).map((name) => join(places.cache, name))]
    expect(modes.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['755', '644'])
  },
)

itInDepth('without sources there is no bundle', async () => {
  rmSync(places.sources, { recursive: true })
  await expect(opened().bundles.get()).rejects.toThrow('ENOENT')
})

const gzipped = ({ assets }: Bundle, pattern: RegExp): readonly number[] =>
  assets.filter(({ name }) => pattern.test(name)).map(({ bytes }) => gzipSync(bytes).length)

const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0)

/** A script and all that it loads before it runs. */
function withImports(bundle: Bundle, script: string): ReadonlySet<string> {
  const found = new Set([script])
  for (const name of found) {
    const text = Buffer.from(bundle.assets.find((one) => one.name === name)!.bytes).toString()
    for (const [, other] of text.matchAll(/(?:from|import)\s*"\/assets\/([\w.-]+\.js)"/g)) found.add(other!)
  }
  return found
}

/** Pages beyond the first, by the file that they are in. */
const LATER = [
  'access',
  'beyond',
  'certificates',
  'dns',
  'domain',
  'domains',
  'granted',
  'inventory',
  'lan',
  'looked-at',
  'map',
  'new-domain',
  'people',
  'ssh',
]

/** What is fetched only when something is pressed. */
const PRESSED = ['dialogs', 'edit', 'sync-names', 'tabs']

it('the page itself is one sheet and little script, its other pages are a few files, and whichever is opened is small', async () => {
  const { bundle } = await bundleIn(OWN_PLACES, silentLog)
  const names = bundle.assets.map(({ name }) => name.replace(/-[A-Z0-9]{8}\./, '.'))
  expect(names.filter((name) => name !== 'chunk.js').toSorted()).toEqual(
    [
      'atkinson-hyperlegible-mono-latin-ext-wght-normal.woff2',
      'atkinson-hyperlegible-mono-latin-wght-normal.woff2',
      'atkinson-hyperlegible-next-latin-ext-wght-normal.woff2',
      'atkinson-hyperlegible-next-latin-wght-normal.woff2',
      'icon.svg',
      'main.css',
      ...[...LATER, ...PRESSED].map((name) => `${name}.js`),
    ].toSorted(),
  )
  const first = withImports(bundle, bundle.script)
  const size = (scripts: Iterable<string>) =>
    sum(gzipped(bundle, new RegExp(`^(?:${[...scripts].join('|').replaceAll('.', '\\.')})$`)))
  expect(size(first)).toBeLessThanOrEqual(60_000)
  for (const page of LATER) {
    const script = bundle.assets.find(({ name }) => name.startsWith(`${page}-`))!.name
    const own = withImports(bundle, script)
    // Otherwise what it loads was not counted.
    expect([page, [...own]]).toEqual([page, expect.arrayContaining([bundle.script])])
    const whole = new Set([...first, ...own])
    expect([page, size(whole)]).toEqual([page, expect.toSatisfy((bytes: number) => bytes <= 60_000)])
  }
  expect(sum(gzipped(bundle, /\.css$/))).toBeLessThanOrEqual(10_000)
  expect(sum(gzipped(bundle, /latin-wght-normal.*\.woff2$/))).toBeLessThanOrEqual(60_000)
})
