/** Files that are not what they should be: what is read stays in its folder, ends, and says what it left out. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { dnsmasqConfig } from '../../../../src/features/dns/resolver/dnsmasq/config.ts'
import { hostsConfig } from '../../../../src/features/dns/resolver/hosts/config.ts'
import { unboundConfig } from '../../../../src/features/dns/resolver/unbound/config.ts'
import type { ResolverConfig } from '../../../../src/features/dns/resolver/port.ts'
import { newFolder } from '../../../kit/new-folder.ts'

let folder: string
beforeEach(() => void (folder = newFolder('resolver')))

const at = (name: string) => join(folder, 'etc', name)

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
}

async function read(config: ResolverConfig) {
  const found = await config.read(AbortSignal.timeout(60_000))
  if (!found.ok) throw new Error(found.detail)
  const written = found.view.overrides.filter(({ source }) => source !== 'default')
  return { names: written.map(({ name }) => name), gaps: found.gaps, notes: found.notes }
}

const KINDS = [
  [
    'dnsmasq',
    (name: string) => dnsmasqConfig(at(name)),
    {
      line: (name: string) => `address=/${name}/192.0.2.1\n`,
      include: (path: string) => `conf-file=${path}\n`,
    },
  ],
  [
    'Unbound',
    (name: string) => unboundConfig(at(name)),
    {
      line: (name: string) => `server:\n  local-data: "${name}. A 192.0.2.1"\n`,
      include: (path: string) => `include: "${path}"\n`,
    },
  ],
] as const

describe.each(KINDS)('settings of %s', (_product, open, { line, include }) => {
  it('are read with what they include, in the order of the lines', async () => {
    put({
      main: `${line('a')}${include('more/b')}${line('d')}`,
      'more/b': `${line('b')}${include('more/c')}`,
      'more/c': line('c'),
    })
    expect(await read(open('main'))).toMatchObject({ names: ['a', 'b', 'c', 'd'], gaps: [] })
  })

  it('that include each other are read once', async () => {
    put({ main: `${line('a')}${include('b')}`, b: `${line('b')}${include('main')}${include('b')}` })
    expect(await read(open('main'))).toMatchObject({ names: ['a', 'b'], gaps: [] })
  })

  it('that include too deep are read to the eighth', async () => {
    const chain = Array.from({ length: 12 }, (_, i) => [`f${i}`, `${line(`n${i}`)}${include(`f${i + 1}`)}`])
    put(Object.fromEntries(chain) as Record<string, string>)
    const { names, gaps } = await read(open('f0'))
    expect(names).toHaveLength(9)
    expect(gaps).toHaveLength(1)
  })

  it('outside the folder are a gap, by whatever way they are named', async () => {
    put({ main: '' })
    writeFileSync(join(folder, 'outside'), line('outside'))
    symlinkSync(join(folder, 'outside'), at('link'))
    symlinkSync(folder, at('up'))
    for (const path of [join(folder, 'outside'), '../outside', 'link', 'up/outside', '/etc/passwd']) {
      put({ main: `${line('a')}${include(path)}` })
      const { names, gaps } = await read(open('main'))
      expect(names, path).toEqual(['a'])
      expect(gaps.join(), path).toContain('outside the folder')
    }
  })

  it('that are no files, or not there, or too large are gaps and keep nobody waiting', async () => {
    execFileSync('mkfifo', [join(folder, 'fifo')])
    put({ main: '', huge: '' })
    execFileSync('mkfifo', [at('fifo')])
    truncateSync(at('huge'), 64 * 1024 * 1024)
    for (const [path, words] of [
      ['fifo', 'not a regular file'],
      ['huge', 'larger than'],
      ['absent', 'ENOENT'],
    ] as const) {
      put({ main: `${line('a')}${include(path)}` })
      const { names, gaps } = await read(open('main'))
      expect(names).toEqual(['a'])
      expect(gaps.join(), path).toContain(words)
    }
  })

  it('may be named by a link, as systems with generations do', async () => {
    put({ 'store/main': line('a') })
    symlinkSync(at('store/main'), at('main'))
    expect(await read(open('main'))).toMatchObject({ names: ['a'], gaps: [] })
  })

  it('without sense are read to their end', async () => {
    const junk = ['"', "'", '=', '/', '#', '\\', '\u0000', 'address=/', 'address=/x/y', 'local-data:']
    put({ main: `${junk.join('\n')}\n${'x'.repeat(100_000)}\n${line('a')}` })
    expect((await read(open('main'))).names).toContain('a')
  })

  it('are not read on when the caller gave up', async () => {
    put({ main: line('a') })
    await expect(open('main').read(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})

describe('a main file', () => {
  it.each([
    ['a folder', () => mkdirSync(at('main'), { recursive: true })],
    ['a FIFO', () => (put({ x: '' }), execFileSync('mkfifo', [at('main')]))],
    ['absent', () => undefined],
  ])('that is %s is trouble, never an empty view', async (_what, make) => {
    make()
    for (const config of [dnsmasqConfig, unboundConfig, hostsConfig])
      expect(await config(at('main')).read(AbortSignal.timeout(60_000))).toMatchObject({
        ok: false,
        reason: 'unreadable',
      })
  })
})

describe('folders of dnsmasq', () => {
  it.each([
    ['conf-dir=d', ['a', 'b', 'c']],
    ['conf-dir=d,*.conf', ['a']],
    ['conf-dir=d,.bak', ['a', 'c']],
    ['conf-dir=d,*.conf,*.bak', ['a', 'b']],
  ])('%s takes the files that dnsmasq takes', async (setting, names) => {
    const files = { 'd/a.conf': 'a', 'd/b.bak': 'b', 'd/c': 'c', 'd/.hidden': 'x', 'd/e~': 'x', 'd/#f#': 'x' }
    put({
      main: `${setting}\n`,
      ...Object.fromEntries(
        Object.entries(files).map(([path, name]) => [path, `address=/${name}/192.0.2.1\n`]),
      ),
    })
    expect(await read(dnsmasqConfig(at('main')))).toMatchObject({ names, gaps: [] })
  })

  it('the machine’s own hosts file is told of, unless it is switched off', async () => {
    put({ main: '' })
    expect((await read(dnsmasqConfig(at('main')))).notes.join()).toContain('/etc/hosts')
    put({ main: 'no-hosts\n' })
    expect((await read(dnsmasqConfig(at('main')))).notes).toEqual([])
  })

  it.each(['dhcp-range=192.0.2.1,192.0.2.9', 'cname=*.x.lan,y.lan', 'domain=x.lan,192.0.2.0/24'])(
    '%s is told and takes nothing away',
    async (setting) => {
      put({ main: `no-hosts\n${setting}\n` })
      expect(await read(dnsmasqConfig(at('main')))).toMatchObject({
        names: [],
        gaps: [],
        notes: [expect.stringContaining('main:2') as unknown],
      })
    },
  )

  it.each(['synth-domain=x.lan,192.0.2.0/24', 'auth-zone=x.lan', 'filter-AAAA', 'address=/x.lan/nonsense'])(
    '%s may answer, so what is missing is open',
    async (setting) => {
      put({ main: `no-hosts\n${setting}\n` })
      expect((await read(dnsmasqConfig(at('main')))).gaps).toEqual([
        expect.stringContaining('main:2') as unknown,
      ])
    },
  )
})

it('an include with a hundred stars is read as soon as any', async () => {
  const stars = `${'*a'.repeat(100)}*`
  put({
    main: `include: "more/${stars}b"\ninclude: "more/${stars}"\n`,
    [`more/${'a'.repeat(250)}`]: 'server:\n  local-data: "a. A 192.0.2.1"\n',
  })
  expect(await read(unboundConfig(at('main')))).toMatchObject({ names: ['a'], gaps: [] })
})
