/** The install step of the quickstart, with the real npm: a tree that fits is left alone, any other is installed whole or not. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { childEnv } from '../kit/child.ts'
import { newFolder } from '../kit/new-folder.ts'

const INSTALL = join(import.meta.dirname, '../../src/install.mjs')
const run = promisify(execFile)
const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A project at a path with a blank, whose only package lies beside it: npm needs no network for it. */
async function project(): Promise<{ readonly root: string; readonly env: Record<string, string> }> {
  const home = newFolder('install')
  made.push(home)
  const root = join(home, 'a project')
  mkdirSync(join(root, 'src'), { recursive: true })
  mkdirSync(join(home, 'small'))
  copyFileSync(INSTALL, join(root, 'src/install.mjs'))
  const env = {
    ...childEnv(),
    HOME: home,
    npm_config_cache: join(home, 'cache'),
    npm_config_update_notifier: 'false',
    // Nobody listens there.
    npm_config_registry: 'http://127.0.0.1:9/',
  }
  writeFileSync(join(home, 'small/package.json'), '{ "name": "small", "version": "1.2.3" }')
  await run('npm', ['pack', '--silent', '--pack-destination', home], { cwd: join(home, 'small'), env })
  writeFileSync(
    join(root, 'package.json'),
    '{ "name": "own", "version": "1.0.0", "dependencies": { "small": "file:../small-1.2.3.tgz" } }',
  )
  await run('npm', ['install', '--package-lock-only', '--silent'], { cwd: root, env })
  return { root, env }
}

interface End {
  readonly code: number | null
  readonly said: string
}

function begin(root: string, env: Record<string, string>): { child: ChildProcess; end: Promise<End> } {
  const child = spawn(process.execPath, [join(root, 'src/install.mjs')], { env, cwd: '/' })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const end = new Promise<End>((resolve) => child.once('close', (code) => resolve({ code, said })))
  return { child, end }
}

it('installs what is missing or another version, says so, and leaves a tree that fits alone', async () => {
  const { root, env } = await project()
  const held = join(root, 'node_modules/.package-lock.json')
  const first = await begin(root, env).end
  expect(first).toEqual({ code: 0, said: expect.stringContaining('Installing the packages') as unknown })
  const installed_at = statSync(held).mtimeMs

  expect(await begin(root, env).end).toEqual({ code: 0, said: '' })
  expect(statSync(held).mtimeMs).toBe(installed_at)

  rmSync(join(root, 'node_modules/small'), { recursive: true })
  expect((await begin(root, env).end).said).toContain('Installing the packages')
  expect(existsSync(join(root, 'node_modules/small/package.json'))).toBe(true)

  const listed = readFileSync(held, 'utf8')
  writeFileSync(held, listed.replace('1.2.3', '1.2.2'))
  expect((await begin(root, env).end).said).toContain('Installing the packages')
  expect(readFileSync(held, 'utf8')).toBe(listed)
})

it('what runs next is the Node that came with the packages, not the one that the shell found before', async () => {
  const { root, env } = await project()
  const [first, second] = [join(root, '../bin'), join(root, 'node_modules/.bin')]
  mkdirSync(first)
  mkdirSync(second, { recursive: true })
  const program = (path: string, text: string) => writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  program(join(first, 'node'), `cp '${join(root, 'new')}' '${join(second, 'node')}'`)
  program(join(root, 'new'), '[ "$1" = --version ] && echo v24.0.0 && exit\necho "the new one: $*"')
  copyFileSync(join(INSTALL, '../plumbline'), join(root, 'src/plumbline'))
  const { scripts } = JSON.parse(readFileSync(join(INSTALL, '../../package.json'), 'utf8')) as {
    scripts: { quickstart: string }
  }
  // As npm runs it.
  const PATH = `${second}:${first}:${env['PATH']!}`
  const { stdout } = await run('sh', ['-c', scripts.quickstart], { cwd: root, env: { ...env, PATH } })
  expect(stdout).toMatch(/^the new one: --disable-sigusr1 .*src\/main\.ts quickstart$/m)
})

it('does not wait for packages of other machines, nor for those that only build and test', async () => {
  const { root, env } = await project()
  await begin(root, env).end
  const path = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, object> }
  lock.packages['node_modules/elsewhere'] = {
    version: '1.0.0',
    optional: true,
    os: ['aix'],
    cpu: ['ppc64'],
  }
  lock.packages['node_modules/tester'] = { version: '1.0.0', dev: true }
  writeFileSync(path, JSON.stringify(lock))
  expect(await begin(root, env).end).toEqual({ code: 0, said: '' })
  lock.packages['node_modules/own-machine'] = { version: '1.0.0', optional: true, os: [process.platform] }
  writeFileSync(path, JSON.stringify(lock))
  expect((await begin(root, env).end).said).toContain('Installing the packages')
})

it('what cannot be installed is said in npm’s words and ours, and the exit code is npm’s', async () => {
  const { root, env } = await project()
  for (const name of ['small-1.2.3.tgz', 'cache']) rmSync(join(root, '..', name), { recursive: true })
  const { code, said } = await begin(root, env).end
  expect(code).not.toBe(0)
  expect(said).toMatch(/ENOENT/)
  expect(said).toContain('The packages could not be installed')
})

it('Ctrl-C ends npm, too, even one that waits for a registry; the exit code is 130', async () => {
  const { root, env } = await project()
  const path = join(root, 'package-lock.json')
  const silent = createServer((socket) => socket.on('error', () => undefined).resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  try {
    const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, object> }
    const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
    lock.packages['']!['dependencies' as never] = { far: '1.0.0' } as never
    delete lock.packages['node_modules/small']
    lock.packages['node_modules/far'] = { version: '1.0.0', resolved: `${registry}far.tgz`, integrity }
    writeFileSync(path, JSON.stringify(lock))
    writeFileSync(
      join(root, 'package.json'),
      '{ "name": "own", "version": "1.0.0", "dependencies": { "far": "1.0.0" } }',
    )
    const asked = new Promise<number>((resolve) => silent.once('connection', () => resolve(1)))
    const { child, end } = begin(root, { ...env, npm_config_registry: registry })
    await asked
    const children = () =>
      run('pgrep', ['-P', String(child.pid)]).then(
        ({ stdout }) => stdout.trim(),
        () => '',
      )
    const npm = Number(await children())
    expect(npm).toBeGreaterThan(0)
    child.kill('SIGINT')
    const { code, said } = await end
    expect(code).toBe(130)
    expect(said).toContain('Stopped.')
    expect(() => process.kill(npm, 0)).toThrow('ESRCH')
  } finally {
    await new Promise((resolve) => silent.close(resolve))
  }
})
