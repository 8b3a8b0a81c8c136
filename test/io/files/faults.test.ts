/** Full, read-only, foreign and failing disks: the caller is told path and remedy, and the old file stands. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFault, writeFault } from '../../../src/io/files/faults.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { CAN_INJECT, IS_ROOT, type Outcome, PRIVATE_MOUNTS, replaceInChild, withMounts } from './machine.ts'
import { namesIn, scratch, siblingFor, tempsIn, textAt } from './scratch.ts'
import { itInDepth } from '../../kit/in-depth.ts'

/**
 * Mounts, then the child's outcome, then the file's first bytes, then every name below the folder. `$1` is the folder,
 * `$R` the routes file in `$1/traefik`, already holding `old`.
 */
function underMounts(mounts: string, bytes: number): { outcome: Outcome; content: string; names: string } {
  const folder = scratch()
  mkdirSync(join(folder, 'traefik'))
  const script = `
    R="$1/traefik/routes.yml"
    ${mounts}
    "$NODE" "$CHILD" "{\\"path\\":\\"$R\\",\\"bytes\\":${bytes}}"; echo
    head -c 8 "$R"; echo
    ls -A "$1" "$1/traefik" "$1/.traefik.plumbline" 2>/dev/null || true`
  const [outcome = '', content = '', ...names] = withMounts(folder, script).split('\n')
  return { outcome: JSON.parse(outcome) as Outcome, content, names: names.join('\n') }
}

const OLD = 'echo old > "$R"'

describe.skipIf(PRIVATE_MOUNTS === undefined)('a file system (needs a mount namespace)', () => {
  it('that is full: storage_full, the old file intact, no temp left', () => {
    const { outcome, content, names } = underMounts(
      `mount -t tmpfs -o size=64k tmpfs "$1"; mkdir "$1/traefik"; ${OLD}`,
      200_000,
    )
    expect(outcome).toMatchObject({ ok: false, code: 'storage_full' })
    expect(outcome.message).toMatch(/routes\.yml could not be written \(ENOSPC\): .*no space.*Free some/)
    expect(content).toBe('old')
    expect(names).not.toContain('plumbline-temp')
  })

  it('without inodes: storage_full', () => {
    const { outcome, content } = underMounts(
      `mount -t tmpfs -o nr_inodes=4 tmpfs "$1"; mkdir "$1/traefik"; ${OLD}
       touch "$1/last" || true; touch "$1/more" 2>/dev/null || true`,
      1000,
    )
    expect(outcome).toMatchObject({ ok: false, code: 'storage_full' })
    expect(content).toBe('old')
  })

  it('that is read-only: storage_unwritable, naming the folder to mount writable', () => {
    const { outcome, content } = underMounts(
      `mount -t tmpfs tmpfs "$1"; mkdir "$1/traefik"; ${OLD}; mount -o remount,bind,ro "$1"`,
      1000,
    )
    expect(outcome).toMatchObject({ ok: false, code: 'storage_unwritable' })
    expect(outcome.message).toMatch(/\(EROFS\): .*read-only\. Mount \S+\/traefik writable/)
    expect(content).toBe('old')
  })

  it('that is mounted on the single file: storage_unwritable, saying what to mount instead', () => {
    const { outcome, content, names } = underMounts(
      `${OLD}; echo mounted > "$1/other"; mount --bind "$1/other" "$R"`,
      1000,
    )
    expect(outcome).toMatchObject({ ok: false, code: 'storage_unwritable' })
    expect(outcome.message).toMatch(
      /routes\.yml is a mount point of a single file; mount its directory instead/,
    )
    expect(content).toBe('mounted')
    expect(names).not.toContain('plumbline-temp')
  })

  it('of its own on the folder: written all the same, by a temp in the folder, and nothing is left', () => {
    const { outcome, content, names } = underMounts(`mount -t tmpfs tmpfs "$1/traefik"; ${OLD}`, 1000)
    expect(outcome).toEqual({ ok: true })
    expect(content).toBe('nnnnnnnn')
    expect(names).not.toMatch(/\.traefik\.plumbline|plumbline-temp/)
  })

  it('bound to the folder from the same disk: written all the same', () => {
    const { outcome, content, names } = underMounts(
      `mkdir "$1/elsewhere"; mount --bind "$1/elsewhere" "$1/traefik"; ${OLD}`,
      1000,
    )
    expect(outcome).toEqual({ ok: true })
    expect(content).toBe('nnnnnnnn')
    expect(names).not.toMatch(/\.traefik\.plumbline|plumbline-temp/)
  })

  it('of its own on the folder, with a full and a read-only parent: written all the same', () => {
    for (const parent of ['-o size=4k', '-o size=1m']) {
      const fill = parent.includes('4k') ? 'head -c 4096 /dev/zero > "$1/filler" || true' : ''
      const { outcome, content } = underMounts(
        `mount -t tmpfs ${parent} tmpfs "$1"; mkdir "$1/traefik"; mount -t tmpfs tmpfs "$1/traefik"; ${OLD}
         ${fill === '' ? 'mount -o remount,bind,ro "$1"' : fill}`,
        1000,
      )
      expect(outcome).toEqual({ ok: true })
      expect(content).toBe('nnnnnnnn')
    }
  })
})

function oldFile(): string {
  const path = join(scratch(), 'traefik', 'routes.yml')
  mkdirSync(join(path, '..'))
  writeFileSync(path, 'old')
  return path
}

const NEW = 'n'.repeat(5000)

describe.skipIf(!CAN_INJECT)('a disk that reports errors (needs strace)', () => {
  it('at fsync: storage_unwritable, one fsync only, the old file intact, no temp left', () => {
    const path = oldFile()
    const trace = join(scratch(), 'trace')
    const under = ['strace', '-f', '-o', trace, '-e', 'trace=fsync,rename', '-e', 'inject=fsync:error=EIO']
    const outcome = replaceInChild({ path, bytes: 5000 }, under)
    expect(outcome).toMatchObject({ ok: false, code: 'storage_unwritable' })
    expect(outcome.message).toMatch(/\(EIO\): .*check the disk/)
    expect(textAt(path)).toBe('old')
    expect(tempsIn(siblingFor(path))).toEqual([])
    const calls = readFileSync(trace, 'utf8')
    expect(calls.match(/fsync\(/g)).toHaveLength(1)
    expect(calls).not.toMatch(/rename\(/)
  })

  itInDepth(
    'at any system call of the work: success or a failure with the old file intact, and no temp',
    () => {
      for (const call of ['mkdir', 'writev', 'fchmod', 'fsync', 'rename']) {
        const path = oldFile()
        const trace = join(scratch(), 'trace')
        const under = [
          'strace',
          '-f',
          '-o',
          trace,
          '-e',
          `trace=${call}`,
          '-e',
          `inject=${call}:error=EIO:when=1`,
        ]
        const outcome = replaceInChild({ path, bytes: 5000 }, under)
        expect(readFileSync(trace, 'utf8')).toContain('(INJECTED)')
        // Without its sibling folder the work goes on in the folder itself; without any other call it cannot.
        expect([call, outcome.ok]).toEqual([call, call === 'mkdir'])
        expect(textAt(path)).toBe(outcome.ok ? NEW : 'old')
        expect(namesIn(join(path, '..'))).toEqual(['routes.yml'])
        expect(tempsIn(siblingFor(path))).toEqual([])
      }
    },
  )

  it('at the last sync of the folder only: a failure, and the new file stands whole', () => {
    const path = oldFile()
    const trace = join(scratch(), 'trace')
    const under = ['strace', '-f', '-o', trace, '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO:when=2']
    expect(replaceInChild({ path, bytes: 5000 }, under)).toMatchObject({
      ok: false,
      code: 'storage_unwritable',
    })
    expect(textAt(path)).toBe(NEW)
  })

  it('never: then the temp is new and exclusive, synced before the rename, the folder synced after it', () => {
    const path = oldFile()
    const trace = join(scratch(), 'trace')
    replaceInChild({ path, bytes: 5000 }, ['strace', '-f', '-o', trace, '-e', 'trace=openat,fsync,rename'])
    const calls = readFileSync(trace, 'utf8').split('\n')
    const at = (pattern: RegExp) => calls.findIndex((call) => pattern.test(call))
    const opened = at(/plumbline-temp.*O_WRONLY\|O_CREAT\|O_EXCL/)
    const renamed = at(/rename\(.*plumbline-temp.*routes\.yml/)
    expect(opened).toBeGreaterThan(-1)
    expect(calls.slice(opened, renamed).filter((call) => call.includes('fsync('))).toHaveLength(1)
    expect(calls.slice(renamed).filter((call) => call.includes('fsync('))).toHaveLength(1)
  })
})

describe.skipIf(!IS_ROOT)('a user without rights (needs root to become one)', () => {
  it('is told which user needs access to which folder', () => {
    const path = oldFile()
    const outcome = replaceInChild({ path, bytes: 1000, as_user: 65534 })
    expect(outcome).toMatchObject({ ok: false, code: 'storage_unwritable' })
    expect(outcome.message).toMatch(
      /\(EACCES\): permission denied for user id 65534\. Give that user write access/,
    )
    expect(textAt(path)).toBe('old')
  })

  it('is told which file it cannot read', () => {
    const path = oldFile()
    chmodSync(path, 0o600)
    chmodSync(join(path, '../..'), 0o755)
    const outcome = replaceInChild({ deed: 'look', path, bytes: 0, as_user: 65534 })
    expect(outcome).toMatchObject({ ok: false, code: 'component_unavailable' })
    expect(outcome.message).toMatch(
      /\(EACCES\): permission denied for user id 65534\. Give that user read access/,
    )
  })
})

describe('a process without descriptors', () => {
  const FEW = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh']

  it('is told to raise the limit, and the old file stands', () => {
    const path = oldFile()
    for (const [deed, code] of [
      ['replace', 'storage_unwritable'],
      ['look', 'component_unavailable'],
    ]) {
      const outcome = replaceInChild({ deed, path, bytes: 5000, exhausted: true }, FEW)
      expect(outcome).toMatchObject({ ok: false, code })
      expect(outcome.message).toMatch(/\(EMFILE\): too many files are open\. Raise the limit/)
    }
    expect(textAt(path)).toBe('old')
    expect(tempsIn(siblingFor(path))).toEqual([])
  })
})

describe('the words for a system error', () => {
  const error = (code: string) => Object.assign(new Error(`${code}: raw text`), { code })

  it('name the path and a remedy for every code, and keep the cause for the log', () => {
    const codes = [
      'ENOSPC',
      'EDQUOT',
      'EROFS',
      'EACCES',
      'EPERM',
      'EBUSY',
      'EIO',
      'EMFILE',
      'ENOTDIR',
      'EWEIRD',
    ]
    for (const code of codes) {
      for (const fault of [writeFault, readFault]) {
        const failure = fault(error(code), '/srv/traefik/routes.yml') as Failure
        expect(failure).toBeInstanceOf(Failure)
        expect(failure.message).toMatch(
          /^\/srv\/traefik\/routes\.yml could not be (written|read) \(E\w+\): .+\.$/,
        )
        expect(failure.details.inside).toContain('raw text')
      }
    }
  })

  it('are not put on a mistake of ours, an abort or a failure', () => {
    const others = [new Failure('internal', 'x'), error('ERR_INVALID_ARG_TYPE'), error('ABORT_ERR'), 'reason']
    for (const other of others) {
      expect(writeFault(other, '/x')).toBe(other)
      expect(readFault(other, '/x')).toBe(other)
    }
  })
})
