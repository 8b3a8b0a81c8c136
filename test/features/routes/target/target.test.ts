/** The routes target over a file in memory: it looks without parsing, writes only what differs, and then finds nothing to do. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Target } from '../../../../src/engine/target.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import type { FileLook } from '../../../../src/ports/files.ts'
import type { RoutesDesired } from '../../../../src/features/routes/target/desire.ts'
import { routesTarget } from '../../../../src/features/routes/target/target.ts'
import { anIntent } from '../../../fixtures.ts'
import { fileOf, MemoryFile } from './memory-file.ts'
import { someSettings } from './settings.ts'

const { signal } = new AbortController()
const intent = anIntent(
  { domain: 'a.example.com', service_type: 'spa' },
  { domain: 'b.example.com', service_type: 'tcp-proxy' },
)

let file: MemoryFile
let target: Target<RoutesDesired, FileLook, null>
beforeEach(() => {
  file = new MemoryFile()
  target = routesTarget(someSettings(), file, systemClock)
})

async function state(): Promise<FileLook> {
  const seen = await target.observe(signal)
  if (!seen.known) throw new Error(seen.detail)
  return seen.state
}

async function heal(evidence = false): Promise<void> {
  const desired = target.desire(intent)
  const differences = target.diff(desired, await state())
  const repairs = await target.apply(differences, desired, { signal, evidence })
  expect(repairs).toEqual(differences.map(({ key }) => ({ key, ok: true })))
}

const STATES: readonly (readonly [string, FileLook])[] = [
  ['a missing file', { kind: 'absent' }],
  ['an empty file', fileOf('')],
  ['a file with one byte more', fileOf('# Written by someone else\n')],
  ['garbage', fileOf(new Uint8Array([0, 255, 254, 1]))],
  ['a directory in its place', { kind: 'intruder', what: 'directory' }],
  ['a symbolic link in its place', { kind: 'intruder', what: 'symlink' }],
  ['a file far too large', { kind: 'oversize', size: 500_000_000 }],
]

describe('the routes target', () => {
  it.each(STATES)('heals %s in one write, and then finds nothing to do', async (_title, look) => {
    file.put(look)
    await heal()
    expect(file.look_now).toMatchObject({ kind: 'file', digest: target.desire(intent).checksum })
    expect(target.diff(target.desire(intent), await state())).toEqual([])
    await heal()
    expect(file.writes).toEqual([{ mode: 0o644, evidence: false, digest: target.desire(intent).checksum }])
  })

  it.each(STATES)('names %s in one difference', async (_title, look) => {
    file.put(look)
    const desired = target.desire(intent)
    expect(target.diff(desired, await state())).toEqual([
      {
        key: 'routes',
        verb: look.kind === 'absent' ? 'create' : 'update',
        item: file.path,
        before: look.kind === 'absent' ? null : expect.any(String),
        after: `sha256 ${desired.checksum.slice(0, 12)}, 2 domains`,
        payload: null,
      },
    ])
  })

  it('keeps what a stranger wrote when the engine asks for evidence', async () => {
    file.put('mine now')
    await heal(true)
    expect(file.writes).toMatchObject([{ mode: 0o644, evidence: true }])
  })

  it('gives each state of the world its own digest, the file’s being that of its bytes', async () => {
    const digests: string[] = []
    for (const [, look] of STATES) {
      file.put(look)
      const seen = await target.observe(signal)
      if (seen.known) digests.push(seen.digest)
    }
    expect(new Set(digests).size).toBe(STATES.length)
    await heal()
    expect(await target.observe(signal)).toMatchObject({
      known: true,
      digest: target.desire(intent).checksum,
    })
  })

  it('answers "unknown" when the file cannot be read, and never takes that for a missing file', async () => {
    file.trouble = new Failure('storage_unwritable', 'routes: cannot read /srv/traefik/routes.yml (EACCES)')
    expect(await target.observe(signal)).toMatchObject({
      known: false,
      reason: 'unreadable',
      detail: 'routes: cannot read /srv/traefik/routes.yml (EACCES)',
    })
  })

  it('lets programming errors and a stop through', async () => {
    file.trouble = new TypeError('ours')
    await expect(target.observe(signal)).rejects.toThrow('ours')
    file.trouble = null
    await expect(target.observe(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  })

  it('passes a refused write on and leaves the old file', async () => {
    file.put('old')
    file.trouble = new Failure('storage_full', 'routes: no space left')
    const desired = target.desire(intent)
    const differences = target.diff(desired, fileOf('old'))
    await expect(target.apply(differences, desired, { signal, evidence: false })).rejects.toMatchObject({
      code: 'storage_full',
    })
    expect(file.text).toBe('old')
  })

  it('hands glances and hints through', () => {
    let hints = 0
    const watch = target.watch(() => hints++)
    const before = target.glance()
    file.put('x')
    expect(target.glance()).not.toBe(before)
    watch.close()
    file.put('y')
    expect(hints).toBe(1)
  })
})

const FIGURES = ['checksum', 'generation', 'http_routers', 'tcp_routers', 'open_routers', 'domains'] as const

describe('what was released', () => {
  it.each([
    ['an estate', intent],
    ['nothing', anIntent()],
    [
      'wildcards and plain tcp',
      anIntent({ domain: '*.x.io' }, { domain: 't.x.io', protocol: 'tcp', ssl_enabled: false }),
    ],
  ])('comes back byte for byte and figure for figure: %s', (_title, released) => {
    const desired = target.desire(released)
    const frozen = target.codec.freeze(desired)
    expect(frozen.digest).toBe(desired.checksum)
    const chunks = frozen.chunks.map((chunk) => new Uint8Array(chunk))
    // From the bytes alone first: what is known by its rows is kept.
    for (const rows of [undefined, released]) {
      const thawed = target.codec.thaw(chunks, rows)
      expect(Buffer.concat(thawed.chunks)).toEqual(Buffer.concat(desired.chunks))
      for (const figure of FIGURES) expect(thawed[figure], figure).toBe(desired[figure])
      expect([...thawed.objects().keys()]).toEqual([...desired.objects().keys()])
    }
  })
})
