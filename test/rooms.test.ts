/** The floor plan holds: every import goes where it may, every library is at home, every file says what it is for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsOf, opensWithSentence } from './rooms/judge.ts'
import { importsOf, type Source } from './rooms/read-source.ts'
import { COMPOSITION_ROOT, DOORS, HOMES, LONG_FILES, ONE_LIBRARY } from './rooms/table.ts'

const ROOT = join(import.meta.dirname, '..')

function sourcesIn(folder: string): Source[] {
  const base = join(ROOT, folder)
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(base, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
}

const sources = sourcesIn('src')

describe('the source', () => {
  it('keeps to the floor plan', () => {
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.flatMap(faultsOf)).toEqual([])
  })

  it('has one library in each adapter', () => {
    const libraries = new Map<string, Set<string>>()
    for (const { path, text } of sources.filter((source) => source.path.startsWith('adapters/'))) {
      const [adapter = ''] = /^adapters\/(?:dns\/)?[^/]+/.exec(path) ?? []
      const known = importsOf(text).filter((name) => HOMES[name] !== undefined)
      for (const name of known)
        libraries.set(adapter, (libraries.get(adapter) ?? new Set()).add(ONE_LIBRARY[name] ?? name))
    }
    const crowded = [...libraries]
      .filter(([, names]) => names.size > 1)
      .map(([adapter, names]) => [adapter, [...names]])
    expect(crowded).toEqual([])
  })

  it('has a core that knows no feature by name, and is no bag', () => {
    const features = readdirSync(join(ROOT, 'src/features'))
    const core = sources.filter(({ path }) => path.startsWith('core/'))
    const named = core.flatMap(({ path, text }) =>
      features
        .filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(text))
        .map((name) => `${path}: ${name}`),
    )
    expect(named).toEqual([])
    expect(core.flatMap(({ text }) => text.split('\n')).length).toBeLessThan(2500)
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
  [
    'several lines',
    'engine/x.ts',
    "import {\n  a,\n  b,\n} from '../operations/a.ts'",
    /engine may import only/,
  ],
  ['a re-export', 'operations/x.ts', "export * from '../http/a.ts'", /operations may import only/],
  ['a side effect', 'http/x.ts', "import '../adapters/files/a.ts'", /http may import only/],
  ['a dynamic import', 'cli/x.ts', "const a = await import('../house.ts')", /cli may import only/],
  ['a type position', 'model/x.ts', "type A = import('../http/a.ts').A", /model may import only/],
  ['two on a line', 'model/x.ts', "import '../kernel/a.ts'; import '../http/b.ts'", /model may import only/],
  [
    'another file of the engine',
    'targets/routes/x.ts',
    "import '../../engine/queue.ts'",
    /targets may import only/,
  ],
  ['another target', 'targets/routes/x.ts', "import '../dns/desire.ts'", /never imports another target/],
  ['another adapter', 'adapters/files/x.ts', "import '../sqlite/open.ts'", /never imports another adapter/],
  ['another provider', 'adapters/dns/a/x.ts', "import '../b/x.ts'", /never imports another adapter/],
  ['a new room', 'attic/x.ts', "import '../kernel/clock.ts'", /does not know/],
  ['a new room that imports nothing', 'attic/x.ts', 'export const a = 1', /does not know/],
  ['a stray at the top', 'examine.ts', 'export const a = 1', /stands among the wiring/],
  ['a back door', 'daemon.ts', "import './doctor/finding.ts'", /doctor is entered only by surroundings\.ts/],
  ['a side door', 'http/x.ts', "import '../doctor/examine.ts'", /http may import only/],
  [
    'a part that is not for looking',
    'doctor/x.ts',
    "import '../adapters/sqlite/open.ts'",
    /doctor may import/,
  ],
  ['a hand where eyes belong', 'doctor/x.ts', "import { rm } from 'node:fs/promises'", /doctor only looks/],
  ['both hands', 'doctor/x.ts', "import * as fs from 'node:fs'", /doctor only looks/],
  ['a hand fetched late', 'doctor/x.ts', "const fs = await import('node:fs')", /doctor only looks/],
  ['a test', 'http/x.ts', "import '../../test/fixtures.ts'", /not part of the program/],
  ['a library away from home', 'engine/x.ts', "import { z } from 'zod'", /zod, whose home is/],
  ['a part of a library', 'operations/x.ts', "import { Hono } from 'hono/tiny'", /hono, whose home is/],
  ['a scoped library', 'model/x.ts', "import '@hono/node-server/serve'", /@hono\/node-server, whose home is/],
  ['an unknown library', 'http/x.ts', "import 'left-pad'", /no home yet/],
  ['a library in the root', 'main.ts', "import { pino } from 'pino'", /uses no library/],
  ['a require', 'adapters/log/x.ts', "const a = require('yaml')", /yaml, whose home is/],
  ['an effect where decisions are made', 'targets/routes/x.ts', "import fs from 'node:fs'", /behind a port/],
  ['the global fetch', 'adapters/docker/x.ts', 'await fetch(url)', /global fetch/],
  [
    'the global fetch by its owner',
    'adapters/docker/x.ts',
    'const { fetch: f } = { fetch: globalThis.fetch }',
    /global fetch/,
  ],
  ['exec', 'adapters/docker/x.ts', "import { exec } from 'node:child_process'", /shell/],
  [
    'execSync by its module',
    'adapters/docker/x.ts',
    "import cp from 'node:child_process'\ncp.execSync('ls')",
    /shell/,
  ],
  [
    'a shell',
    'adapters/docker/x.ts',
    "import { spawn } from 'node:child_process'\nspawn('ls', { shell: true })",
    /shell/,
  ],
]

/** Code that only looks as if it broke a rule. */
const SOUND: readonly (readonly [why: string, path: string, code: string])[] = [
  ['the engine’s contract', 'targets/routes/x.ts', "import type { Target } from '../../engine/target.ts'"],
  ['the list of targets', 'targets/index.ts', "import { routesTarget } from './routes/target.ts'"],
  ['the list of providers', 'adapters/dns/index.ts', "import './cloudflare/provider.ts'"],
  ['the wiring of an area', 'dns-wiring.ts', "import './adapters/sqlite/open.ts'"],
  ['the door of a room', 'surroundings.ts', "const a = await import('./doctor/examine.ts')"],
  [
    'eyes',
    'doctor/x.ts',
    "import { constants } from 'node:fs'\nimport { readFile, stat } from 'node:fs/promises'",
  ],
  ['the composition root', 'house.ts', "import './adapters/sqlite/open.ts'; import './http/app.ts'"],
  ['a comment', 'kernel/x.ts', "/* import '../http/a.ts' */\n// import x from '../http/a.ts'\n// fetch(url)"],
  ['a text', 'kernel/x.ts', 'const a = `\nimport x from "../http/a.ts"\n`'],
  ['a method named fetch', 'http/x.ts', 'app.fetch(request)'],
  ['undici’s fetch', 'cli/x.ts', "import { fetch } from 'undici'\nawait fetch(url)"],
  [
    'exec of a regular expression',
    'adapters/docker/x.ts',
    "import { execFile } from 'node:child_process'\n/a/.exec(text)",
  ],
  ['the package’s own description', 'house.ts', "import data from '../package.json' with { type: 'json' }"],
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
