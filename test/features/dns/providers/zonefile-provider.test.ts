/** The zonefile provider on real files: what it lists and writes, what it leaves alone, and what it says when it cannot. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import { ZonefileProvider } from '../../../../src/features/dns/providers/zonefile/provider.ts'
import { MAX_ZONE_BYTES } from '../../../../src/features/dns/providers/zonefile/zone-file.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import type { ManagedFile } from '../../../../src/ports/files.ts'
import { HEAD, never, wish, zoneFolder } from './zone-folder.ts'
import { itInDepth } from '../../../kit/in-depth.ts'

const ZONE = 'example.org'
const WWW = wish('www.example.org', 'A', ['192.0.2.1'], { comment: 'plumbline:1:abc:7' })

async function failureOf(work: () => Promise<unknown>): Promise<Failure> {
  const thrown = await work().then(
    () => null,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(Failure)
  return thrown as Failure
}

describe('zones', () => {
  it('are the files named after them', async () => {
    const { provider, put, pathOf, directory } = zoneFolder()
    put(ZONE, HEAD)
    put('2.0.192.in-addr.arpa', HEAD)
    put('Upper.Example', HEAD)
    put('-bad', HEAD)
    put('.#lock', HEAD)
    symlinkSync(pathOf(ZONE), pathOf('linked.test'))
    mkdirSync(pathOf('folder.test'))
    mkdirSync(join(directory, 'other'))
    expect(await provider.zones(never)).toEqual([
      { name: '2.0.192.in-addr.arpa', account: 'default', writable: true, detail: null },
      { name: ZONE, account: 'default', writable: true, detail: null },
      {
        name: 'folder.test',
        account: 'default',
        writable: false,
        detail: expect.stringMatching(/regular file/) as unknown,
      },
      {
        name: 'linked.test',
        account: 'default',
        writable: false,
        detail: expect.stringMatching(/regular file/) as unknown,
      },
    ])
  })

  it('are none where the folder is empty', async () => {
    expect(await zoneFolder().provider.zones(never)).toEqual([])
  })

  it('are made with SOA and NS, readable for the name server, and never made over a file', async () => {
    const { provider, pathOf, put, textOf } = zoneFolder({ now: () => Date.UTC(2026, 10, 21) })
    await provider.makeZone(ZONE, never)
    expect(textOf(ZONE)).toBe(
      '$TTL 3600\n@\tIN\tSOA\tns1.provider.test. hostmaster.example.org. 2026112101 10800 3600 1209600 300\n@\tIN\tNS\tns1.provider.test.\n',
    )
    expect(statSync(pathOf(ZONE)).mode & 0o777).toBe(0o644)
    expect(await provider.list(ZONE, never)).toMatchObject([
      { name: ZONE, type: 'NS', values: ['ns1.provider.test'] },
    ])
    put('other.test', '; mine\n')
    await provider.makeZone('other.test', never)
    expect(textOf('other.test')).toBe('; mine\n')
  })

  it('are not made where no server would load them', async () => {
    for (const nameservers of [[], ['ns.example.org'], ['a..b']]) {
      const { provider, pathOf } = zoneFolder({ nameservers })
      expect(await failureOf(() => provider.makeZone(ZONE, never))).toMatchObject({
        code: 'provider_refused',
      })
      expect(existsSync(pathOf(ZONE))).toBe(false)
    }
  })

  it.each(['../evil', 'a/b', '', '.', '..', 'A.test', 'a b', `${'a.'.repeat(130)}b`, '\0'])(
    'of a name like %j are never touched',
    async (zone) => {
      const { provider, directory } = zoneFolder()
      const before = readdirSync(dirname(directory))
      for (const deed of [
        () => provider.makeZone(zone, never),
        () => provider.list(zone, never),
        () => provider.stamp(zone, never),
        () => provider.change(zone, [], never),
      ])
        expect(await failureOf(deed)).toMatchObject({ code: 'provider_refused' })
      expect(readdirSync(dirname(directory))).toEqual(before)
    },
  )
})

describe('a change', () => {
  it('is in the listing and in the file, and a second time nothing is written', async () => {
    const { provider, put, pathOf, textOf } = zoneFolder()
    put(ZONE, HEAD)
    expect(await provider.change(ZONE, [WWW], never)).toEqual([{ ok: true, ids: [] }])
    expect((await provider.list(ZONE, never)).at(-1)).toEqual({
      name: 'www.example.org',
      type: 'A',
      ttl: 300,
      values: ['192.0.2.1'],
      ids: [],
      comment: 'plumbline:1:abc:7',
      proxied: null,
    })
    expect(textOf(ZONE)).toMatch(/^www\.example\.org\.\t300\tIN\tA\t192\.0\.2\.1 ; plumbline:1:abc:7$/m)
    const { ino } = statSync(pathOf(ZONE))
    expect(await provider.change(ZONE, [WWW], never)).toEqual([{ ok: true, ids: [] }])
    expect(statSync(pathOf(ZONE)).ino).toBe(ino)
  })

  it('takes the TTL of the zone where none is wanted', async () => {
    const { provider, put } = zoneFolder()
    put(ZONE, HEAD.replace('3600', '1234'))
    await provider.change(ZONE, [wish('www.example.org', 'A', ['192.0.2.1'], { ttl: null })], never)
    expect((await provider.list(ZONE, never)).at(-1)).toMatchObject({ ttl: 1234 })
  })

  it('keeps the mode of the file', async () => {
    const { provider, put, pathOf } = zoneFolder()
    put(ZONE, HEAD)
    chmodSync(pathOf(ZONE), 0o640)
    await provider.change(ZONE, [WWW], never)
    expect(statSync(pathOf(ZONE)).mode & 0o777).toBe(0o640)
  })

  it('loses nothing when many come at once', async () => {
    const { provider, put } = zoneFolder({ now: () => 0 })
    put(ZONE, HEAD)
    const names = Array.from({ length: 20 }, (_, at) => `h${at}.example.org`)
    await Promise.all(names.map((name) => provider.change(ZONE, [wish(name, 'A', ['192.0.2.1'])], never)))
    const listed = (await provider.list(ZONE, never)).filter(({ type }) => type === 'A')
    expect(listed.map(({ name }) => name)).toEqual(names)
  })

  it('does not overwrite what somebody saves meanwhile', async () => {
    const { directory, put, textOf } = zoneFolder()
    put(ZONE, HEAD)
    let looks = 0
    const busy = (path: string): ManagedFile => {
      const file = managedFile(path, { max_bytes: MAX_ZONE_BYTES, log: silentLog })
      const look: ManagedFile['look'] = async (signal) => {
        const seen = await file.look(signal)
        if (++looks === 1) put(ZONE, `${HEAD}hand A 192.0.2.99\n`)
        return seen
      }
      return { ...file, look }
    }
    const settings = { account: 'default', directory, nameservers: [], contact: null, reload: null }
    const provider = new ZonefileProvider(settings, { file: busy, clock: systemClock, log: silentLog })
    await provider.change(ZONE, [WWW], never)
    expect(textOf(ZONE)).toMatch(/^hand A 192\.0\.2\.99$/m)
    expect(textOf(ZONE)).toMatch(/^www\.example\.org\./m)
  })

  it.each([
    [
      'saves meanwhile, in the very moment of the write',
      `${HEAD}hand A 192.0.2.99\n`,
      /^www\.example\.org\./m,
    ],
    ['makes while the zone is made', null, /^hand A/m],
  ])('does not overwrite what somebody %s', async (_when, there, also) => {
    const { directory, put, textOf } = zoneFolder()
    if (there !== null) put(ZONE, HEAD)
    let writes = 0
    const overtaken = (path: string): ManagedFile => {
      const file = managedFile(path, { max_bytes: MAX_ZONE_BYTES, log: silentLog })
      const replace: ManagedFile['replace'] = async (...given) => {
        if (++writes === 1) put(ZONE, `${HEAD}hand A 192.0.2.99\n`)
        return file.replace(...given)
      }
      return { ...file, replace }
    }
    const settings = { account: 'default', directory, nameservers: ['ns1.test'], contact: null, reload: null }
    const provider = new ZonefileProvider(settings, { file: overtaken, clock: systemClock, log: silentLog })
    if (there === null) await provider.makeZone(ZONE, never)
    else await provider.change(ZONE, [WWW], never)
    expect(textOf(ZONE)).toMatch(/^hand A 192\.0\.2\.99$/m)
    expect(textOf(ZONE)).toMatch(also)
  })

  it('that is refused leaves the file as it is', async () => {
    const { provider, put, textOf } = zoneFolder()
    put(ZONE, HEAD)
    const bad = wish('b.example.org', 'A', ['not an address'])
    expect(await failureOf(() => provider.change(ZONE, [WWW, bad], never))).toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('A b.example.org in example.org is not an IPv4 address') as unknown,
    })
    expect(textOf(ZONE)).toBe(HEAD)
  })

  it('that was aborted before it began leaves the file as it is', async () => {
    const { provider, put, textOf } = zoneFolder()
    put(ZONE, HEAD)
    const over = AbortSignal.abort(new Error('over'))
    await expect(provider.change(ZONE, [WWW], over)).rejects.toThrow('over')
    await expect(provider.list(ZONE, over)).rejects.toThrow('over')
    await expect(provider.zones(over)).rejects.toThrow('over')
    expect(textOf(ZONE)).toBe(HEAD)
  })

  itInDepth('of 10,000 sets goes in one write, one more does not', async () => {
    const { provider, put, textOf } = zoneFolder()
    put(ZONE, HEAD)
    const many = Array.from({ length: 10_001 }, (_, at) => wish(`h${at}.example.org`, 'A', ['192.0.2.1']))
    expect(await failureOf(() => provider.change(ZONE, many, never))).toMatchObject({
      code: 'provider_refused',
    })
    expect(textOf(ZONE)).toBe(HEAD)
    await provider.change(ZONE, many.slice(1), never)
    expect(await provider.list(ZONE, never)).toHaveLength(10_001)
  })
})

describe('a file that cannot be used', () => {
  it('for a line that is wrong is named with line and cure, and never written', async () => {
    const { provider, put, pathOf, textOf } = zoneFolder()
    const broken = `${HEAD}ok A 192.0.2.1\nbad A 192.0.2.300\n`
    put(ZONE, broken)
    for (const work of [() => provider.list(ZONE, never), () => provider.change(ZONE, [WWW], never)]) {
      const failure = await failureOf(work)
      expect(failure).toMatchObject({ code: 'component_unavailable' })
      expect(failure.message).toContain(
        `${pathOf(ZONE)} cannot be read as a zone: line 5 is not an IPv4 address`,
      )
      expect(failure.message).toContain('Mend that line')
    }
    expect(textOf(ZONE)).toBe(broken)
  })

  it('because it is absent, a folder, a link or too large is named and left alone', async () => {
    const { provider, put, pathOf, directory } = zoneFolder()
    put('real.test', HEAD)
    symlinkSync(pathOf('real.test'), pathOf('link.test'))
    mkdirSync(pathOf('folder.test'))
    put('large.test', HEAD)
    truncateSync(pathOf('large.test'), MAX_ZONE_BYTES + 1)
    const before = readdirSync(directory)
    for (const [zone, why] of [
      ['absent.test', 'does not exist'],
      ['link.test', 'is a symlink'],
      ['folder.test', 'is a directory'],
      ['large.test', `has ${MAX_ZONE_BYTES + 1} bytes`],
    ] as const)
      for (const work of [
        () => provider.list(zone, never),
        () => provider.change(zone, [wish(`a.${zone}`, 'A', ['192.0.2.1'])], never),
      ]) {
        const failure = await failureOf(work)
        expect(failure.code).toBe('component_unavailable')
        expect(failure.message).toContain(`${pathOf(zone)} ${why}`)
      }
    expect(readdirSync(directory)).toEqual(before)
    expect(lstatSync(pathOf('link.test')).isSymbolicLink()).toBe(true)
    expect(readFileSync(pathOf('real.test'), 'utf8')).toBe(HEAD)
  })
})

describe('the stamp', () => {
  it('stays while nothing happens, and moves with our change and a stranger’s', async () => {
    const { provider, put } = zoneFolder()
    put(ZONE, HEAD)
    const stamps = [await provider.stamp(ZONE, never), await provider.stamp(ZONE, never)]
    expect(stamps[0]).toEqual(expect.any(String))
    expect(stamps[1]).toBe(stamps[0])
    await provider.list(ZONE, never)
    expect(await provider.stamp(ZONE, never)).toBe(stamps[0])
    await provider.change(ZONE, [WWW], never)
    const ours = await provider.stamp(ZONE, never)
    put(ZONE, HEAD)
    const theirs = await provider.stamp(ZONE, never)
    expect(new Set([stamps[0], ours, theirs]).size).toBe(3)
    expect(await provider.stamp('absent.test', never)).toBeNull()
  })
})
