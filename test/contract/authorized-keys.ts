/** What every `authorized_keys` file must promise, here or elsewhere, as one suite. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/kernel/digest.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { lookIdentity } from '../../src/ports/files.ts'
import type { AuthorizedKeys } from '../../src/features/ssh-clients/authorized-keys-port.ts'

export interface OpenedKeys {
  readonly file: AuthorizedKeys
  /** Where the bytes lie on this machine. */
  readonly path: string
}

const signal = () => AbortSignal.timeout(60_000)
const OLD = Buffer.from('# old \xe9\r\n', 'latin1')
const NEW = Buffer.from('# new\n')
const digest = sha256([OLD])

/** The failure that the work ends with. Throws when it ends well, or otherwise. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure) return error
  throw new Error('no failure', { cause: error })
}

/** Names in the file's folder but its own. */
export const besides = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => join(dirname(path), name) !== path)

/** @param open called before each test; nothing stands at the path, and its folder is empty */
export function authorizedKeysContract(open: () => OpenedKeys): void {
  let file: AuthorizedKeys
  let path: string

  beforeEach(() => {
    ;({ file, path } = open())
  })

  const put = (bytes: Uint8Array, mode = 0o600) => {
    writeFileSync(path, bytes)
    chmodSync(path, mode)
  }
  const undo = async (edit: string) => {
    put(Buffer.from(edit))
    await file.replace(NEW, { expected: lookIdentity(await file.look(signal())), evidence: true }, signal())
  }
  const modeNow = () => statSync(path).mode & 0o777

  it('what is not there is absent, and what is there is read as it is', async () => {
    expect(await file.look(signal())).toEqual({ kind: 'absent' })
    put(OLD)
    expect(await file.look(signal())).toMatchObject({ kind: 'file', digest })
    put(Buffer.alloc(0))
    expect(await file.look(signal())).toMatchObject({ kind: 'file', digest: sha256([]) })
    const large = Buffer.alloc(1024 * 1024, 'k')
    put(large)
    expect(await file.look(signal())).toMatchObject({ kind: 'file', digest: sha256([large]) })
  })

  it('what is larger than any list of keys is not read', async () => {
    put(Buffer.alloc(1024 * 1024 + 1, 'k'))
    expect(await file.look(signal())).toEqual({ kind: 'oversize', size: 1024 * 1024 + 1 })
  })

  it('a new file is private, and nothing is left beside it', async () => {
    await file.replace(NEW, { expected: null, evidence: false }, signal())
    expect(readFileSync(path)).toEqual(NEW)
    expect(modeNow()).toBe(0o600)
    expect(besides(path)).toEqual([])
  })

  it.each([
    [0o640, 0o640],
    [0o600, 0o600],
    [0o400, 0o400],
    [0o666, 0o644],
    [0o620, 0o600],
  ])('a file with mode %o has mode %o afterwards: others may not write', async (before, after) => {
    put(OLD, before)
    await file.replace(NEW, { expected: digest, evidence: false }, signal())
    expect(readFileSync(path)).toEqual(NEW)
    expect(modeNow()).toBe(after)
    expect(besides(path)).toEqual([])
  })

  it.each([
    [0o666, 0o644],
    [0o620, 0o600],
    [0o640, 0o640],
    [0o000, 0o600],
    [0o044, 0o644],
  ])('a mode of %o is put right as %o, and the bytes stay where they are', async (before, after) => {
    put(OLD, before)
    const { ino } = statSync(path)
    await file.restoreMode(signal())
    expect(modeNow()).toBe(after)
    expect(readFileSync(path)).toEqual(OLD)
    expect(statSync(path).ino).toBe(ino)
  })

  it('what is made of what was seen takes its place, and nothing is written for null', async () => {
    const kept: string[] = []
    const more = { evidence: true, kept: (at: string) => void kept.push(at) }
    put(OLD, 0o640)
    await file.rewrite(async () => null, more, signal())
    expect(readFileSync(path)).toEqual(OLD)
    expect(besides(path)).toEqual([])
    await file.rewrite(
      async ({ look, way }) => {
        expect(look).toMatchObject({ kind: 'file', digest })
        expect(way).not.toBeNull()
        return NEW
      },
      more,
      signal(),
    )
    expect(readFileSync(path)).toEqual(NEW)
    expect(modeNow()).toBe(0o640)
    expect(kept).toHaveLength(1)
    expect(readFileSync(kept[0]!.replace(/^sftp:\/\/[^/]*/, ''))).toEqual(OLD)
  })

  it('what somebody else wrote between what was seen and the new bytes is left, and what cannot be made, too', async () => {
    put(OLD)
    const overtaken = file.rewrite(
      async () => {
        put(Buffer.from('# meanwhile'))
        return NEW
      },
      { evidence: false },
      signal(),
    )
    expect((await failureOf(overtaken)).code).toBe('conflict')
    const unmade = file.rewrite(
      async () => {
        throw new Failure('internal', 'not made')
      },
      { evidence: false },
      signal(),
    )
    expect((await failureOf(unmade)).message).toBe('not made')
    expect(readFileSync(path, 'utf8')).toBe('# meanwhile')
    expect(besides(path)).toEqual([])
  })

  it('the mode of nothing, or of what a link points to, is nobody’s business', async () => {
    await file.restoreMode(signal())
    expect(besides(path)).toEqual([])
    const real = join(dirname(path), 'real')
    writeFileSync(real, OLD)
    chmodSync(real, 0o666)
    symlinkSync(real, path)
    await file.restoreMode(signal())
    expect(statSync(real).mode & 0o777).toBe(0o666)
  })

  it('the mode is seen with the bytes, and that of the folder', async () => {
    expect(await file.see(signal())).toEqual({ look: { kind: 'absent' }, way: null })
    put(OLD, 0o666)
    const { look, way } = await file.see(signal())
    expect(look).toMatchObject({ kind: 'file', digest })
    const modes = way!.steps.slice(0, 2).map((step) => [step.path, step.mode & 0o777])
    expect(modes).toEqual([
      [path, 0o666],
      [dirname(path), statSync(dirname(path)).mode & 0o777],
    ])
  })

  it('many bytes arrive whole', async () => {
    const large = Buffer.from(Array.from({ length: 900_000 }, (_, i) => (i * 7919) % 251))
    await file.replace(large, { expected: null, evidence: false }, signal())
    expect(sha256([readFileSync(path)])).toBe(sha256([large]))
  })

  it('somebody else’s edit is never overwritten', async () => {
    const other = Buffer.from('# edited meanwhile\n')
    put(other)
    for (const expected of [digest, null]) {
      const failure = await failureOf(file.replace(NEW, { expected, evidence: false }, signal()))
      expect(failure.code).toBe('conflict')
      expect(readFileSync(path)).toEqual(other)
    }
    rmSync(path)
    expect((await failureOf(file.replace(NEW, { expected: digest, evidence: false }, signal()))).code).toBe(
      'conflict',
    )
    expect(existsSync(path)).toBe(false)
    expect(besides(path)).toEqual([])
  })

  it('a symbolic link is neither read through nor replaced', async () => {
    const real = join(dirname(path), 'real')
    writeFileSync(real, OLD)
    symlinkSync(real, path)
    expect(await file.look(signal())).toEqual({ kind: 'intruder', what: 'symlink' })
    for (const expected of [digest, null])
      expect((await failureOf(file.replace(NEW, { expected, evidence: true }, signal()))).code).toBe(
        'conflict',
      )
    expect(readFileSync(real)).toEqual(OLD)
    expect(besides(path)).toEqual(['real'])
  })

  it('a link in the place of a file that was seen comes with what stood there, and with what it leads to', async () => {
    put(OLD)
    await file.look(signal())
    const real = join(dirname(path), 'real')
    rmSync(path)
    symlinkSync(real, path)
    const dangling = { kind: 'intruder', what: 'symlink', before: OLD }
    expect(await file.look(signal())).toEqual(dangling)
    writeFileSync(real, NEW)
    const { behind, ...rest } = (await file.look(signal())) as { behind?: Uint8Array }
    expect(rest).toEqual(dangling)
    expect(Buffer.from(behind!)).toEqual(NEW)
    rmSync(real)
    mkdirSync(real)
    expect(await file.look(signal())).toEqual(dangling)
  })

  it('a directory in its place stays', async () => {
    mkdirSync(path)
    expect(await file.look(signal())).toEqual({ kind: 'intruder', what: 'directory' })
    expect((await failureOf(file.replace(NEW, { expected: null, evidence: true }, signal()))).code).toBe(
      'conflict',
    )
    expect(statSync(path).isDirectory()).toBe(true)
  })

  it('evidence keeps what was overwritten, for its owner alone', async () => {
    put(OLD, 0o644)
    await file.replace(NEW, { expected: digest, evidence: true }, signal())
    const [kept, ...others] = besides(path)
    expect(others).toEqual([])
    expect(readFileSync(join(dirname(path), kept!))).toEqual(OLD)
  })

  it('evidence of one undo does not take the place of the one before; the newest ten stay', async () => {
    for (let edit = 0; edit < 12; edit++) await undo(`${edit}\n`)
    const texts = besides(path).map((name) => readFileSync(join(dirname(path), name), 'utf8'))
    expect(texts).toHaveLength(10)
    expect(texts).toEqual(expect.arrayContaining(['11\n', '10\n', '2\n']))
  })

  it('evidence of undos within one millisecond stays in their order', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for (let edit = 0; edit < 12; edit++) await undo(`${edit}\n`)
    } finally {
      vi.useRealTimers()
    }
    const texts = besides(path).map((name) => readFileSync(join(dirname(path), name), 'utf8'))
    expect(texts.map(Number).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('evidence of a clock that was ahead takes no place of what is kept now', async () => {
    for (let edit = 0; edit < 10; edit++) await undo(`ahead ${edit}\n`)
    for (const name of besides(path))
      renameSync(join(dirname(path), name), join(dirname(path), name.replace(/-20\d\d(?=\d{4}T)/, '-2999')))
    await undo('now\n')
    const texts = besides(path).map((name) => readFileSync(join(dirname(path), name), 'utf8'))
    expect(texts).toHaveLength(10)
    expect(texts).toContain('now\n')
  })

  it('evidence of a link is the link', async () => {
    put(OLD)
    const real = join(dirname(path), 'real')
    renameSync(path, real)
    symlinkSync(real, path)
    await file.replace(NEW, { expected: lookIdentity(await file.look(signal())), evidence: true }, signal())
    expect(readFileSync(path)).toEqual(NEW)
    const [kept] = besides(path).filter((name) => name !== 'real')
    expect(readlinkSync(join(dirname(path), kept!))).toBe(real)
    expect(readFileSync(real)).toEqual(OLD)
  })

  it('a folder that is gone is made anew', async () => {
    rmSync(dirname(path), { recursive: true })
    expect(await file.look(signal())).toEqual({ kind: 'absent' })
    await file.replace(NEW, { expected: null, evidence: false }, signal())
    expect(readFileSync(path)).toEqual(NEW)
  })

  it('ends by its signal', async () => {
    await expect(file.look(AbortSignal.abort('enough'))).rejects.toBe('enough')
    await expect(
      file.replace(NEW, { expected: null, evidence: false }, AbortSignal.abort('enough')),
    ).rejects.toBe('enough')
    expect(existsSync(path)).toBe(false)
  })
}
