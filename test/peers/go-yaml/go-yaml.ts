/**
 * Real go-yaml (v3) as a judge of what we write: a small program over Debian's package of the very library that Authelia and
 * Traefik read their files with. Built once a run.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { whichProgram } from '../peer.ts'

/** Debian keeps Go's libraries here; the build needs no module and no network. */
const GOPATH = '/usr/share/gocode'

export interface GoYaml {
  /** `users`: into the types of Authelia's users file. `any`: whatever it holds. */
  read(form: 'users' | 'any', text: string): Promise<GoRead>
  [Symbol.asyncDispose](): Promise<void>
}

export type GoRead = { readonly value: unknown } | { readonly refused: string }

export function goYaml(): GoYaml {
  const child = spawn(built(), { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async read(form, text) {
      child.stdin.write(`${form} ${Buffer.from(text).toString('base64')}\n`)
      const { value, done } = await answers.next()
      if (done === true) throw new Error('go-yaml: the judge has ended')
      return JSON.parse(value) as GoRead
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

function built(): string {
  const folder = join(tmpdir(), 'go-yaml')
  const program = join(folder, 'judge')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GOCACHE: join(folder, 'cache'),
    GOPATH,
    GO111MODULE: 'off',
    GOTOOLCHAIN: 'local',
    CGO_ENABLED: '0',
  }
  const fresh = `${program}-${process.pid}`
  execFileSync(whichProgram('go')!, ['build', '-o', fresh, join(import.meta.dirname, 'judge.go')], {
    env,
    cwd: folder,
  })
  renameSync(fresh, program)
  return program
}
