/** What starts the command: the first Node that can run it, and one sentence where there is none. */
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { childEnv } from '../kit/child.ts'
import { itInDepth, itOneIn } from '../kit/in-depth.ts'
import type { Ran } from './command.ts'
import { newFolder } from '../kit/new-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const LAUNCHER = join(ROOT, 'src/plumbline')
/** `sh`, `readlink` and the like, and no Node. */
const TOOLS = ['sh', 'readlink', 'sed', 'env']

let home: string
/** At a path with a blank. */
let root: string
let tools: string

beforeEach(() => {
  home = newFolder('launcher')
  root = join(home, 'a project')
  tools = join(home, 'tools')
  for (const folder of [join(root, 'src'), tools]) mkdirSync(folder, { recursive: true })
  copyFileSync(LAUNCHER, join(root, 'src/plumbline'))
  writeFileSync(
    join(root, 'src/main.ts'),
    'const told: object = { flags: process.execArgv, words: process.argv.slice(2) }\nconsole.log(JSON.stringify(told))\n',
  )
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  for (const name of TOOLS)
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(tools, name),
    )
})

/** A folder of PATH whose Node is of that version, as far as it says. */
function folderOf(version: string, name = version): string {
  const folder = join(home, name)
  mkdirSync(folder)
  const text = `#!/bin/sh\n[ "$1" = --version ] && echo '${version}' && exit\necho "run by ${version}: $*"\n`
  writeFileSync(join(folder, 'node'), text, { mode: 0o755 })
  return folder
}

/** Where the packages bring their Node. */
function packaged(program: string | null): void {
  const folder = join(root, 'node_modules/.bin')
  mkdirSync(folder, { recursive: true })
  if (program !== null) symlinkSync(program, join(folder, 'node'))
}

function launched(
  words: readonly string[],
  folders: readonly string[],
  program = 'src/plumbline',
): Promise<Ran> {
  const env = { PATH: [...folders, tools].join(delimiter) }
  const child = spawn('/bin/sh', [program, ...words], { cwd: root, env })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })))
}

const isOneSentence = (text: string): boolean => /^plumbline: [^\n]+\.\n$/.test(text)

describe('without a Node that can run it', () => {
  it('says in one sentence which was found, which is needed and what to do', async () => {
    const { code, out, err } = await launched(['status'], [folderOf('v20.20.2')])
    expect({ code, out }).toEqual({ code: 78, out: '' })
    expect(isOneSentence(err), err).toBe(true)
    expect(err).toContain(`v20.20.2 (${home}/v20.20.2/node)`)
    expect(err).toMatch(/22\.19 or newer/)
    expect(err).toContain(`"npm ci" in ${root}`)
  })

  itInDepth('says so, too, where there is none at all', async () => {
    const { code, err } = await launched(['status'], [])
    expect(code).toBe(78)
    expect(err).toMatch(/found is none/)
  })

  const old = (childEnv()['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => existsSync(join(folder, 'node')))
    .find((folder) =>
      /^v(?:1\d|20|21)\./.test(execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' })),
    )
  itInDepth.skipIf(old === undefined)('says so on a real one that is too old', async () => {
    const { code, out, err } = await launched(['status'], [old!])
    expect({ code, out }).toEqual({ code: 78, out: '' })
    expect(isOneSentence(err), err).toBe(true)
  })

  itOneIn(7).each(['v22.18.0', 'v23.6.1', 'v9.11.2', 'v21.7.3', 'v0.12.18', 'nonsense', ''])(
    '%s is none',
    async (version) => {
      expect((await launched(['status'], [folderOf(version, 'x')])).code).toBe(78)
    },
  )
})

describe('takes', () => {
  itOneIn(5).each(['v22.19.0', 'v23.7.0', 'v24.0.0', 'v25.1.0-nightly20260101', 'v100.0.0'])(
    '%s',
    async (version) => {
      const { code, out } = await launched(['status'], [folderOf(version)])
      expect({ code, out }).toEqual({
        code: 0,
        out: `run by ${version}: --disable-sigusr1 ${root}/src/main.ts status\n`,
      })
    },
  )

  itInDepth('the one that came with the packages before an old one, and before a good one', async () => {
    packaged(process.execPath)
    const { code, out } = await launched(['status'], [folderOf('v20.20.2'), folderOf('v25.0.0')])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ flags: ['--disable-sigusr1'], words: ['status'] })
  })

  itInDepth('one of PATH behind an old one, where that of the packages does not run here', async () => {
    packaged(null)
    writeFileSync(join(root, 'node_modules/.bin/node'), '#!/no/such/loader\n', { mode: 0o755 })
    const { out } = await launched(['status'], [folderOf('v20.20.2'), folderOf('v24.1.0')])
    expect(out).toContain('run by v24.1.0')
  })

  itInDepth('every word as it is, from anywhere, also through a link', async () => {
    packaged(process.execPath)
    symlinkSync(join(root, 'src/plumbline'), join(home, 'link'))
    const words = ['audit', 'a b', '*', '', '--since', "it's"]
    const { out } = await launched(words, [], join(home, 'link'))
    expect(JSON.parse(out)).toEqual({ flags: ['--disable-sigusr1'], words })
  })

  itOneIn(2).each(['serve', 'quickstart'])('the flags of a daemon for %s', async (verb) => {
    packaged(process.execPath)
    const { out } = await launched([verb], [])
    expect(JSON.parse(out)).toEqual({
      flags: ['--disable-sigusr1', '--max-semi-space-size=8'],
      words: [verb],
    })
  })

  itInDepth('a cache of compiled code from the first file on, which is for no other process', async () => {
    packaged(process.execPath)
    copyFileSync(join(ROOT, 'src/main.ts'), join(root, 'src/main.ts'))
    const told = 'console.log(JSON.stringify([getCompileCacheDir(), process.env.NODE_COMPILE_CACHE ?? null]))'
    writeFileSync(
      join(root, 'src/command.ts'),
      `import { getCompileCacheDir } from 'node:module'\nexport const main = async () => (${told}, 0)\n`,
    )
    const { out, err } = await launched(['status'], [])
    const [folder, left] = JSON.parse(out) as [string, string | null]
    expect(folder, err).toContain(join(root, 'node_modules/.cache/plumbline'))
    expect(left).toBeNull()
    expect(readdirSync(folder).length).toBeGreaterThan(1)
  })

  itInDepth('its own process: what ends it ends the command', async () => {
    packaged(process.execPath)
    writeFileSync(join(root, 'src/main.ts'), 'console.log(process.pid)\n')
    const child = spawn(join(root, 'src/plumbline'), ['status'], { env: { PATH: tools } })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    await new Promise((resolve) => child.once('close', resolve))
    expect(Number(out)).toBe(child.pid)
  })
})

itInDepth('where a package is missing, one sentence says which, and what to do', async () => {
  packaged(process.execPath)
  copyFileSync(join(ROOT, 'src/main.ts'), join(root, 'src/main.ts'))
  writeFileSync(join(root, 'src/command.ts'), "import 'no-such-package'\n")
  const { code, out, err } = await launched(['status'], [])
  expect({ code, out }).toEqual({ code: 78, out: '' })
  expect(isOneSentence(err), err).toBe(true)
  expect(err).toContain('no-such-package is not installed')
  writeFileSync(join(root, 'src/command.ts'), "throw new TypeError('a mistake of ours')\n")
  expect((await launched(['status'], [])).err).toContain('a mistake of ours')
})

it('is what every way in starts, and can be run as it lies there', () => {
  const { bin, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>
    readonly scripts: Readonly<Record<string, string>>
  }
  expect(bin).toEqual({ plumbline: 'src/plumbline' })
  expect(scripts['start']).toBe('sh src/plumbline serve')
  expect(scripts['plumbline']).toBe('sh src/plumbline')
  expect(scripts['quickstart']).toMatch(/ && sh src\/plumbline quickstart$/)
  const containerfile = readFileSync(join(ROOT, 'Containerfile'), 'utf8')
  expect(containerfile).toContain('ln -s /app/src/plumbline /usr/local/bin/plumbline')
  expect(containerfile).toMatch(/^CMD \["plumbline", "serve"\]$/m)
  expect(statSync(LAUNCHER).mode & 0o111).toBe(0o111)
})
