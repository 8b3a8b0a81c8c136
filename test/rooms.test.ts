/** The floor plan holds: every import goes where it may, every library is at home, every file says what it is for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FEATURES } from '../src/features.ts'
import { faultsOf, opensWithSentence, vendorOf } from './rooms/judge.ts'
import { importsOf, type Source } from './rooms/read-source.ts'
import { floorsOf, ringsOf } from './rooms/rings.ts'
import {
  COMPOSITION_ROOT,
  DOORS,
  HOMES,
  LIST_OF_FEATURES,
  LONG_FILES,
  MANIFEST,
  NAMES_FEATURES,
  OF_OTHERS,
  ONE_LIBRARY,
} from './rooms/table.ts'

const ROOT = join(import.meta.dirname, '..')

const SOURCE = /(?<!\.d)\.tsx?$/

function sourcesIn(folder: string, kind = SOURCE): Source[] {
  const base = join(ROOT, folder)
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(base, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
}

const sources = sourcesIn('src')
/** They name packages, too: fonts. */
const sheets = sourcesIn('src', /\.css$/)

const EVERYBODYS = [
  'deploy',
  'domains',
  'explain',
  'health',
  'import',
  'keys',
  'people',
  'releases',
  'system',
]

const MAX_FILES = 20

describe('the source', () => {
  it('keeps to the floor plan', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap(faultsOf)).toEqual([])
  })

  it('has one library where one thing outside is met', () => {
    const libraries = new Map<string, Set<string>>()
    for (const { path, text } of sources) {
      const adapter = path.startsWith('io/') ? path.split('/').slice(0, 2).join('/') : vendorOf(path)
      if (adapter === undefined) continue
      const known = importsOf(text).filter((name) => HOMES[name] !== undefined && name !== 'zod')
      for (const name of known)
        libraries.set(adapter, (libraries.get(adapter) ?? new Set()).add(ONE_LIBRARY[name] ?? name))
    }
    const crowded = [...libraries]
      .filter(([, names]) => names.size > 1)
      .map(([adapter, names]) => [adapter, [...names]])
    expect(crowded).toEqual([])
  })

  it('uses every package that it declares, in each place that the plan gives it', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const uses = (text: string, name: string) => new RegExp(`['\`]${name}(/[^'\`]*)?['\`]`).test(text)
    const idle = Object.keys(dependencies).flatMap((name) => {
      const homes = HOMES[name] ?? []
      const used = (home: string) =>
        [...sources, ...sheets].some(
          ({ path, text }) => (path === home || path.startsWith(`${home}/`)) && uses(text, name),
        )
      return homes.length === 0
        ? [name]
        : homes.filter((home) => !used(home)).map((home) => `${name} in ${home}`)
    })
    expect(idle).toEqual([])
  })

  it('has a core that knows no feature by name, and is no bag', () => {
    // Words that name no more than a feature are the vocabulary of all: a deploy, a release, a record's domain.
    const features = readdirSync(join(ROOT, 'src/features')).filter((name) => !EVERYBODYS.includes(name))
    const core = sources.filter(({ path }) => path.startsWith('core/'))
    const named = core.flatMap(({ path, text }) =>
      features
        .filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(text))
        .map((name) => `${path}: ${name}`),
    )
    expect(named).toEqual([])
    expect(core.flatMap(({ text }) => text.split('\n')).length).toBeLessThan(2500)
  })

  it('lets a feature know no more of others than it needs', () => {
    const known = new Set(
      sources.flatMap(({ path, text }) => {
        const [room, own] = path.split('/')
        if (room !== 'features') return []
        const others = importsOf(text).map((name) => posix.join(posix.dirname(path), name).split('/'))
        return others.flatMap(([where, other]) => (where === 'features' ? [`${own} knows ${other}`] : []))
      }),
    )
    const rows = Object.entries(OF_OTHERS).flatMap(([own, others]) =>
      Object.keys(others).map((other) => `${own} knows ${other}`),
    )
    expect(rows.filter((row) => !known.has(row))).toEqual([])
  })

  it('names the folder of a feature in its list, and elsewhere only with a reason that still holds', () => {
    const naming = sources
      .filter(({ path }) => !path.startsWith('features/'))
      .filter(({ path, text }) =>
        importsOf(text).some((name) => posix.join(posix.dirname(path), name).startsWith('features/')),
      )
      .map(({ path }) => path)
    const isOf = (place: string) => (path: string) => path === place || path.startsWith(`${place}/`)
    const places = Object.keys(NAMES_FEATURES)
    expect(naming.filter((path) => !places.some((place) => isOf(place)(path)))).toEqual([])
    expect(places.filter((place) => !naming.some(isOf(place)))).toEqual([])
  })

  it('has every feature in the list, by the name of its folder', () => {
    const folders = readdirSync(join(ROOT, 'src/features'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect(FEATURES.map(({ name }) => name).sort()).toEqual(folders.sort())
    const list = sources.find(({ path }) => path === LIST_OF_FEATURES)!
    expect(importsOf(list.text).toSorted()).toEqual(
      folders.map((name) => `./features/${name}/index.ts`).toSorted(),
    )
  })

  it('has doors that load nothing before it is asked for, since every command reads them all', () => {
    const doors = sources.filter(({ path }) => MANIFEST.test(path))
    const loading = doors.filter(({ text }) => /^(?:import (?!type )|export .* from )/m.test(text))
    expect(loading.map(({ path }) => path)).toEqual([])
  })

  it('names its bounds MAX_ and MIN_, as everybody does', () => {
    const bounds = /\b(?:MOST|LEAST|LONGEST|SHORTEST|HIGHEST|LOWEST)_[A-Z]\w*|\bmost_(?:ms|bytes|names)\b/g
    const odd = sources.flatMap(({ path, text }) =>
      (text.match(bounds) ?? []).map((name) => `${path}: ${name}`),
    )
    expect(odd).toEqual([])
  })

  it('has no file that reaches itself through others', () => {
    expect(ringsOf(sources)).toEqual([])
  })

  it('has its features in one row: none reaches itself through others', () => {
    const features = Object.entries(OF_OTHERS).map(([path, others]) => ({
      path,
      text: Object.keys(others)
        .map((other) => `import './${other}'`)
        .join('\n'),
    }))
    expect(ringsOf(features)).toEqual([])
  })

  it('has its rooms in one row, too: no arrow points up', () => {
    // Each file of the roof is one of its own.
    const roomOf = (path: string) => path.split('/')[0]!
    const rooms = [...Map.groupBy(sources, ({ path }) => roomOf(path))].map(([room, files]) => ({
      path: room,
      text: files
        .flatMap(({ path, text }) => importsOf(text).map((name) => posix.join(posix.dirname(path), name)))
        .map((name) => roomOf(name))
        .filter((other) => other !== room)
        .map((other) => `import './${other}'`)
        .join('\n'),
    }))
    expect(rooms.length).toBeGreaterThan(COMPOSITION_ROOT.length)
    expect(ringsOf(rooms)).toEqual([])
  })

  it('stands at most eight floors over the core, the roof among them', () => {
    const roomOf = (path: string) => {
      const [room, feature, inside] = path.split('/')
      if (feature === undefined) return 'the roof'
      return room === 'features' && inside !== undefined ? `features/${feature}` : room!
    }
    const below = new Map<string, Set<string>>()
    for (const { path, text } of sources) {
      const room = roomOf(path)
      const others = importsOf(text)
        .filter((name) => name.startsWith('.'))
        .map((name) => roomOf(posix.join(posix.dirname(path), name)))
        .filter((other) => other !== room)
      below.set(room, new Set([...(below.get(room) ?? []), ...others]))
    }
    const floors = floorsOf(below)
    expect(floors.get('the roof')! - floors.get('core')!).toBeLessThanOrEqual(8)
    expect(Math.max(...floors.values())).toBe(floors.get('the roof'))
  })

  it('has no folder of more than twenty files', () => {
    const folders = Map.groupBy(sources, ({ path }) => posix.dirname(path))
    const crowded = [...folders].filter(([, files]) => files.length > MAX_FILES)
    expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([])
  })

  it('names each folder right in a feature on the page of that feature', () => {
    const folders = new Set(
      sources.flatMap(({ path }) => /^features\/([^/]+)\/([^/]+)\/./.exec(path)?.slice(1).join('/') ?? []),
    )
    const unnamed = [...folders].filter((folder) => {
      const [feature, name] = folder.split('/') as [string, string]
      const page = readFileSync(join(ROOT, 'src/features', feature, 'README.md'), 'utf8')
      return !new RegExp(`[\`/(]${name}[\`/)]`).test(page)
    })
    expect(unnamed).toEqual([])
  })

  it('has no entry in a list of files that is gone', () => {
    const paths = new Set(sources.map((source) => source.path))
    const listed = [...Object.keys(LONG_FILES), ...COMPOSITION_ROOT, ...Object.values(DOORS).flat()]
    expect(listed.filter((path) => !paths.has(path))).toEqual([])
  })
})

describe('the reader of imports', () => {
  it('finds every import that a line of formatted code shows', () => {
    for (const { path, text } of sources) {
      const shown = [...text.matchAll(/^(?:(?:import|export) .*|\} )from '([^']+)'/gm)].map(
        (match) => match[1]!,
      )
      const found = importsOf(text)
      expect([path, shown.filter((name) => !found.includes(name))]).toEqual([path, []])
    }
  })
})

describe('the finder of rings', () => {
  it('finds what reaches itself, by types too, and nothing else', () => {
    const files = [
      { path: 'a.ts', text: "import { b } from './b.ts'" },
      { path: 'b.ts', text: "import type { C } from './c/c.ts'\nimport './d.ts'" },
      { path: 'c/c.ts', text: "export { a } from '../a.ts'" },
      { path: 'd.ts', text: "import './e.ts'" },
      { path: 'e.ts', text: '' },
    ]
    expect(ringsOf(files)).toEqual([['a.ts', 'b.ts', 'c/c.ts']])
  })

  it('count floors from the ground: a room stands over the highest of those that it stands on', () => {
    const below = new Map([
      ['roof', new Set(['ground', 'first'])],
      ['first', new Set(['ground'])],
      ['ground', new Set<string>()],
    ])
    expect(Object.fromEntries(floorsOf(below))).toEqual({ ground: 0, first: 1, roof: 2 })
  })
})

describe('the tests', () => {
  it('open with a sentence, too', () => {
    const mute = sourcesIn('test').filter(({ text }) => !opensWithSentence(text))
    expect(mute.map((source) => `test/${source.path}`)).toEqual([])
  })
})

/** Files that break one rule each, so that the rules are known to bite. */
const BROKEN: readonly (readonly [rule: string, path: string, code: string, fault: RegExp])[] = [
  ['a lower room', 'kernel/x.ts', "import { a } from '../model/a.ts'", /kernel may import only Node/],
  ['a type import', 'model/x.ts', "import type { A } from '../ports/a.ts'", /model may import only kernel/],
  ['a mixed import', 'ports/x.ts', "import { type A, b } from '../engine/a.ts'", /ports may import only/],
  ['several lines', 'engine/x.ts', "import {\n  a,\n  b,\n} from '../core/a.ts'", /engine may import only/],
  ['a re-export', 'core/x.ts', "export * from '../http/a.ts'", /core may import only/],
  [
    'the contract of a feature in the core',
    'core/x.ts',
    "import type { Feature } from '../feature/feature.ts'",
    /core may import only kernel, model, ports, engine$/,
  ],
  [
    'a feature in the contract of all',
    'feature/x.ts',
    "import '../features/dns/a.ts'",
    /feature may import only/,
  ],
  ['a side effect', 'http/x.ts', "import '../io/files/a.ts'", /http may import only/],
  ['a dynamic import', 'cli/x.ts', "const a = await import('../house.ts')", /cli may import only/],
  ['a type position', 'model/x.ts', "type A = import('../http/a.ts').A", /model may import only/],
  [
    'an added type',
    'config/x.ts',
    "declare module '../features/dns/a.ts' {}",
    /config may import only kernel$/,
  ],
  ['two on a line', 'model/x.ts', "import '../kernel/a.ts'; import '../http/b.ts'", /model may import only/],
  ['a higher room', 'store/x.ts', "import '../engine/queue.ts'", /store may import only/],
  ['another feature', 'features/mail/x.ts', "import '../edges/find.ts'", /no row of the table lets mail/],
  [
    'another feature’s door',
    'features/edges/x.ts',
    "import '../routes/feature.ts'",
    /only the list of features/,
  ],
  ['a manifest', 'features/dns/feature.ts', "import '../edges/index.ts'", /which only features\.ts knows/],
  [
    'a manifest from outside',
    'build-daemon.ts',
    "import './features/edges/index.ts'",
    /which only features\.ts knows/,
  ],
  ['a vendor from within', 'features/dns/x.ts', "import './providers/json-api.ts'", /is known by its port/],
  [
    'a tool of io in a verb',
    'features/dns/x.ts',
    "import '../../io/files/look.ts'",
    /features may import only/,
  ],
  ['the wiring in a verb', 'features/dns/x.ts', "import '../../house.ts'", /features may import only/],
  [
    'the roof in a builder',
    'features/dns/feature.ts',
    "import '../../wiring.ts'",
    /features may import only/,
  ],
  ['another adapter', 'io/files/x.ts', "import '../yaml/read.ts'", /never imports what reaches another/],
  ['another provider', 'features/dns/providers/a/x.ts', "import '../b/x.ts'", /only what the table names/],
  ['a new room', 'attic/x.ts', "import '../kernel/clock.ts'", /does not know/],
  ['a new room that imports nothing', 'attic/x.ts', 'export const a = 1', /does not know/],
  ['a stray at the top', 'examine.ts', 'export const a = 1', /stands among the wiring/],
  ['a back door', 'daemon.ts', "import './doctor/finding.ts'", /doctor is entered only by surroundings\.ts/],
  ['a side door', 'http/x.ts', "import '../doctor/examine.ts'", /http may import only/],
  ['a part that is not for looking', 'doctor/x.ts', "import '../store/open.ts'", /doctor may import/],
  ['a hand where eyes belong', 'doctor/x.ts', "import { rm } from 'node:fs/promises'", /doctor only looks/],
  ['both hands', 'doctor/x.ts', "import * as fs from 'node:fs'", /doctor only looks/],
  ['a hand fetched late', 'doctor/x.ts', "const fs = await import('node:fs')", /doctor only looks/],
  ['a test', 'http/x.ts', "import '../../test/fixtures.ts'", /not part of the program/],
  ['a library away from home', 'engine/x.ts', "import { z } from 'zod'", /zod, whose home is/],
  ['a part of a library', 'core/x.ts', "import { Hono } from 'hono/tiny'", /hono, whose home is/],
  ['a scoped library', 'model/x.ts', "import '@hono/node-server/serve'", /@hono\/node-server, whose home is/],
  ['an unknown library', 'http/x.ts', "import 'left-pad'", /no home yet/],
  ['a library in the root', 'main.ts', "import { pino } from 'pino'", /uses no library/],
  ['a require', 'io/log/x.ts', "const a = require('yaml')", /yaml, whose home is/],
  [
    'an effect where decisions are made',
    'features/routes/render/x.ts',
    "import fs from 'node:fs'",
    /behind a port/,
  ],
  ['the global fetch', 'io/docker/x.ts', 'await fetch(url)', /global fetch/],
  [
    'the global fetch by its owner',
    'io/docker/x.ts',
    'const { fetch: f } = { fetch: globalThis.fetch }',
    /global fetch/,
  ],
  ['exec', 'io/docker/x.ts', "import { exec } from 'node:child_process'", /shell/],
  [
    'execSync by its module',
    'io/docker/x.ts',
    "import cp from 'node:child_process'\ncp.execSync('ls')",
    /shell/,
  ],
  [
    'a shell',
    'io/docker/x.ts',
    "import { spawn } from 'node:child_process'\nspawn('ls', { shell: true })",
    /shell/,
  ],
]

/** Code that only looks as if it broke a rule. */
const SOUND: readonly (readonly [why: string, path: string, code: string])[] = [
  ['the engine’s contract', 'features/routes/x.ts', "import type { Target } from '../../engine/target.ts'"],
  [
    'a builder',
    'features/dns/feature.ts',
    "import '../../io/files/look.ts'; import './providers/json-api.ts'",
  ],
  ['a vendor with a tool of io', 'features/routes/folder/x.ts', "import '../../../io/files/look.ts'"],
  ['a vendor’s port', 'features/dns/x.ts', "import type { A } from './providers/port.ts'"],
  ['the list of providers', 'features/dns/resolver/index.ts', "import './unbound/read.ts'"],
  ['the wiring of an area', 'dns-wiring.ts', "import './store/open.ts'"],
  ['the door of a room', 'surroundings.ts', "const a = await import('./doctor/examine.ts')"],
  [
    'eyes',
    'doctor/x.ts',
    "import { constants } from 'node:fs'\nimport { readFile, stat } from 'node:fs/promises'",
  ],
  ['the composition root', 'build-daemon.ts', "import './store/open.ts'; import './http/app.ts'"],
  ['a comment', 'kernel/x.ts', "/* import '../http/a.ts' */\n// import x from '../http/a.ts'\n// fetch(url)"],
  ['a text', 'kernel/x.ts', 'const a = `\nimport x from "../http/a.ts"\n`'],
  ['a method named fetch', 'http/x.ts', 'app.fetch(request)'],
  ['undici’s fetch', 'io/http-client/x.ts', "import { fetch } from 'undici'\nawait fetch(url)"],
  [
    'exec of a regular expression',
    'io/docker/x.ts',
    "import { execFile } from 'node:child_process'\n/a/.exec(text)",
  ],
  [
    'the package’s own description',
    'build-daemon.ts',
    "import data from '../package.json' with { type: 'json' }",
  ],
]

describe('the rules', () => {
  const file = (path: string, code: string): Source => ({
    path,
    text: `/** Says what it is for. */\n${code}\n`,
  })

  it.each(BROKEN)('bite: %s', (_rule, path, code, fault) => {
    expect(faultsOf(file(path, code))).toEqual([expect.stringMatching(fault)])
  })

  it.each(SOUND)('spare: %s', (_why, path, code) => {
    expect(faultsOf(file(path, code))).toEqual([])
  })

  it('want a sentence at the top and an end before line 300', () => {
    const faults = (text: string) => faultsOf({ path: 'kernel/x.ts', text })
    for (const mute of [
      'export const a = 1\n',
      '// x\n',
      '/** @file */\n',
      '\nconst a = 1 // says what it is for.\n',
    ])
      expect(faults(mute)).toEqual([expect.stringMatching(/does not open with a comment/)])
    expect(faults('#!/usr/bin/env node\n// Says what it is for.\n')).toEqual([])
    expect(faults(`/** Says what it is for. */\n${'\n'.repeat(300)}`)).toEqual([
      expect.stringMatching(/301 lines/),
    ])
  })
})
